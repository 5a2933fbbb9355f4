"""Installing a model from a real server: it is there whole afterwards, or not at all, whatever happens on the way."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import filelock
import pytest

from tests.model_server import NAME, ModelServer, model_files, serve, sha256, write_model, zipped
from voice_host import download
from voice_host.commands.models import run_models
from voice_host.errors import HostError, UsageError
from voice_host.models import RECORD, installed, read_catalog, verify

ARCHIVE = zipped(model_files())


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the folder into which models are installed, on a machine without any."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("VOICE_HOST_MODELS", str(tmp_path / "models"))
    for name in ("VOSK_MODEL_PATH", "VOICE_HOST_MODEL_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(download, "_FIRST_WAIT_SECONDS", 0.01)
    return tmp_path / "models"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serve(ModelServer(ARCHIVE)) as serving:
        yield serving


def install(url: str | None = None, content: bytes = ARCHIVE, files: tuple[Path, ...] = ()) -> int:
    return run_models("install", [NAME], url=url, sha256=sha256(content), files=files)


def left(folder: Path) -> set[str]:
    """Return what is in the folder, and what unfinished work it hides."""
    return {str(path.relative_to(folder)) for path in (*folder.glob("*"), *folder.glob(".partial/*"))} - {".partial"}


WHOLE = {NAME, f".partial/{NAME}.lock"}
NOTHING = {f".partial/{NAME}.lock"}


def assert_whole(folder: Path) -> None:
    (model,) = (model for model in read_catalog() if model.name == NAME)
    assert installed(NAME) == folder / NAME
    assert verify(model) == ()
    assert (folder / NAME / "graph" / "HCLr.fst").read_bytes() == model_files()["graph/HCLr.fst"]


# ------------------------------------------------------------------------------------------------------------- fetching


def test_a_model_is_fetched_unpacked_and_its_digests_written_down(
    folder: Path, server: ModelServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert install(server.url) == 0
    assert_whole(folder)
    assert left(folder) == WHOLE
    record = json.loads((folder / NAME / RECORD).read_text())
    assert record["archive_sha256"] == sha256(ARCHIVE)
    assert record["files"]["README"]["sha256"] == sha256(b"a line\n")
    assert f"{NAME} is installed in {folder / NAME}" in capsys.readouterr().out


def test_a_whole_model_is_not_fetched_again(folder: Path, server: ModelServer) -> None:
    install(server.url)
    install(server.url)
    assert len(server.asked) == 1
    assert_whole(folder)


@pytest.mark.usefixtures("folder")
def test_the_server_may_be_named_by_the_environment_or_by_the_archives_own_address(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setenv("VOICE_HOST_MODEL_URL", server.url)
    install()
    shutil.rmtree(folder / NAME)
    install(f"{server.url}/mine.zip")
    assert len(server.asked) == 2
    assert_whole(folder)


def test_a_broken_transfer_goes_on_where_it_stopped(folder: Path, server: ModelServer) -> None:
    server.break_after = [98_304, 49_152, 0, 0]
    install(server.url)
    assert server.asked == ["", "bytes=98304-", "bytes=147456-", "bytes=147456-", "bytes=147456-"]
    assert server.sent == len(ARCHIVE)
    assert_whole(folder)


def test_a_server_without_ranges_is_asked_for_the_whole_again(folder: Path, server: ModelServer) -> None:
    server.ranges = False
    server.break_after = [98_304]
    install(server.url)
    assert server.sent == len(ARCHIVE) + 98_304
    assert_whole(folder)


def test_a_file_that_changed_meanwhile_is_fetched_from_its_beginning(folder: Path, server: ModelServer) -> None:
    server.break_after = [98_304, 0, 0, 0, 0]
    with pytest.raises(HostError):
        install(server.url)
    server.etag = '"two"'
    server.content = zipped({**model_files(), "README": b"another line\n"})
    run_models("install", [NAME], url=server.url, sha256=sha256(server.content))
    assert server.asked[-1] == "bytes=98304-"
    assert (folder / NAME / "README").read_bytes() == b"another line\n"


def test_pieces_of_two_files_are_noticed_and_fetched_once_more(folder: Path, server: ModelServer) -> None:
    """Without an ETag the server cannot say that the file is another one: the digest does."""
    server.etag = None
    server.content = zipped(model_files(seed=2))
    server.break_after = [98_304, 0, 0, 0, 0]
    with pytest.raises(HostError):
        install(server.url)
    server.content = ARCHIVE
    install(server.url)
    assert server.asked[-2:] == ["bytes=98304-", ""]
    assert_whole(folder)


def test_a_part_longer_than_the_file_is_thrown_away(folder: Path, server: ModelServer) -> None:
    server.break_after = [98_304, 0, 0, 0, 0]
    with pytest.raises(HostError):
        install(server.url)
    with (folder / ".partial" / f"{NAME}.zip.part").open("ab") as part:
        part.write(bytes(len(ARCHIVE)))
    install(server.url)
    assert_whole(folder)


def test_a_finished_part_of_a_killed_install_needs_no_byte_more(folder: Path, server: ModelServer) -> None:
    server.break_after = [98_304, 0, 0, 0, 0]
    with pytest.raises(HostError):
        install(server.url)
    (folder / ".partial" / f"{NAME}.zip.part").write_bytes(ARCHIVE)
    server.sent = 0
    install(server.url)
    assert server.sent == 0
    assert_whole(folder)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"status": 404}, r"the server answers 404 .*--url.*--from"),
        ({"status": 403}, r"the server answers 403 .*--url.*--from"),
        ({"status": 503}, r"127\.0\.0\.1 cannot be reached or stops sending \(it answers 503\); try again later"),
        (
            {"content": b"<html>not found</html>"},
            r"is not what was wanted \(its sha256 is .*nothing was installed.*--url",
        ),
        ({"content": ARCHIVE[:-1000] + bytes(1000)}, "is not what was wanted"),
        ({"lied_length": len(ARCHIVE) + 5}, "the connection broke off"),
        ({"stall_seconds": 0.5, "break_after": [10_000] + 9 * [0]}, "no answer in time|broke off"),
    ],
)
def test_a_bad_server_is_told_in_one_sentence_and_nothing_is_installed(
    folder: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch, fault: dict[str, Any], sentence: str
) -> None:
    monkeypatch.setattr(download, "_SILENCE_SECONDS", 0.3)
    for name, value in fault.items():
        setattr(server, name, value)
    with pytest.raises(HostError, match=sentence) as told:
        install(server.url)
    assert told.value.exit_code == 1
    assert "\n" not in str(told.value)
    assert installed(NAME) is None
    assert left(folder) - NOTHING <= {f".partial/{NAME}.zip.part", f".partial/{NAME}.zip.part.json"}


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/models", "http://no-such-host.invalid/models", "ftp:/x", "nowhere"]
)
@pytest.mark.usefixtures("folder")
def test_a_server_that_is_not_there_is_told_in_one_sentence(url: str) -> None:
    with pytest.raises(HostError, match=r"(cannot be reached|is no address).*(--from|https)"):
        install(url)


def test_an_archive_of_another_size_than_the_catalogues_is_not_even_fetched(folder: Path, server: ModelServer) -> None:
    with pytest.raises(HostError, match=r"has \d+ bytes where the catalogue says 41205931"):
        run_models("install", [NAME], url=server.url)
    assert left(folder) == NOTHING


# ---------------------------------------------------------------------------------------------------- killed, and others


def start(url: str) -> subprocess.Popen[bytes]:
    program = (
        "import sys; from voice_host.commands.models import run_models; "
        "sys.exit(run_models('install', [sys.argv[1]], url=sys.argv[2], sha256=sys.argv[3]))"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program, NAME, url, sha256(ARCHIVE)], env=os.environ, stdout=subprocess.DEVNULL
    )


def wait_for(path: Path, size: int) -> None:
    for _ in range(500):
        if path.exists() and path.stat().st_size >= size:
            return
        time.sleep(0.02)
    pytest.fail(f"{path} never got {size} bytes")


def test_a_killed_fetch_leaves_no_model_and_the_next_install_goes_on(folder: Path, server: ModelServer) -> None:
    server.bytes_per_second = 200_000
    killed = start(server.url)
    wait_for(folder / ".partial" / f"{NAME}.zip.part", 100_000)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert installed(NAME) is None
    server.bytes_per_second = None
    install(server.url)
    begin = int(server.asked[-1].removeprefix("bytes=").removesuffix("-"))
    assert begin >= 100_000
    assert_whole(folder)
    assert left(folder) == WHOLE


def test_killed_at_any_moment_the_model_is_there_whole_or_not_at_all(folder: Path, server: ModelServer) -> None:
    """The moments are spread over the time that an undisturbed install takes, its start included."""
    begun = time.monotonic()
    assert start(server.url).wait() == 0
    seconds = time.monotonic() - begun
    for moment in range(8):
        shutil.rmtree(folder / NAME, ignore_errors=True)
        killed = start(server.url)
        time.sleep(seconds * (0.5 + moment / 14))
        killed.kill()
        killed.wait()
        if installed(NAME) is not None:
            assert_whole(folder)
    install(server.url)
    assert_whole(folder)
    assert left(folder) == WHOLE


def test_what_a_kill_between_two_renames_took_away_is_given_back(folder: Path, server: ModelServer) -> None:
    install(server.url)
    (folder / NAME).rename(folder / ".partial" / f"{NAME}.old")
    (folder / ".partial" / f"{NAME}.new").mkdir()
    server.status = 404
    with pytest.raises(HostError):
        install(server.url)
    assert_whole(folder)
    assert left(folder) == WHOLE


def test_two_installs_at_once_do_not_meet(folder: Path, server: ModelServer) -> None:
    (folder / ".partial").mkdir(parents=True)
    with (
        filelock.FileLock(folder / ".partial" / f"{NAME}.lock"),
        pytest.raises(HostError, match=f"Another voice-host is installing {NAME}; wait"),
    ):
        install(server.url)
    install(server.url)
    assert_whole(folder)


def test_a_damaged_model_is_replaced(folder: Path, server: ModelServer) -> None:
    install(server.url)
    (folder / NAME / "graph" / "Gr.fst").write_bytes(b"")
    install(server.url)
    assert_whole(folder)
    assert left(folder) == WHOLE


def test_a_damaged_model_elsewhere_that_hides_the_new_one_is_named(
    folder: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bad = write_model(tmp_path / "mine" / NAME, {"am/final.mdl": b"garbage"})
    monkeypatch.setenv("VOSK_MODEL_PATH", str(bad.parent))
    with pytest.raises(HostError, match=f"is in {folder / NAME} now, but {bad} hides it; remove that"):
        install(server.url)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Give a disk of 256 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(disk)], check=False)
    if mounted.returncode:
        pytest.skip("a small disk can be mounted by root only")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_disk_without_space_is_told_before_anything_is_fetched(
    folder: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch, small_disk: Path
) -> None:
    monkeypatch.setenv("VOICE_HOST_MODELS", str(small_disk / "models"))
    with pytest.raises(HostError, match=r"has 0 MB free and 91 MB are needed; free some, or name .*VOICE_HOST_MODELS"):
        install(server.url)
    assert server.asked == []
    assert not folder.exists()


@pytest.mark.usefixtures("folder")
def test_a_disk_that_fills_up_meanwhile_is_told_in_one_sentence(server: ModelServer, small_disk: Path) -> None:
    with pytest.raises(HostError, match=f"There is no space left in {small_disk}; free some"):
        download.download(f"{server.url}/a.zip", small_disk / "a.part")


# -------------------------------------------------------------------------------------------------------------- offline


def test_an_archive_from_elsewhere_is_imported_without_a_network(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "carried.zip"
    archive.write_bytes(ARCHIVE)
    assert install(files=(archive,)) == 0
    assert_whole(folder)
    assert archive.read_bytes() == ARCHIVE


def test_an_archive_without_a_folder_or_with_two_is_understood(folder: Path, tmp_path: Path) -> None:
    for number, top in enumerate(("", "./", "a/b/")):
        content = zipped(model_files(), top)
        (tmp_path / f"{number}.zip").write_bytes(content)
        install(content=content, files=(tmp_path / f"{number}.zip",))
        assert_whole(folder)
        shutil.rmtree(folder / NAME)


def test_an_unknown_archive_is_refused_and_its_digest_named_for_who_trusts_it(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "carried.zip"
    archive.write_bytes(ARCHIVE)
    with pytest.raises(HostError, match=f"is not the archive of {NAME}.*--sha256 {sha256(ARCHIVE)} if you trust it"):
        run_models("install", [NAME], files=(archive,))
    assert installed(NAME) is None
    assert left(folder) == NOTHING


def entry(name: str, content: bytes = b"evil", mode: int = 0o644) -> bytes:
    """Return a whole model's archive with one entry more."""
    buffer = io.BytesIO(ARCHIVE)
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive:
        info = zipfile.ZipInfo(name)
        info.external_attr = (stat.S_IFREG | mode if mode == 0o644 else mode) << 16
        archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (entry("../evil"), r"reaches out of the model's folder"),
        (entry(f"{NAME}/../../evil"), r"reaches out of the model's folder"),
        (entry("/evil"), r"reaches out of the model's folder"),
        (entry("..\\evil"), r"reaches out of the model's folder"),
        (entry("C:evil"), r"reaches out of the model's folder"),
        (entry(f"{NAME}/link", b"/etc/passwd", stat.S_IFLNK | 0o777), r"reaches out of the model's folder"),
        (entry(f"{NAME}/bomb", bytes(220_000_000)), r"unpacks to far more than"),
        (zipped({"README": b"nothing"}), r"holds no model of the kind"),
        (
            zipped({**model_files(), "am/final.mdl": b"\0B<TransitionModel> cut"}),
            r"broken model \(am/final.mdl is cut off",
        ),
        (zipped({k: v for k, v in model_files().items() if "Gr" not in k}), r"broken model \(graph/HCLG.fst, or"),
        (ARCHIVE[:-2000], "is no whole zip archive"),
        (
            ARCHIVE.replace(model_files()["am/final.mdl"], model_files()["am/final.mdl"].swapcase()),
            "no whole zip archive",
        ),
        (b"", "is no whole zip archive"),
    ],
)
def test_a_bad_archive_is_refused_and_leaves_nothing(
    folder: Path, tmp_path: Path, content: bytes, sentence: str
) -> None:
    archive = tmp_path / "carried.zip"
    archive.write_bytes(content)
    before = {path for path in tmp_path.rglob("*") if "models" not in path.parts}
    with pytest.raises(HostError, match=sentence) as told:
        install(content=content, files=(archive,))
    assert "\n" not in str(told.value)
    assert left(folder) == NOTHING
    assert {path for path in tmp_path.rglob("*") if "models" not in path.parts} == before


def test_entries_that_only_look_absolute_once_the_top_is_gone_stay_inside(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "carried.zip"
    archive.write_bytes(entry(f"{NAME}//evil"))
    install(content=archive.read_bytes(), files=(archive,))
    assert (folder / NAME / "evil").read_bytes() == b"evil"


# ---------------------------------------------------------------------------------------------------------- command line


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"names": ()}, "Say which model or language"),
        ({"names": ("latin",)}, "no model and no language 'latin'; choose one of: moonshine-tiny-en"),
        ({"names": (NAME,), "sha256": "beef"}, "--sha256 takes 64 hexadecimal digits"),
        ({"names": (NAME,), "files": (Path("nowhere.zip"),)}, "There is no file nowhere.zip"),
        ({"names": ("whisper-base",), "url": "http://127.0.0.1"}, "comes from packages, not from an archive"),
        ({"names": (NAME, "vosk-model-spk-0.4"), "url": "http://127.0.0.1"}, "name one model at a time"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_wrong_command_line_is_told_with_exit_code_2(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        run_models("install", **arguments)


def test_a_file_in_the_way_of_the_folder_is_told(folder: Path, server: ModelServer) -> None:
    folder.write_text("in the way")
    with pytest.raises(HostError, match=r"cannot be written \(.*name another folder with VOICE_HOST_MODELS"):
        install(server.url)
