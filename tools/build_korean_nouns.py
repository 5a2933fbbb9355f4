"""Write grammars/ko/nouns.tsv: the nouns among wordfreq's Korean words, as the analyser Kiwi sees them; needed only to renew it.

    pip install wordfreq kiwipiepy
    python tools/build_korean_nouns.py

wordfreq's list holds morphemes, so that beginnings of verbs and endings are among its words; they are no nouns here.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Final

import wordfreq

from voice_host.resources import folder

HANGUL: Final = re.compile("[가-힣]+")
OF_ONE_SYLLABLE: Final = frozenset(
    "값갑감강개게곰공관광국굴귤금글길김깃껌꽃꿀꿈꿩끈끝낮날남낫넋논농뇌눈늪달닭담닻댐덫돈돌돔동돛둑등딸땀땅떡똥뜰뜻띠룸말맛망매멋몸목못무문물뭍밀밑밖발밤밥방밭배뱀벌범법벽변별병볕봄북불"
    "붓비빗빚빛빵뺨뼈뿔산살삼삽상새색샘생섬성소속손솔솜솥쇠쇼술숨숯숲시신실쌀쑥씨알약양연열엿옆옥옷왕용윷은일입잎자잔잠잣잼장재절점젖종죄죽쥐집짐짚차창책처천철총춤층침칼컵코콩키탈탑턱털"
    "톱통틀팀팔팥팬펜표풀피학해핵햄향혀형홀활흙힘"
)
"""The list has many more syllables, nearly all of them pieces of words."""


def main() -> None:
    """Write the table."""
    # Not imported by name: it is installed for this tool alone.
    kiwi = import_module("kiwipiepy").Kiwi()
    lines = []
    for word in sorted(wordfreq.get_frequency_dict("ko", wordlist="small")):
        if not HANGUL.fullmatch(word) or (len(word) == 1 and word not in OF_ONE_SYLLABLE):
            continue
        marks = [token.tag for token in kiwi.tokenize(word)]
        if len(word) == 1 or marks == ["NNG"] or (marks in (["NNG", "NNG"], ["NNG", "XSN"]) and len(word) > 2):
            lines.append(f"{word}\t100")
        elif marks == ["NNP"] and len(word) > 1:
            lines.append(f"{word}\t50")
    comment = (
        "# noun, percent of its uses that can be drawn (words: wordfreq, CC BY-SA 4.0; told apart by Kiwi, LGPL-3.0)"
    )
    path = folder("grammars") / "ko" / "nouns.tsv"
    path.write_text("\n".join((comment, *lines)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
