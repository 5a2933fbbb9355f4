"""The measures of Korean: sound changes, right, wrong and unsure by sound, clues, stories and echoes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voice_host.lexicon import load_korean_measures
from voice_host.matching.korean import KoreanMeasures
from voice_host.matching.korean_pronounce import pronounce, spoken
from voice_host.matching.korean_text import guesses, hangul, native_korean, sino_korean
from voice_host.matching.words import Fault, Verdict, Word

RIGHT, WRONG, UNSURE = Verdict.RIGHT, Verdict.WRONG, Verdict.UNSURE
DECK = (
    "호랑이",
    "우산",
    "고양이",
    "물고기",
    "돼지",
    "색연필",
    "국물",
    "독수리",
    "비행기",
    "곰",
    "자전거",
    "아이스크림",
)

STANDARD = """
국물 궁물|신라 실라|독립 동닙|심리 심니|종로 종노|칼날 칼랄|옷이 오시|닭을 달글|값이 갑씨|굳이 구지|같이 가치|붙이다 부치다|놓고 노코|축하 추카
많이 마니|입학 이팍|앉히다 안치다|굳히다 구치다|좋아 조아|낳은 나은|싫어 시러|닿소 다쏘|놓는 논는|뚫네 뚤레|학교 학꾜|국밥 국빱|옷고름 옫꼬름|밭 받
부엌 부억|앞 압|넋 넉|앉다 안따|여덟 여덜|넓다 널따|밟다 밥따|핥다 할따|맑게 말께|닭 닥|삶 삼|없다 업따|먹는 멍는|닫는 단는|잡는 잠는|밥물 밤물
꽃망울 꼰망울|난로 날로|대관령 대괄령|가져 가저|희망 히망|강릉 강능|막론 망논|협력 혐녁|맏형 마텽|닫혀 다처|꽂히다 꼬치다|넓히다 널피다|못하다 모타다
있어 이써|깎아 까까|앉아 안자|핥이다 할치다|벼훑이 벼훌치|읽다 익따|읊다 읍따|몫이 목씨|닳아 다라|쌓네 싼네|뻗대다 뻗때다|호랑이 호랑이|우산 우산
낚싯대 낙씯때|전화 전화|않네 안네|끓이다 끄리다|밖 박|꽃다발 꼳따발|옷 옫|고양이 고양이|십리 심니|있는 인는|짓는 진는|값만 감만|흙만 흥만|밟는 밤는
젖먹이 전머기|쫓는 쫀는|붙여 부처|무늬 무니
"""


def word(text: str, *forms: str) -> Word:
    return Word(id=text, text=text, forms=forms)


@pytest.fixture(scope="module")
def measures() -> KoreanMeasures:
    return load_korean_measures([word(text) for text in DECK])


@pytest.mark.parametrize("pair", STANDARD.replace("\n", "|").strip("|").split("|"))
def test_standard_pronunciation(pair: str) -> None:
    written, said = pair.split()
    assert spoken(written) == said


def test_a_compound_may_also_have_an_n_between_its_parts() -> None:
    assert pronounce("생년필")[0] in pronounce("색연필")


@pytest.mark.parametrize(
    ("one", "other"), [("개", "게"), ("왜", "외"), ("되지", "돼지"), ("웬", "왠"), ("궁물", "국물")]
)
def test_what_sounds_the_same_is_at_no_distance(measures: KoreanMeasures, one: str, other: str) -> None:
    assert measures.distance(one, other) == 0.0


@pytest.mark.parametrize(
    ("near", "far"),
    [
        (("공", "콩"), ("공", "봉")),
        (("달", "딸"), ("달", "살")),
        (("방", "빵"), ("방", "강")),
        (("의사", "이사"), ("의사", "야사")),
        (("산", "상"), ("산", "살")),
        (("전화", "저나"), ("전화", "저가")),
    ],
)
def test_related_sounds_are_nearer(measures: KoreanMeasures, near: tuple[str, str], far: tuple[str, str]) -> None:
    assert measures.distance(*near) < measures.distance(*far)


@pytest.mark.parametrize(
    ("hidden", "reading"),
    [
        ("호랑이", "호랑이"),
        ("호랑이", "호랑이는"),
        ("호랑이", "호랑이예요"),
        ("호랑이", "호 랑 이"),
        ("우산", "정답은 우산"),
        ("우산", "정답 은 우산"),
        ("우산", "우산이"),
        ("우산", "우산인가요?"),
        ("우산", "음, 우산이야"),
        ("우산", "우산을"),
        ("고양이", "혹시 고양이일까"),
        ("고양이", "고양이 아니면 호랑이"),
        ("돼지", "되지"),
        ("물고기", "물꼬기"),
        ("국물", "궁물"),
        ("비행기", "제 생각에는 비행기 같아요"),
        ("비행기", "비행기 비행기"),
        ("음료수", "음료수"),
        ("삼", "3"),
        ("세 마리", "3마리"),
        ("스물", "20"),
        ("티브이", "TV"),
    ],
)
def test_the_same_word_by_sound_is_right(measures: KoreanMeasures, hidden: str, reading: str) -> None:
    assert measures.judge([reading], word(hidden)).verdict is RIGHT


@pytest.mark.parametrize(
    ("hidden", "reading"),
    [
        ("호랑이", "고양이"),
        ("우산", "음"),
        ("우산", ""),
        ("우산", "Thank you"),
        ("비행기", "시청해주셔서 감사합니다"),
        ("달", "별"),
    ],
)
def test_another_word_is_wrong(measures: KoreanMeasures, hidden: str, reading: str) -> None:
    assert measures.judge([reading], word(hidden)).verdict is WRONG


@pytest.mark.parametrize(("hidden", "reading"), [("곰", "북극곰"), ("불고기", "물고기"), ("공", "콩")])
def test_a_longer_name_and_a_near_real_word_are_not_right(measures: KoreanMeasures, hidden: str, reading: str) -> None:
    assert measures.judge([reading], word(hidden)).verdict is not RIGHT


@pytest.mark.parametrize(
    ("clue", "hidden", "fault"),
    [
        ("물고기", "물고기", Fault.CONTAINS),
        ("물고기들이", "물고기", Fault.CONTAINS),
        ("말", "얼룩말", Fault.CONTAINS),
        ("얼룩말", "말", Fault.CONTAINS),
        ("불고기", "물고기", Fault.DERIVED),
        ("사자는", "상자", Fault.SOUNDS_LIKE),
        ("바다", "물고기", None),
        ("", "물고기", None),
    ],
)
def test_clues_that_break_the_rules(measures: KoreanMeasures, clue: str, hidden: str, fault: Fault | None) -> None:
    assert measures.clue_fault(clue, word(hidden)) is fault


def test_a_story_mentions_words_with_any_particle_by_sound_whatever_its_spaces(measures: KoreanMeasures) -> None:
    wanted = [word(text) for text in ("호랑이", "우산", "물고기", "배", "돼지", "고기")]
    story = "호랑이가 우산 을 쓰고 물 고기를 담배와 배를 먹었다 되지가"
    assert measures.mentioned(story, wanted) == {"호랑이", "우산", "물고기", "배", "돼지"}


def test_a_short_word_inside_a_longer_one_is_no_mention(measures: KoreanMeasures) -> None:
    assert measures.mentioned("담배를 피웠다", [word("배")]) == frozenset()


@pytest.mark.parametrize(
    ("heard", "text", "same"),
    [("호랑이는", "호랑이", True), ("되지", "돼지", True), ("고양이", "고양", False), ("호랑이", "우산", False)],
)
def test_same_word(measures: KoreanMeasures, heard: str, text: str, *, same: bool) -> None:
    assert measures.same_word(heard, text) is same


@pytest.mark.parametrize(
    ("reading", "echo"),
    [("호랑이는", "호랑이"), ("정답은 우산이야", "우산"), ("되지", "돼지"), ("고양이", "고양이"), ("음", ""), ("", "")],
)
def test_the_echo_is_the_noun(measures: KoreanMeasures, reading: str, echo: str) -> None:
    assert measures.spoken_guess([reading]) == echo


@pytest.mark.parametrize(
    ("number", "sino", "native"),
    [
        (1, "일", ("하나", "한")),
        (3, "삼", ("셋", "세")),
        (10, "십", ("열",)),
        (14, "십사", ("열넷", "열네")),
        (20, "이십", ("스물", "스무")),
        (99, "구십구", ("아흔아홉",)),
        (100, "백", ()),
        (1234, "천이백삼십사", ()),
        (20000, "이만", ()),
    ],
)
def test_both_systems_of_numbers(number: int, sino: str, native: tuple[str, ...]) -> None:
    assert sino_korean(number) == sino
    assert native_korean(number) == native


def test_a_foreign_word_has_no_hangul() -> None:
    assert hangul("Hello") == ()


def test_hesitation_is_no_guess() -> None:
    assert guesses("음 어 저") == ()


def test_words_off_the_deck_and_an_empty_deck_can_be_judged() -> None:
    measures = load_korean_measures()
    assert measures.judge(["고래"], word("고래")).verdict is RIGHT


texts = st.sampled_from([*DECK, "고래", "사자", "노트북 컴퓨터", "14년", "TV"])


@given(one=texts, other=texts)
@settings(max_examples=60, deadline=None)
def test_distance_is_symmetric_and_zero_to_itself(measures: KoreanMeasures, one: str, other: str) -> None:
    assert measures.distance(one, one) == 0.0
    assert measures.distance(one, other) == pytest.approx(measures.distance(other, one))


@given(text=st.sampled_from(DECK), hidden=texts)
@settings(max_examples=40, deadline=None)
def test_spaces_change_nothing(measures: KoreanMeasures, text: str, hidden: str) -> None:
    parted = text[0] + " " + text[1:]
    assert measures.distance(parted, hidden) == measures.distance(text, hidden)


@given(st.text(max_size=20))
@settings(max_examples=60, deadline=None)
def test_any_text_gets_a_verdict(measures: KoreanMeasures, text: str) -> None:
    judged = measures.judge([text], word("호랑이"))
    assert measures.judge([text], word("호랑이")) == judged


@given(st.text(alphabet=st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), max_size=8))
@settings(deadline=None)
def test_every_hangul_text_has_a_sound(text: str) -> None:
    assert len(spoken(text)) == len(text)
    assert bool(pronounce(text)) == bool(text)
