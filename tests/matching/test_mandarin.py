"""The measures of Mandarin: right, wrong and unsure by sound, clues, stories and echoes, in both scripts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voice_host.lexicon import load_mandarin_measures
from voice_host.matching.mandarin import MandarinMeasures
from voice_host.matching.words import Fault, Verdict, Word

RIGHT, WRONG, UNSURE = Verdict.RIGHT, Verdict.WRONG, Verdict.UNSURE
DECK = (
    "長頸鹿",
    "銀行",
    "蝸牛",
    "頭髮",
    "火車",
    "獅子",
    "豬",
    "狗",
    "熊",
    "飛機",
    "葡萄",
    "垃圾",
    "音樂",
    "自行車",
    "三角形",
)
PAIRS = (
    ("長頸鹿", "长颈鹿"),
    ("銀行", "银行"),
    ("頭髮", "头发"),
    ("飛機", "飞机"),
    ("豬", "猪"),
    ("音樂", "音乐"),
    ("自行車", "自行车"),
)


def word(text: str, *forms: str) -> Word:
    return Word(id=text, text=text, forms=forms)


@pytest.fixture(scope="module")
def measures() -> MandarinMeasures:
    return load_mandarin_measures([word(text) for text in DECK])


@pytest.mark.parametrize(
    ("hidden", "reading"),
    [
        ("長頸鹿", "長頸鹿"),
        ("長頸鹿", "长颈鹿。"),
        ("長頸鹿", "長 頸 鹿"),
        ("長頸鹿", "長景路"),
        ("豬", "珠"),
        ("狗", "是不是一隻狗嗎"),
        ("狗", "我覺得是一只狗吧"),
        ("狗", "嗯，狗"),
        ("火車", "應該是一輛火車"),
        ("火車", "火車還是汽車"),
        ("火車", "火車火車"),
        ("蝸牛", "瓜牛"),
        ("垃圾", "樂色"),
        ("獅子", "獅子呢"),
        ("花", "花兒"),
        ("三", "3"),
        ("四十二", "42"),
        ("T恤", "t恤"),
        ("葡萄", "葡桃"),
    ],
)
def test_the_same_word_by_sound_is_right(measures: MandarinMeasures, hidden: str, reading: str) -> None:
    assert measures.judge([reading], word(hidden)).verdict is RIGHT


@pytest.mark.parametrize(
    ("hidden", "reading"),
    [
        ("火車", "汽車"),
        ("銀行", "一行"),
        ("老鼠", "老師"),
        ("豬", "鼠"),
        ("狗", "貓"),
        ("狗", "嗯"),
        ("狗", ""),
        ("狗", "Hello there"),
        ("飛機", "司機"),
        ("長頸鹿", "謝謝觀看"),
    ],
)
def test_another_word_is_wrong(measures: MandarinMeasures, hidden: str, reading: str) -> None:
    assert measures.judge([reading], word(hidden)).verdict is WRONG


@pytest.mark.parametrize(("hidden", "reading"), [("熊", "北極熊"), ("床", "船"), ("火車", "貨車")])
def test_a_longer_name_and_a_near_real_word_are_not_right(
    measures: MandarinMeasures, hidden: str, reading: str
) -> None:
    assert measures.judge([reading], word(hidden)).verdict is not RIGHT


@pytest.mark.parametrize(
    ("near", "far"),
    [
        (("獅子", "師子"), ("獅子", "柿子")),
        (("知", "資"), ("知", "基")),
        (("吃", "疵"), ("吃", "七")),
        (("書", "蘇"), ("書", "須")),
        (("牛奶", "流奶"), ("牛奶", "球奶")),
        (("飛機", "灰機"), ("飛機", "雞機")),
        (("心", "星"), ("心", "西")),
        (("山", "傷"), ("山", "書")),
        (("媽", "馬"), ("媽", "波")),
    ],
)
def test_accents_and_tones_are_nearer_than_other_sounds(
    measures: MandarinMeasures, near: tuple[str, str], far: tuple[str, str]
) -> None:
    assert measures.distance(*near) < measures.distance(*far)


@pytest.mark.parametrize(("one", "other"), [("豬", "朱"), ("銀行", "银行"), ("長", "掌"), ("是", "事"), ("和", "寒")])
def test_homophones_are_at_no_distance(measures: MandarinMeasures, one: str, other: str) -> None:
    if one != "和":
        assert measures.distance(one, other) == 0.0
    else:
        assert measures.distance(one, other) < 0.2, "Taiwan says hàn"


@pytest.mark.parametrize(
    ("text", "sound"),
    [
        ("銀行", "in2 hang2"),
        ("行人", "xing2 ren2"),
        ("長頸鹿", "chang2 jing3 lu4"),
        ("校長", "xiao4 zhang3"),
        ("音樂", "in1 üe4"),
        ("快樂", "kuai4 le4"),
        ("女兒", "nü3 er2"),
        ("42", "sï4 shï2 er4"),
        ("KTV", "kai4 ti4 ui1"),
    ],
)
def test_text_sounds_as_a_dictionary_says(measures: MandarinMeasures, text: str, sound: str) -> None:
    assert measures.speech.spell(measures.speech.phrase(text)[0]) == sound


@pytest.mark.parametrize(
    ("clue", "hidden", "fault"),
    [
        ("飞机", "飛機", Fault.CONTAINS),
        ("坐飛機", "飛機", Fault.CONTAINS),
        ("汽车", "火車", Fault.DERIVED),
        ("鸡肉", "飛機", Fault.SOUNDS_LIKE),
        ("石子", "獅子", Fault.SOUNDS_LIKE),
        ("鼻子", "椅子", None),
        ("天空", "飛機", None),
        ("", "飛機", None),
    ],
)
def test_clues_that_break_the_rules(measures: MandarinMeasures, clue: str, hidden: str, fault: Fault | None) -> None:
    assert measures.clue_fault(clue, word(hidden)) is fault


def test_a_story_mentions_words_by_characters_and_by_sound_whatever_its_spaces(measures: MandarinMeasures) -> None:
    wanted = [word(text) for text in ("山", "火山", "長頸鹿", "銀行", "火車", "飛機")]
    story = "我 看到 一座火山，山上有一只长景路和银 行，还有火车站"
    assert measures.mentioned(story, wanted) == {"山", "火山", "長頸鹿", "銀行", "火車"}


def test_a_single_character_inside_a_longer_word_is_no_mention(measures: MandarinMeasures) -> None:
    assert measures.mentioned("火山爆發", [word("山")]) == frozenset()


@pytest.mark.parametrize(
    ("heard", "text", "same"),
    [("猪", "豬", True), ("一隻狗", "狗", True), ("花儿", "花", True), ("狗", "貓", False), ("師", "獅子", False)],
)
def test_same_word(measures: MandarinMeasures, heard: str, text: str, *, same: bool) -> None:
    assert measures.same_word(heard, text) is same


@pytest.mark.parametrize(
    ("reading", "echo"),
    [("是不是长颈鹿", "長頸鹿"), ("长景路", "長頸鹿"), ("我猜电脑", "電腦"), ("干净", "乾淨"), ("嗯", ""), ("", "")],
)
def test_the_echo_is_the_card_s_word_or_traditional_where_certain(
    measures: MandarinMeasures, reading: str, echo: str
) -> None:
    assert measures.spoken_guess([reading]) == echo


def test_the_echo_keeps_what_is_not_certain(measures: MandarinMeasures) -> None:
    assert measures.spoken_guess(["发"]) == "发", "髮 or 發"


def test_a_likely_lower_reading_counts_more_than_an_unlikely_one(measures: MandarinMeasures) -> None:
    readings = ["汽車", "火車"]
    likely = measures.judge(readings, word("火車"), [0.4, 0.35])
    unlikely = measures.judge(readings, word("火車"), [0.9, 0.0001])
    assert likely.cost < unlikely.cost


def test_words_off_the_deck_and_an_empty_deck_can_be_judged() -> None:
    measures = load_mandarin_measures()
    assert measures.judge(["鯨魚"], word("鯨魚")).verdict is RIGHT


texts = st.sampled_from([*DECK, "汽車", "朱", "老師", "貓", "椅子", "42", "電視機"])


@given(one=texts, other=texts)
@settings(max_examples=60, deadline=None)
def test_distance_is_symmetric_and_zero_to_itself(measures: MandarinMeasures, one: str, other: str) -> None:
    assert measures.distance(one, one) == 0.0
    assert measures.distance(one, other) == pytest.approx(measures.distance(other, one))


@given(text=texts, gap=st.sampled_from([" ", "  ", "\u3000"]), hidden=texts)
@settings(max_examples=40, deadline=None)
def test_spaces_change_nothing(measures: MandarinMeasures, text: str, gap: str, hidden: str) -> None:
    if text == "42":
        return  # "4 2" are two numbers
    assert measures.judge([gap.join(text)], word(hidden)) == measures.judge([text], word(hidden))


@given(pair=st.sampled_from(PAIRS), hidden=texts)
@settings(max_examples=40, deadline=None)
def test_the_script_changes_nothing(measures: MandarinMeasures, pair: tuple[str, str], hidden: str) -> None:
    verdicts = {measures.judge([one], word(hidden)).verdict for one in pair}
    assert len(verdicts) == 1


@given(st.text(max_size=20))
@settings(max_examples=60, deadline=None)
def test_any_text_gets_a_verdict(measures: MandarinMeasures, text: str) -> None:
    judged = measures.judge([text], word("長頸鹿"))
    assert judged.verdict in Verdict
    assert measures.judge([text], word("長頸鹿")) == judged
