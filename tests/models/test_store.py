import threading
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from models.artifacts import Fetching
from models.building.registry import Build, Builder
from models.errors import ArtifactUnavailable, ModelBuildFailed, ModelHashMismatch, ModelMissing
from models.hashing import file_sha256
from models.manifest import BuiltOrigin, FolderOrigin, Manifest, ModelEntry
from models.progress import Report
from models.store import ModelStore, default_root
from models.wheel import Wheel

MakeStore = Callable[..., ModelStore]


def shout(sources: Mapping[str, Path], output: Path, report: Report) -> None:
    report("shout", 0.5)
    (output / "loud.txt").write_bytes(sources["text"].read_bytes().upper())


@pytest.fixture
def make_store(tmp_path: Path) -> MakeStore:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    archive = wheels / "quiet-1.0-py3-none-any.whl"
    with zipfile.ZipFile(archive, "w") as content:
        content.writestr("quiet/text.txt", "hello")
    wheel = Wheel(
        package="quiet",
        version="1.0",
        sha256=file_sha256(archive),
        size=archive.stat().st_size,
        files={"text": "quiet/text.txt"},
    )

    def make(
        build: Build = shout, files: dict[str, str] | None = None, ingredients: Path | None = None
    ) -> ModelStore:
        entry = ModelEntry(
            id="loud",
            purpose="lexicon",
            title="Loud",
            licence="MIT",
            origin=BuiltOrigin(kind="built", builder="shout", sources=(wheel,)),
            files=files or {},
        )
        return ModelStore(
            tmp_path / "store",
            Manifest(models=(entry,)),
            Fetching(wheel_folder=wheels),
            {"shout": Builder(build, ingredients)},
        )

    return make


def visible(store: ModelStore) -> list[str]:
    return [path.name for path in store.root.iterdir() if not path.name.endswith(".lock")]


def test_builds_from_the_sources_and_says_how_far_it_is(make_store: MakeStore) -> None:
    steps: list[str] = []

    folder = make_store().build("loud", lambda step, _: steps.append(step))

    assert (folder / "loud.txt").read_text() == "HELLO"
    assert steps == ["fetch quiet", "shout"]


def test_a_built_model_is_found_by_the_next_store(make_store: MakeStore) -> None:
    folder = make_store().build("loud")

    assert make_store().path("loud") == folder
    state = make_store().state("loud")
    assert state.built
    assert state.size == len("HELLO")


def test_what_is_there_is_not_built_again_unless_asked(make_store: MakeStore) -> None:
    make_store().build("loud")
    calls: list[Path] = []

    def counting(sources: Mapping[str, Path], output: Path, report: Report) -> None:
        calls.append(output)
        shout(sources, output, report)

    make_store(counting).build("loud")
    assert not calls
    make_store(counting).build("loud", again=True)
    assert len(calls) == 1


def test_a_missing_model_says_what_to_run(make_store: MakeStore) -> None:
    store = make_store()

    assert not store.state("loud").built
    with pytest.raises(ModelMissing, match="Run: auscult models build loud"):
        store.path("loud")


def test_a_changed_file_is_refused_with_both_hashes_and_the_remedy(make_store: MakeStore) -> None:
    folder = make_store().build("loud")
    expected = file_sha256(folder / "loud.txt")
    (folder / "loud.txt").write_text("HELL0")

    with pytest.raises(
        ModelHashMismatch, match=rf"loud\.txt.*expected sha256 {expected}, found .*models build loud"
    ):
        make_store().path("loud")


def test_a_deleted_file_is_missed(make_store: MakeStore) -> None:
    folder = make_store().build("loud")
    (folder / "loud.txt").unlink()

    with pytest.raises(ModelMissing, match=r"loud\.txt is missing"):
        make_store().path("loud")


def test_building_again_repairs_a_changed_file(make_store: MakeStore) -> None:
    folder = make_store().build("loud")
    (folder / "loud.txt").write_text("HELL0")

    assert (make_store().build("loud", again=True) / "loud.txt").read_text() == "HELLO"


def test_files_are_read_once_in_a_process(make_store: MakeStore) -> None:
    store = make_store()
    folder = store.build("loud")
    (folder / "loud.txt").write_text("HELL0")

    assert store.path("loud") == folder
    with pytest.raises(ModelHashMismatch):
        store.verify("loud")


def test_a_result_other_than_the_pinned_one_is_refused_and_leaves_nothing(make_store: MakeStore) -> None:
    store = make_store(files={"loud.txt": "0" * 64})

    with pytest.raises(ModelHashMismatch, match=r"gave another loud\.txt.*built with .*numpy"):
        store.build("loud")
    assert not visible(store)


def test_a_pin_wins_over_what_the_build_recorded(make_store: MakeStore) -> None:
    loud = make_store().build("loud")
    pinned = make_store(files={"loud.txt": file_sha256(loud / "loud.txt")})
    folder = pinned.build("loud")
    receipt = folder / "receipt.json"
    (folder / "loud.txt").write_text("HELL0")
    receipt.write_text(
        receipt.read_text().replace(file_sha256(loud / "loud.txt"), file_sha256(folder / "loud.txt"))
    )

    with pytest.raises(ModelHashMismatch):
        make_store(files={"loud.txt": file_sha256(loud / "loud.txt")}).path("loud")


def test_a_model_whose_ingredients_changed_is_to_be_built_again(
    make_store: MakeStore, tmp_path: Path
) -> None:
    def with_ingredients(name: str, content: str) -> ModelStore:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "words.txt").write_text(content)
        return make_store(ingredients=folder)

    with_ingredients("first", "one").build("loud")

    assert with_ingredients("same", "one").state("loud").built
    assert not with_ingredients("other", "two").state("loud").built


def test_a_failing_builder_leaves_nothing_behind(make_store: MakeStore) -> None:
    def half_done(sources: Mapping[str, Path], output: Path, report: Report) -> None:
        (output / "half.txt").write_text("half")
        raise ValueError("the source is odd")

    store = make_store(half_done)
    with pytest.raises(ModelBuildFailed, match="ValueError: the source is odd"):
        store.build("loud")
    assert not visible(store)


def test_a_builder_that_lacks_a_package_says_what_to_install(make_store: MakeStore) -> None:
    def needy(sources: Mapping[str, Path], output: Path, report: Report) -> None:
        import a_package_that_nobody_has  # type: ignore[import-not-found]  # noqa: F401

    with pytest.raises(ModelBuildFailed, match=r"a_package_that_nobody_has.*auscult\[build\]"):
        make_store(needy).build("loud")


def test_an_unknown_builder_is_named(make_store: MakeStore) -> None:
    store = make_store()
    with pytest.raises(ModelBuildFailed, match="unknown builder, 'shout'"):
        ModelStore(store.root, store.manifest, builders={}).build("loud")


def test_a_source_that_cannot_be_had_is_told_as_such(make_store: MakeStore, tmp_path: Path) -> None:
    store = make_store()
    empty = tmp_path / "empty"
    empty.mkdir()

    with pytest.raises(ArtifactUnavailable, match=r"holds no quiet 1\.0"):
        ModelStore(store.root, store.manifest, Fetching(wheel_folder=empty), {"shout": Builder(shout)}).build(
            "loud"
        )


def test_two_that_build_at_once_build_once(make_store: MakeStore) -> None:
    began, go_on = threading.Event(), threading.Event()
    builds: list[Path] = []

    def slow(sources: Mapping[str, Path], output: Path, report: Report) -> None:
        builds.append(output)
        began.set()
        assert go_on.wait(10)
        shout(sources, output, report)

    folders: list[Path] = []
    threads = [
        threading.Thread(target=lambda: folders.append(make_store(slow).build("loud"))) for _ in range(2)
    ]
    threads[0].start()
    assert began.wait(10)
    threads[1].start()
    go_on.set()
    for thread in threads:
        thread.join(10)

    assert len(builds) == 1
    assert len(folders) == 2
    assert folders[0] == folders[1]


def test_who_waits_too_long_for_another_build_is_told(
    make_store: MakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("models.store.LOCK_SECONDS", 0.0)

    def while_building(sources: Mapping[str, Path], output: Path, report: Report) -> None:
        with pytest.raises(ModelBuildFailed, match="Another process has been building loud"):
            make_store().build("loud")
        shout(sources, output, report)

    make_store(while_building).build("loud")


def test_what_an_interrupted_build_left_is_cleared_away(make_store: MakeStore) -> None:
    folder = make_store().build("loud")
    leftover = folder.with_name(f".{folder.name}-abandoned")
    leftover.mkdir()
    (leftover / "half.txt").write_text("half")

    make_store().build("loud", again=True)

    assert visible(make_store()) == [folder.name]


@pytest.fixture
def folder_store(tmp_path: Path) -> ModelStore:
    own = tmp_path / "own"
    own.mkdir()
    (own / "model.onnx").write_bytes(b"graph")
    entry = ModelEntry(
        id="own",
        purpose="embedding",
        title="Own",
        licence="MIT",
        origin=FolderOrigin(kind="folder", path=own),
        files={"model.onnx": file_sha256(own / "model.onnx")},
    )
    return ModelStore(tmp_path / "store", Manifest(models=(entry,)))


def test_a_model_in_a_folder_is_used_where_it_lies(folder_store: ModelStore, tmp_path: Path) -> None:
    assert folder_store.build("own") == tmp_path / "own"
    assert folder_store.path("own") == tmp_path / "own"
    assert folder_store.state("own").size == len(b"graph")


def test_a_model_in_a_folder_is_checked_too(folder_store: ModelStore, tmp_path: Path) -> None:
    (tmp_path / "own" / "model.onnx").write_bytes(b"other")
    with pytest.raises(ModelHashMismatch, match="correct its entry"):
        folder_store.path("own")

    (tmp_path / "own" / "model.onnx").unlink()
    assert not folder_store.state("own").built
    with pytest.raises(ModelMissing, match="Put its files back"):
        folder_store.path("own")


def test_the_default_folder_is_in_the_users_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere/cache")
    assert default_root() == Path("/somewhere/cache/auscult/models")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert default_root() == Path("/home/somebody/.cache/auscult/models")
