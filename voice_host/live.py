"""Evenings that are heard: a microphone (or a recording, or a recorded table) and a voice."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from voice_host.errors import HostError, MissingError
from voice_host.evening import Outcome
from voice_host.hearing.ear import Ear
from voice_host.hearing.microphone import FileMicrophone, Microphone
from voice_host.hearing.recognizers import Hypothesis, Recognition, describe
from voice_host.hearing.recognizers.child import ChildRecognizer
from voice_host.hearing.sound_files import SAMPLE_RATE, Samples
from voice_host.host import Host, Watcher
from voice_host.machine_watch import MachineWatch
from voice_host.manner import Chosen, Manner
from voice_host.outputs import Captions, EventsFile
from voice_host.own_voice import Listening as WithoutHost
from voice_host.own_voice import OwnVoice
from voice_host.private_ear import PrivateEar, PrivateSpeakers
from voice_host.program import LOBBY, Program
from voice_host.recording import Recording, recording_of
from voice_host.room import VoicedRoom
from voice_host.running import Kept, begin, conclude, heartbeat, make_host, run_evening
from voice_host.screens.server import Wanted
from voice_host.second_engine import NONE, load_second_engine
from voice_host.second_look import SecondLook
from voice_host.settings import Calibration, load_settings
from voice_host.speaking.clip import Clip
from voice_host.speaking.loudspeaker import FileLoudspeaker, Loudspeaker, SilentLoudspeaker
from voice_host.speaking.synthesizer import ChildSynthesizer
from voice_host.speaking.tap import Taps
from voice_host.tables.listening import WholeTable, keep_listening, listen
from voice_host.tables.tapping import open_pages
from voice_host.tables.two_ears import DREAMER, TABLE, OneEar, TwoEars
from voice_host.terminal.table import open_table
from voice_host.ticking import keep_ticking
from voice_host.virtual_time import run
from voice_host.watching import watch_recognizer, watch_voice

_SOUND_FILES: Final = frozenset({".wav", ".flac", ".ogg", ".opus", ".mp3", ".aiff"})


def is_sound_file(name: str) -> bool:
    """Tell a recording's path from a device's name."""
    name = re.sub(r"#\d+$", "", name)
    return Path(name).suffix.casefold() in _SOUND_FILES or Path(name).is_file()


def open_loudspeaker(name: str | None, *, recorded: bool) -> Loudspeaker:
    """Open what the room hears the host through; with a recorded table and no sound card, captions do."""
    if name == "none":
        return SilentLoudspeaker()
    if name is not None and is_sound_file(name):
        return FileLoudspeaker(Path(name))
    from voice_host.speaking.device_loudspeaker import DeviceLoudspeaker

    try:
        return DeviceLoudspeaker(name)
    except MissingError:
        if name is not None or not recorded:
            raise
        return SilentLoudspeaker()


def open_microphone(name: str | None) -> Microphone:
    """Open a device or a recording by its name, or one channel of it (``NAME#2``)."""
    found = re.fullmatch(r"(.+)#(\d+)", name or "")
    wanted, channel = (found[1], int(found[2])) if found else (name, None)
    if wanted is not None and is_sound_file(wanted):
        return FileMicrophone(Path(wanted), channel)
    from voice_host.hearing.device_microphone import DeviceMicrophone

    return DeviceMicrophone(wanted, channel)


class Session:
    """The recogniser and the voice of one evening; loads them with a word to whoever waits."""

    def __init__(
        self,
        language: str,
        engine: str | None,
        loudspeaker: Loudspeaker,
        *,
        second_engine: str = NONE,
        sound: Chosen | None = None,
        remember: Callable[[str, int | str], None] = lambda _setting, _value: None,
    ) -> None:
        """Load them; ``second_engine`` is `AUTO`, `NONE` or the name of one that hears each guess as well; ``sound`` is how the host sounds at first, ``remember`` is given what the table changes of it."""
        _notice("Loading the recogniser and the voice ...")
        self.recognizer = ChildRecognizer(language, engine)
        _notice(describe(language, self.recognizer))
        self.other = load_second_engine(language, self.recognizer.name, second_engine, ChildRecognizer, _notice)
        if self.other is not None:
            _notice(f"{self.other.name} hears each guess as well.")
        self.synthesizer = ChildSynthesizer(language)
        self.loudspeaker = loudspeaker
        self.taps = Taps()
        """Whoever must know what the room hears of the host."""
        self._recording: Recording | None = None
        self.manner = Manner(sound or Chosen(), self.synthesizer, self._set_gain, remember)
        self.microphone_is_device = False
        """True for what may be lost and found again, and hears the loudspeaker; False for a recording."""
        self.dreamers: tuple[Microphone, bool] | None = None
        """The dreamer's own microphone, and whether it is a device; None without one."""
        self._own_voice: OwnVoice | None = None
        self.private: PrivateSpeakers | None = None
        """Who is spoken to alone."""
        self._ears: dict[str, Ear] = {}
        self._reopen: dict[str, asyncio.Event] = {}
        self.dreamer_on_page = False
        """True: the dreamer's own page is that microphone, while its button is held."""

    def _set_gain(self, gain: float) -> None:
        self.loudspeaker.volume = gain

    def _record(self, recording: Recording | None, kept: Kept) -> None:
        """Let a recording hear what the room hears of the host; the microphones are recorded where they are opened."""
        self._recording = recording
        if recording is not None:
            recording.begin(kept.journal.marked("clock") or 0.0, asyncio.get_running_loop().time())
            self.taps.add("recording", recording.tap)
            self.loudspeaker.tap = self.taps

    def play(
        self,
        program: Program,
        kept: Kept,
        microphone: Callable[[VoicedRoom], Microphone],
        *,
        virtual: bool,
        events: Path | None = None,
        screens: Wanted | None = None,
        record: bool = False,
        drawn: bool = False,
    ) -> int:
        """Play one evening to its end, from a microphone that may listen to the room; ``drawn``: the table is shown in the terminal."""
        writer = None if events is None else EventsFile(events)
        watchers: list[Watcher] = [*([] if drawn else [Captions(sys.stdout)]), *([writer] if writer else [])]
        hosts: list[Host] = []
        recording = Recording(recording_of(kept.journal.path), _notice) if record else None
        if self.recognizer.capabilities.grammar:
            self.recognizer.listen_for(program.vocabulary)
        self._second_look = SecondLook(self.recognizer, program.measures, other=self.other)

        async def evening() -> None:
            room = VoicedRoom(self.synthesizer, self.loudspeaker, _notice, self.manner)
            host = make_host(program, kept, room, watchers)
            hosts.append(host)
            names = NameKeeper(host, room, recording)
            host.watch(names.watch)
            self._record(recording, kept)
            if not isinstance(self.loudspeaker, FileLoudspeaker | SilentLoudspeaker):  # no microphone hears these
                self._own_voice = OwnVoice(
                    self.taps, room.said_since, program.measures.distance, _calibrations(self.loudspeaker)
                )
                self.loudspeaker.tap = self.taps
            table = open_table(host, program.language) if drawn else None
            pages = open_pages(screens, program, kept, host, table.notice if table else print)
            if self.dreamer_on_page and pages is not None:
                self.dreamers = (pages.open_microphone(), False)  # a page is no device: closed, it is only silent
            if not virtual:  # as fast as the machine allows, nobody waits for anything
                watch_recognizer(self.recognizer, host, _notice)
                watch_voice(room, self.loudspeaker, host, self._forget_echo)
            if recording is not None and not kept.entries:
                host.announce("recording_begins")
            ears = self._private_ears(host, kept)
            begin(host, kept)
            for ear in ears:
                ear.listen_again()
            if recording is not None and kept.entries:
                host.announce("recording_begins")
            others = [
                room.voice.run(),
                *PrivateSpeakers.tasks(ears),
                keep_ticking(host, room),
                *([] if pages is None else [pages.serve()]),
                *([] if table is None else [table.run()]),
                *([] if virtual else [heartbeat(host, kept), self._machine_watch(host).run()]),
            ]
            await run_evening(host, kept, self._listening(microphone(room), host, room, names), *others)

        try:
            run(evening(), virtual=virtual)
        finally:
            self._close(recording)
        return conclude(hosts[0].evening, writer, must_be_over=True)

    def _close(self, recording: Recording | None) -> None:
        self.loudspeaker.close()
        if recording is not None:
            recording.close()
        self.synthesizer.close()
        if self.private is not None:
            self.private.close()
        self.recognizer.close()
        if self.other is not None:
            self.other.close()

    def _private_ears(self, host: Host, kept: Kept) -> tuple[PrivateEar, ...]:
        return () if self.private is None else self.private.attend(host, _notice, resumed=bool(kept.entries))

    async def _listening(self, microphone: Microphone, host: Host, room: VoicedRoom, names: NameKeeper) -> None:
        if self.dreamers is None:
            await self._with_one_ear(microphone, self.microphone_is_device, host, room, names)
            return
        ears = TwoEars(self.recognizer, self._look_again)
        own, own_is_device = self.dreamers
        both = ((TABLE, microphone, self.microphone_is_device), (DREAMER, own, own_is_device))
        listening = [
            self._with_one_ear(found, is_device, host, room, names, ears.one(name, lambda: _dreamer(host)))
            for name, found, is_device in both
        ]
        async with asyncio.TaskGroup() as tasks:
            for one in listening:
                tasks.create_task(one)

    async def _with_one_ear(  # noqa: PLR0917 - all that belongs to one ear
        self,
        microphone: Microphone,
        is_device: bool,  # noqa: FBT001 - one of what belongs to each ear
        host: Host,
        room: VoicedRoom,
        names: NameKeeper,
        whose: OneEar | None = None,
    ) -> None:
        if not is_device:
            with contextlib.closing(microphone):
                ear = self._ear(self._recorded(microphone, whose), host, room, whose)
                await listen(ear, host, names.keep, whose or WholeTable())
            return

        own_voice = self._own_voice

        def open_ear(found: Microphone) -> Ear:
            recorded = self._recorded(found, whose)
            if own_voice is None:
                return self._ear(recorded, host, room, whose)
            own = own_voice.taken_out_of(recorded, whose.name if whose else TABLE)
            return self._ear(own.microphone, host, room, whose, own)

        reopen = self._reopen.setdefault(whose.name if whose else TABLE, asyncio.Event())
        await keep_listening(microphone, open_ear, host, names.keep, _notice, reopen, whose or WholeTable())

    def _machine_watch(self, host: Host) -> MachineWatch:
        watch = MachineWatch(
            host,
            behind_seconds=self._behind_seconds,
            woken=self._open_microphones_anew,
            starved=self._forget_echo,
        )
        host.look_at_machine = watch.look
        return watch

    def _forget_echo(self) -> None:
        """Let no ear rely on what it knew: a loudspeaker that is back may be another one, and what a starved machine plays comes late."""
        if self._own_voice is not None:
            self._own_voice.begin_anew()

    def _open_microphones_anew(self) -> None:
        for reopen in self._reopen.values():
            reopen.set()

    def _behind_seconds(self) -> float:
        """Return by how much hearing is late; not while another recogniser is being started, which is told for itself."""
        if self.recognizer.child_pid is None:
            return 0.0
        return max((ear.behind_seconds() for ear in self._ears.values()), default=0.0)

    def _recorded(self, microphone: Microphone, whose: OneEar | None) -> Microphone:
        """Return the microphone, which is recorded as it is, with the host in it."""
        if self._recording is None:
            return microphone
        return self._recording.microphone(whose.name if whose else TABLE, microphone)

    def _ear(
        self, microphone: Microphone, host: Host, room: VoicedRoom, whose: OneEar | None, own: WithoutHost | None = None
    ) -> Ear:
        detector, is_host = (None, None) if own is None else (own.detector, own.is_host)
        if whose is not None:
            metered = whose.metered(microphone, host.now)
            ear = Ear(
                metered,
                whose.recognizer,
                detector=detector,
                patience=host.endings.patience,
                is_host=is_host,
                barges_in=host.endings.barges_in,
                be_silent=host.be_silent,
            )
        else:
            ear = Ear(
                microphone,
                self.recognizer,
                detector=detector,
                patience=host.endings.patience,
                second_look=self._look_again,
                is_host=is_host,
                barges_in=host.endings.barges_in,
                be_silent=host.be_silent,
                foresee=host.foresee,
            )
        self._ears[whose.name if whose else TABLE] = ear
        room.on_speaking[whose.name if whose else TABLE] = ear.look_closely
        return ear

    def _look_again(self, samples: Samples, recognition: Recognition) -> Recognition:
        """Weigh the readings again, but let the recogniser's own best one be what is echoed, captioned and tried as a command."""
        try:
            again = self._second_look(samples, recognition)
        except HostError as error:  # two children were lost with it; the first look is known
            _notice(str(error))
            return recognition
        if again is recognition:
            return recognition
        own = recognition.hypotheses[0].text
        weighed = {hypothesis.text: hypothesis for hypothesis in again.hypotheses}
        first = weighed.pop(own, Hypothesis(own, 0.0))
        return Recognition((first, *weighed.values()), again.decode_seconds)


class NameKeeper:
    """Lets players whose names no text is certain for say them themselves: keeps those recordings, in memory only unless the evening is recorded."""

    def __init__(self, host: Host, room: VoicedRoom, recording: Recording | None) -> None:
        """Take what was kept when the evening was recorded."""
        self._host = host
        self._room = room
        self._recording = recording
        for name, samples in ({} if recording is None else recording.names()).items():
            room.recorded_names[name] = Clip(samples, SAMPLE_RATE)
        self._sounds: dict[int, Samples] = {}

    def keep(self, utterance: int, samples: Samples) -> None:
        """Remember the sound of an utterance for as long as the lobby may take it for a name."""
        if self._host.evening.game == LOBBY:
            self._sounds[utterance] = samples
        else:
            self._sounds.clear()

    def watch(self, outcome: Outcome) -> None:
        """After a bare name was heard that is in no list of names, let the room hear the player's own voice for it."""
        if outcome.line["type"] != "heard" or self._host.evening.game != LOBBY:
            return
        for named in self._host.evening.state.names:
            sound = self._sounds.get(named.utterance_number or 0)
            only_name = outcome.line["text"].strip(" .,!?").casefold() == named.text.casefold()
            if not named.certain and sound is not None and only_name:
                self._room.recorded_names[named.text] = Clip(sound, SAMPLE_RATE)
                if self._recording is not None:
                    self._recording.keep_name(named.text, sound)


def _calibrations(loudspeaker: Loudspeaker) -> Callable[[str], Calibration | None]:
    """Return what tells, by a microphone's name, what `calibrate` measured of it with this loudspeaker."""
    settings, name = load_settings(), getattr(loudspeaker, "name", "")
    return lambda microphone: settings.calibration(microphone, name)


def _dreamer(host: Host) -> str | None:
    """Return who wears the dreamer's microphone now; nobody knows before there is a dreamer."""
    return host.evening.view().get("dreamer")


def _notice(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)
