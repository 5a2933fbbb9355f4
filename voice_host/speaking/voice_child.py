"""The child process that speaks: one JSON request a line on stdin, one JSON answer a line on stdout.

Theory of operation
-------------------
It is started by its file's path and imports nothing of ours, so that it is up in a tenth of a second and a folder named
like one of our packages in the working directory cannot break it. The driver prints on stdout, and the library can end
the process outright (a missing phoneme table) or never return: so the protocol has a descriptor of its own, whatever is
printed is lost, and the parent watches from outside. On macOS the system's driver insists on the main thread, which is
the only one here. At the end of stdin the parent is gone: the child removes the folder of its sound files and ends.

    started     -> {"engine": "espeak 1.52.0", "voice": "gmw/en-us"}  or  {"error": "one sentence with the remedy"}
    {"text": "Good night.", "rate": 175, "file": "/…/1.wav"}  -> {"file": "/…/1.wav"}  or  {"error": "…"}
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import shutil
import sys
import time
import wave
from pathlib import Path
from typing import Any, Final, TextIO

ESPEAK_VARIABLE: Final = "VOICE_HOST_ESPEAK_FOLDER"
"""Environment variable: take libespeak-ng.so.1 and espeak-ng-data from this folder and from nowhere else."""

INSTALL: Final = "install it with `pip install espeakng-loader` or `apt-get install libespeak-ng1`"

_ESPEAK_LANGUAGES: Final = {"en": "gmw/en-us", "ko": "ko", "zh-Hant": "sit/cmn"}

_SYSTEM_LANGUAGES: Final = {"en": ("en_us", "en"), "ko": ("ko",), "zh-Hant": ("zh_tw", "zh_hk", "zh")}
"""How the voices of macOS and Windows name our languages, best first."""

_FILE_SECONDS: Final = 20.0
"""How long a sound file may take to appear after the driver said that it was done; the parent's watchdog is shorter."""


_ATTEMPTS: Final = 3
"""How often a text is tried that gives no sound at all, before it is taken to have none."""


class NoVoiceError(Exception):
    """Nothing here can speak; the message says what to do."""


def _bundled_espeak() -> Path | None:
    """Return the folder of the library that is to be used, or None to leave the search to the system."""
    chosen = os.environ.get(ESPEAK_VARIABLE)
    if chosen:
        return Path(chosen)
    found = importlib.util.find_spec("espeakng_loader")
    return Path(found.origin).parent if found and found.origin else None


def _load_espeak(folder: Path) -> bool:
    """Load libespeak-ng from a folder, so that the driver's own search finds it loaded; tell whether that worked."""
    data = folder / "espeak-ng-data"
    if not (data / "phontab").is_file():
        return False  # the library would end this process without a word
    try:
        ctypes.CDLL(str(folder / "libespeak-ng.so.1"))
    except OSError:
        return False
    os.environ["ESPEAK_DATA_PATH"] = str(data)
    return True


def _open_engine() -> Any:
    """Return the driver's engine, speaking through the system's voices on macOS and Windows and through espeak elsewhere."""
    if sys.platform not in {"darwin", "win32"}:
        folder = _bundled_espeak()
        loaded = folder is not None and _load_espeak(folder)
        if not loaded and os.environ.get(ESPEAK_VARIABLE):
            raise NoVoiceError(f"The voice library espeak-ng is not in {folder}; unset {ESPEAK_VARIABLE} or {INSTALL}.")
    try:
        import pyttsx3

        engine = pyttsx3.init()
    except ImportError as error:
        raise NoVoiceError(
            f"The voice driver pyttsx3 cannot be imported ({error}); install it with `pip install pyttsx3`."
        ) from error
    except Exception as error:
        raise NoVoiceError(f"The voice library espeak-ng cannot be used ({_sentence(error)}); {INSTALL}.") from error
    _let_finish()
    return engine


def _let_finish() -> None:
    """Keep pyttsx3's espeak driver from cancelling what it has just begun.

    At the end of each `runAndWait` pyttsx3 2.99 stops the driver, which cancels espeak if it is busy: under load that hit 1 to 12 % of
    the texts, whose files were then empty (0 of 500 without the stop). We only write files, so there is nothing to stop.
    """
    driver = sys.modules.get("pyttsx3.drivers.espeak")
    if driver is not None:
        driver.EspeakDriver.stop = lambda _driver: None


def _sentence(error: Exception) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__


def _espeak_version() -> tuple[int, ...]:
    """Return the version of the loaded espeak library, e.g. (1, 52, 0)."""
    library = ctypes.CDLL("libespeak-ng.so.1")
    library.espeak_Info.restype = ctypes.c_char_p
    parts = library.espeak_Info(None).decode().split()[0].split(".")
    return tuple(int(part) for part in parts if part.isdigit())


def _espeak_voice(language: str, version: tuple[int, ...]) -> str | None:
    """Return espeak's voice for a language; before 1.52 the Mandarin voice spells characters as English letters."""
    if language == "zh-Hant" and version < (1, 52):
        return "sit/cmn-latn-pinyin"
    return _ESPEAK_LANGUAGES.get(language)


def _system_voice(language: str, voices: list[Any]) -> str | None:
    """Return the id of the first voice of macOS or Windows that speaks the language."""
    for wanted in _SYSTEM_LANGUAGES.get(language, (language.lower(),)):
        for voice in voices:
            spoken = [str(code).lower().replace("-", "_") for code in voice.languages or []]
            if any(code.startswith(wanted) for code in spoken):
                return str(voice.id)
    return None


def _choose_voice(engine: Any, language: str, voice: str) -> tuple[str, str]:
    """Return the name of the engine and the id of the voice; raises `NoVoiceError` when there is no such voice."""
    voices = list(engine.getProperty("voices"))
    name = "espeak" if sys.platform not in {"darwin", "win32"} else sys.platform
    chosen: str | None = voice or None
    if name == "espeak":
        version = _espeak_version()
        name += " " + ".".join(map(str, version))
        chosen = chosen or _espeak_voice(language, version)
    chosen = chosen or _system_voice(language, voices)
    if chosen is None:
        raise NoVoiceError(
            f"There is no voice for the language {language}; install one in the system's speech settings."
        )
    ids = {str(known.id).lower() for known in voices}
    if chosen.split("+")[0].lower() not in ids:
        raise NoVoiceError(
            f"There is no voice {chosen!r}; choose another one, e.g. {min(ids, default='none is installed')!r}."
        )
    return name, chosen


def _frames(path: Path) -> int | None:
    """Return the frames of a sound file, None until the driver has written it whole: it may say too early that it is done."""
    try:
        size = path.stat().st_size
        with wave.open(str(path), "rb") as sound:
            frames: int = sound.getnframes()
            return frames if size >= frames * sound.getsampwidth() * sound.getnchannels() else None
    except (OSError, EOFError):
        return None
    except wave.Error:  # macOS writes AIFF: whole when it stops growing
        time.sleep(0.05)
        return size if 0 < size == path.stat().st_size else None


def _written(engine: Any, voice: str, request: dict[str, Any]) -> int:
    """Have the driver write the file and return its frames; a queue without text would never return, so there is none."""
    path = Path(request["file"])
    path.unlink(missing_ok=True)
    engine.setProperty("voice", voice)
    engine.setProperty("rate", int(request["rate"]))
    engine.save_to_file(request["text"], str(path))
    engine.runAndWait()
    deadline = time.monotonic() + _FILE_SECONDS
    while (frames := _frames(path)) is None:
        if time.monotonic() > deadline:
            raise TimeoutError("it wrote no sound file")
        time.sleep(0.005)
    return frames


def _speak(engine: Any, voice: str, request: dict[str, Any]) -> dict[str, str]:
    """Carry out one request; a file without any sound is tried again."""
    for _ in range(_ATTEMPTS):
        if _written(engine, voice, request):
            break
    return {"file": request["file"]}


def _protocol() -> TextIO:
    """Take stdout for the protocol alone; what libraries print there (a line for each file) is lost from now on."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return answers


def main(language: str, voice: str, folder: str) -> None:
    """Serve requests until stdin ends; the folder is removed then."""
    answers = _protocol()

    def answer(values: dict[str, str]) -> None:
        answers.write(json.dumps(values) + "\n")
        answers.flush()

    try:
        engine = _open_engine()
        name, voice = _choose_voice(engine, language, voice)
    except NoVoiceError as error:
        answer({"error": str(error)})
        return
    answer({"engine": name, "voice": voice})
    for line in sys.stdin.buffer:
        try:
            answer(_speak(engine, voice, json.loads(line)))
        except Exception as error:  # noqa: BLE001 - the next request may work, and the parent decides what a failure means
            answer({"error": f"The voice driver failed: {_sentence(error)}."})
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:4])
    sys.stderr.flush()
    os._exit(0)  # espeak's exit handlers may abort after everything is done
