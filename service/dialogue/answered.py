"""What an answer asserts about what was asked: "no" to "any fever or cough" denies both."""

from collections.abc import Sequence

from service.dialogue.answers import Answer, Polarity
from service.dialogue.assertions import PARTLY, Assertion
from service.dialogue.experiencer import experiencer_of
from service.dialogue.mentions import Mention
from service.dialogue.presuppositions import presupposed
from service.dialogue.questions import Question
from service.dialogue.stance import DOUBTED, Temporality

_PLAIN = 0.9
_PAST_AUXILIARIES = frozenset("did was were had been ever have has".split())
_GOING_ON = frozenset({"any", "anything"})
_OVER = frozenset("settled gone stopped cleared resolved".split())


def answered(answer: Answer, questions: Sequence[Question]) -> tuple[Assertion, ...]:
    """What an answer asserts about the subjects of the last question, and of those that it continues.

    Only a question for plain presence ("any fever or cough", "have you noticed a rash") is settled by a yes or no: a no
    to "is the cough worse at night" says nothing about the cough. One for presence under a condition ("any pain when
    you swallow") is settled by a yes.
    """
    question = questions[-1]
    polarity = about_subject(answer, question)
    if polarity is None or not (question.presence or (question.conditional and polarity != "no")):
        return ()
    if polarity == "no":
        return tuple(
            _given(mention, answer, one, polarity)
            for one in _one_list(questions)
            for mention in _distinct(one.mentions)
        )
    mentions = _distinct(question.mentions)
    if len(mentions) > 1 and not answer.of_all:
        return ()
    return tuple(_given(mention, answer, question, polarity) for mention in mentions)


def _one_list(questions: Sequence[Question]) -> Sequence[Question]:
    """The questions at the end of a turn that one no denies: "have you had any fever, any chills"."""
    first = len(questions) - 1
    while first and questions[first].words[0] in _GOING_ON and _may_be_listed(questions[first - 1]):
        first -= 1
    return questions[first:]


def _may_be_listed(question: Question) -> bool:
    return question.presence and question.form == "yes_no" and not question.negative


def _distinct(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The subjects asked about; of "allergic to penicillin" only the one that is meant."""
    named = any(mention.subject.endswith(" allergy") for mention in mentions)
    return tuple(mention for mention in mentions if not (named and mention.subject == "allergy"))


def taken_for_granted(question: Question, answer: Answer | None) -> tuple[Assertion, ...]:
    """What an answer leaves standing of what its question took for granted: the cough of "how long have you had it"."""
    if answer is not None and answer.polarity == "no" and question.form == "wh":
        return ()
    return tuple(
        Assertion(mention.subject, mention.category, False, "patient", "current", PARTLY, 0, 0, answer=True)
        for mention in presupposed(question)
    )


def about_subject(answer: Answer, question: Question) -> Polarity | None:
    """What an answer says of the thing asked about; None where the same words may mean either.

    After "so no fever?" both "no" and "that's right" deny it, "I have" affirms it, and a mere "yeah" may do either.
    """
    if not question.negative or answer.polarity != "yes":
        return answer.polarity
    if answer.form == "word":
        return None
    return "yes" if answer.form == "verb" else "no"


def _given(mention: Mention, answer: Answer, question: Question, polarity: Polarity) -> Assertion:
    at = mention.first - question.first
    denied, temporality = _so_now(answer, question, polarity)
    plain = polarity in {"yes", "no"} and answer.explicit and question.presence
    return Assertion(
        mention.subject,
        mention.category,
        denied,
        "family" if answer.relative else experiencer_of(question.words, at, by_staff=True),
        temporality,
        DOUBTED if polarity == "unknown" else _PLAIN if plain else PARTLY,
        0,
        max(answer.words - 1, 0),
        answer=True,
        wide=mention.wide,
    )


def _so_now(answer: Answer, question: Question, polarity: Polarity) -> tuple[bool, Temporality]:
    """Whether the subject is denied, and for when."""
    if not _OVER.isdisjoint(question.words):
        return False, "current" if polarity == "no" else "ended"
    if polarity == "no":
        return (False, "ended") if "still" in question.words else (True, "current")
    was = answer.long_ago or (answer.past and _PAST_AUXILIARIES.isdisjoint(question.words))
    return False, "past" if was or "ever" in question.words else "current"
