from models.recent import RecentResults


def test_remembers_by_the_texts() -> None:
    recent: RecentResults[int] = RecentResults(10)
    recent.put(1, "a", "b")

    assert recent.get("a", "b") == 1
    assert recent.get("b", "a") is None
    assert recent.get("ab") is None
    assert recent.get("a", "b", "") is None


def test_forgets_what_was_used_longest_ago() -> None:
    recent: RecentResults[int] = RecentResults(2)
    recent.put(1, "one")
    recent.put(2, "two")
    recent.get("one")
    recent.put(3, "three")

    assert recent.get("one") == 1
    assert recent.get("two") is None
    assert recent.get("three") == 3
    assert len(recent) == 2


def test_without_capacity_it_remembers_nothing() -> None:
    recent: RecentResults[int] = RecentResults(0)
    recent.put(1, "one")

    assert recent.get("one") is None


def test_keeps_no_text() -> None:
    recent: RecentResults[int] = RecentResults(2)
    recent.put(1, "marigold")

    assert "marigold" not in str(vars(recent))
    assert b"marigold" not in str(vars(recent)).encode()
