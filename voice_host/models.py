"""The recogniser models: which there are, where on this machine they lie, and whether they are whole.

Nothing here touches the network. A model is looked for, in this order, in the folders that VOSK_MODEL_PATH names, in our
own folder, in the folders where Vosk keeps its models, and in the Python packages that bring it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import platformdirs

from voice_host.disk import sha256_of
from voice_host.errors import HostError
from voice_host.resources import folder as resource_folder
from voice_host.vosk_files import SPEAKER_ENGINE, speaker_faults, trial_fault, vosk_faults

RECORD: Final = ".voice-host.json"
"""Written beside the files of an unpacked archive: what they were when they were unpacked."""
_TAGS: Final = {"en": "en", "zh-Hant": "cn", "ko": "ko"}
"""Language -> how the names of Vosk's models call it."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """What one file of a model must be."""

    size: int
    "bytes"
    sha256: str


@dataclass(frozen=True, slots=True)
class Package:
    """The Python packages that bring a model."""

    requirements: tuple[str, ...]
    "as pip takes them"
    parts: Mapping[str, tuple[str, ...]]
    "file of the model -> the packages' files that make it, one after the other, from the folder of packages on"
    folder: str | None
    "where the files lie as they are; None where they must be put together first"


@dataclass(frozen=True, slots=True)
class Archive:
    """The zip archive that brings a model."""

    url: str
    size: int
    "bytes"
    sha256: str


@dataclass(frozen=True, slots=True)
class Model:
    """One entry of the catalogue."""

    name: str
    engine: str
    languages: Mapping[str, int]
    "language -> per cent of clear single words heard exactly; 0: never measured"
    quality: str
    license: str
    size: int
    "bytes on disk"
    package: Package | None = None
    archive: Archive | None = None
    files: Mapping[str, ModelFile] = field(default_factory=dict)
    "empty where they are only known once the archive is unpacked"


@dataclass(frozen=True, slots=True)
class Found:
    """A model that is on this machine."""

    model: Model
    folder: Path
    "where it lies, or will lie once its parts, which are here, have been put together"


def read_catalog(path: Path | None = None) -> tuple[Model, ...]:
    """Read models/catalog.toml or another file of its form; of two models of a language the better one stands first."""
    path = path or resource_folder("models") / "catalog.toml"
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["model"]
        return tuple(_model(entry) for entry in entries)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise HostError(
            f"The catalogue of models {path} cannot be read ({error}); install voice-host again."
        ) from error


def _model(entry: Mapping[str, Any]) -> Model:
    files = {name: ModelFile(**values) for name, values in entry.get("files", {}).items()}
    package = None
    if "package" in entry:
        given = entry["package"]
        place = given.get("folder")
        parts = given.get("parts") or {name: [f"{place}/{name}"] for name in files}
        package = Package(tuple(given["requirements"]), {name: tuple(some) for name, some in parts.items()}, place)
    return Model(
        name=entry["name"],
        engine=entry["engine"],
        languages=dict(entry["languages"]),
        quality=entry["quality"],
        license=entry["license"],
        size=entry["size"],
        package=package,
        archive=Archive(**entry["archive"]) if "archive" in entry else None,
        files=files,
    )


# --------------------------------------------------------------------------------------------------------------- where


def models_folder() -> Path:
    """Return the folder into which models are installed: VOICE_HOST_MODELS, or one among the user's data."""
    wished = os.environ.get("VOICE_HOST_MODELS")
    return Path(wished).expanduser() if wished else Path(platformdirs.user_data_dir("voice-host")) / "models"


def wished_folders() -> tuple[Path, ...]:
    """Return what VOSK_MODEL_PATH names, each a model or a folder of models."""
    return tuple(Path(part) for part in os.environ.get("VOSK_MODEL_PATH", "").split(os.pathsep) if part)


def search_folders() -> tuple[Path, ...]:
    """Return the folders that may hold folders of models, the user's own wish first."""
    home = Path.home()
    vosk = (home / ".cache" / "vosk", home / "AppData" / "Local" / "vosk", Path("/usr/share/vosk"))
    return (*wished_folders(), models_folder(), *vosk)


def installed(name: str) -> Path | None:
    """Return the folder of the catalogue's model of that name, whole or not, or None when it is not on this machine."""
    for model in read_catalog():
        if model.name == name:
            return locate(model)
    return None


def locate(model: Model) -> Path | None:
    """Return the folder of a model, whole or not, or None when it is not on this machine."""
    for parent in search_folders():
        if parent.name == model.name and parent in wished_folders():
            return parent
        if (parent / model.name).is_dir():
            return parent / model.name
    if model.package is None or model.package.folder is None:
        return None
    inside = packaged(model.package.folder)
    return inside if inside is not None and inside.is_dir() else None


def packaged(path: str) -> Path | None:
    """Return where a path that begins with an importable package's name lies; nothing of the package is run."""
    top, _, rest = path.partition("/")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations))) / rest


def parts_present(model: Model) -> bool:
    """Tell whether the packages that a model is put together from are installed, so that no network is needed."""
    if model.package is None:
        return False
    places = [packaged(part) for parts in model.package.parts.values() for part in parts]
    return all(place is not None and place.is_file() for place in places)


def place_of(model: Model) -> Path | None:
    """Return where a model lies, or will lie once its parts are put together, or None when something must be fetched."""
    return locate(model) or (models_folder() / model.name if parts_present(model) else None)


def unlisted(language: str) -> tuple[Path, ...]:
    """Return the folders of Vosk models for the language that the catalogue does not know, the likely better ones first."""
    known = {model.name for model in read_catalog()}
    found: list[Path] = []
    for parent in search_folders():
        if parent in wished_folders() and (parent / "am").is_dir() and parent.name not in known:
            found.append(parent)
        if parent.is_dir():
            named = [path for path in parent.iterdir() if _TAGS.get(language) in path.name.split("-")]
            # Big models are named without "small": they hear better, and whoever fetched one wants it.
            some = [path for path in named if path.name not in known and (path / "am" / "final.mdl").is_file()]
            found.extend(sorted(some, key=lambda path: ("small" in path.name, path.name)))
    return tuple(dict.fromkeys(found))


# ---------------------------------------------------------------------------------------------------------- which best


def ranked(language: str, engine: str | None = None) -> tuple[Model, ...]:
    """Return the catalogue's models that play the language, the one that hears best first."""
    some = [m for m in read_catalog() if language in m.languages and engine in (None, m.engine)]
    return tuple(sorted(some, key=lambda model: -model.languages[language]))


def best_for(language: str, engine: str | None = None) -> Found | None:
    """Return the best installed model for the language, of any engine or of one; None when there is none.

    A Vosk model that the catalogue does not know is what the user fetched on purpose: with the engine ``vosk`` it goes
    before the catalogue's; without a named engine it is taken only where nothing else is installed.
    """
    listed = [Found(model, place) for model in ranked(language, engine) if (place := place_of(model)) is not None]
    strangers = [_stranger(path, language) for path in unlisted(language)] if engine in (None, "vosk") else []
    candidates = [*strangers, *listed] if engine == "vosk" else [*listed, *strangers]
    return candidates[0] if candidates else None


def _stranger(path: Path, language: str) -> Found:
    """Return a Vosk model that the catalogue does not know in the catalogue's terms."""
    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return Found(Model(path.name, "vosk", {language: 0}, "not in the catalogue", "not known", size), path)


def advice(language: str) -> str | None:
    """Return one sentence that says how to get a better model than the best installed one, or None when there is none."""
    best = best_for(language)
    for model in ranked(language):
        if best is not None and model.languages[language] <= best.model.languages.get(language, 0):
            return None
        if place_of(model) is None:
            share = f" ({model.languages[language]} % of single words)" if model.languages[language] else ""
            return f"{model.name} hears more{share}; run: voice-host models install {model.name}"
    return None


def install_command(language: str, engine: str | None = None) -> str:
    """Return the command that installs the best model for the language, for the sentence that says none is there."""
    models = ranked(language, engine)
    return f"voice-host models install {models[0].name if models else language}"


# --------------------------------------------------------------------------------------------------------------- whole


def verify(model: Model, folder: Path | None = None, *, digests: bool = True) -> tuple[str, ...]:
    """Return what is wrong with an installed model, a phrase for each fault; nothing when it is whole.

    Compares every byte with what was written down (4 s per GB); a Vosk model of which nothing was written down is tried
    in a process of its own, because native code dies of a garbled file. Without ``digests`` only sizes and the files'
    beginnings and ends are looked at.
    """
    folder = folder or locate(model)
    if folder is None:
        return parts_faults(model, digests=digests) if parts_present(model) else ("it is not installed",)
    faults: list[str] = []
    for name, expected in (model.files or read_record(folder)).items():
        fault = _fault([folder / name], expected, digests=digests)
        if fault:
            faults.append(f"{name} {fault}")
    if not faults and model.engine == "vosk":
        faults.extend(vosk_faults(folder))
    if not faults and model.engine == SPEAKER_ENGINE:
        faults.extend(speaker_faults(folder))
    if not faults and digests and model.engine in ("vosk", SPEAKER_ENGINE) and not digests_known(model, folder):
        faults.extend(filter(None, [trial_fault(folder, model.engine)]))
    return tuple(faults)


def parts_faults(model: Model, *, digests: bool = True) -> tuple[str, ...]:
    """Return what is wrong with the parts of a model that its packages hold."""
    parts = model.package.parts if model.package is not None else {}
    faults = []
    for name, pieces in parts.items():
        places = [place for place in map(packaged, pieces) if place is not None]
        fault = _fault(places, model.files[name], digests=digests)
        if fault:
            faults.append(f"{name} {fault}")
    return tuple(faults)


def _fault(pieces: Sequence[Path], expected: ModelFile, *, digests: bool) -> str | None:
    """Return what is wrong with one file, given in its pieces."""
    try:
        size = sum(piece.stat().st_size for piece in pieces)
        if size != expected.size:
            return f"has {size} bytes instead of {expected.size}"
        if digests and sha256_of(*pieces) != expected.sha256:
            return "is not what it was when it was made (its sha256 differs)"
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return None


def read_record(folder: Path) -> dict[str, ModelFile]:
    """Return what was written down when the archive was unpacked; nothing for a folder that somebody else made."""
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        return {name: ModelFile(**values) for name, values in record["files"].items()}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def digests_known(model: Model, folder: Path) -> bool:
    """Tell whether `verify` can compare every byte of a folder, or only look at how its files begin and end."""
    return bool(model.files or read_record(folder))


def record_files(folder: Path, source: str, archive_sha256: str) -> None:
    """Write down what the files of an unpacked archive are, for `verify` later."""
    files = {
        path.relative_to(folder).as_posix(): {"size": path.stat().st_size, "sha256": sha256_of(path)}
        for path in sorted(_files(folder))
    }
    record = {"source": source, "archive_sha256": archive_sha256, "files": files}
    (folder / RECORD).write_text(json.dumps(record, indent=1), encoding="utf-8")


def _files(folder: Path) -> Iterator[Path]:
    yield from (path for path in folder.rglob("*") if path.is_file() and path.name != RECORD)
