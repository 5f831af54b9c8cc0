"""The matrix of headlines as a picture for README.md: a row per paper, a tile per headline, light and dark.

A tile has the symbol of the headline's word, the headline in a few words, and in how many of its set-ups it holds; its
word and its sentence are its title. Colours are those of the site's style sheet.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from textwrap import wrap

from markupsafe import escape

from manybandits.claims.verdict import HeadlineVerdict, Word
from manybandits.report.matrix import PHRASES, count_words, short
from manybandits.report.rendering import ASSETS
from manybandits.report.verdicts import WORDS

WIDTH, MARGIN, LABEL = 880, 16, 116
"""Of the picture, around it, and of the column of the papers, in pixels."""
TILE, ROW, SYMBOL = 108, 108, 26
"""The greatest width of a tile, the height of a row, and the size of a symbol."""
LETTER = 6.4
"""The width of a small letter, on average, in the widest of the usual fonts."""
KEY_COLUMNS = 2
SHARES = "Numbers: in how many admissible set-ups a headline holds."
SCHEMES = {"light": 0, "dark": 1}
"""The schemes, by their place in the style sheet."""


def picture(matrix: Mapping[str, Sequence[HeadlineVerdict]], names: Mapping[str, str], answer: str, scheme: str) -> str:
    """Return the picture as SVG. matrix: paper -> headlines; names: paper -> short name; answer: in one sentence."""
    colours = colours_of(scheme)
    lines = wrap(answer, 118)
    top = MARGIN + 20 * len(lines) + 8
    rows = [key for key, headlines in matrix.items() if headlines]
    most = max((len(matrix[key]) for key in rows), default=1)
    width = min(TILE, (WIDTH - 2 * MARGIN - LABEL) // most)
    drawn = [text for place, key in enumerate(rows) for text in _row(names[key], matrix[key], top + ROW * place, width)]
    shares = any(_share(one) for headlines in matrix.values() for one in headlines)
    used = count_words(one for key in rows for one in matrix[key])
    below = top + ROW * len(rows) + 18
    height = below + 24 * (-(-len(used) // KEY_COLUMNS) + shares) + MARGIN // 2
    style = "".join(f".c-{name}{{color:{colours[name]}}}" for name in sorted({look.colour for look in WORDS.values()}))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
            ' role="img" aria-labelledby="answer">',
            f'<title id="answer">{escape(answer)}</title>',
            f"<style>text{{font:13px system-ui,sans-serif;fill:{colours['ink']}}}.small{{font-size:11px;"
            f"fill:{colours['quiet']}}}.answer{{font-size:14px}}.paper{{font-weight:600}}.rule{{stroke:{colours['line']}}}"
            f"svg svg{{fill:currentColor}}.line{{fill:none;stroke:currentColor;stroke-width:1.6}}"
            f".cut{{fill:none;stroke:{colours['page']};stroke-width:2}}{style}</style>",
            f'<rect width="{WIDTH}" height="{height}" rx="8" fill="{colours["page"]}"/>',
            *(
                f'<text class="answer" x="{MARGIN}" y="{MARGIN + 14 + 20 * place}">{escape(line)}</text>'
                for place, line in enumerate(lines)
            ),
            *drawn,
            *_key(used, below),
            *([f'<text class="small" x="{MARGIN}" y="{height - MARGIN}">{SHARES}</text>'] if shares else []),
            "</svg>\n",
        ]
    )


def colours_of(scheme: str) -> dict[str, str]:
    """Return the colours of a scheme, ``light`` or ``dark``, by the names that they have in the style sheet."""
    style = (ASSETS / "site.css").read_text(encoding="utf-8")
    blocks = re.findall(r"--ink: .*?--warn", style, re.DOTALL)
    return dict(re.findall(r"--(\w+): (#[0-9a-f]+)", blocks[SCHEMES[scheme]]))


def _row(name: str, headlines: Sequence[HeadlineVerdict], top: int, width: int) -> list[str]:
    """Return the drawing of a paper: its name, and a tile of some width for each headline."""
    found = [
        f'<path class="rule" d="M{MARGIN} {top}h{WIDTH - 2 * MARGIN}"/>',
        f'<text class="paper" x="{MARGIN}" y="{top + 32}">{escape(name)}</text>',
    ]
    for place, one in enumerate(headlines):
        middle = MARGIN + LABEL + width * place + width // 2
        words = [*wrap(short(one), int(width / LETTER)), *filter(None, [_share(one)])]
        found.append(f"<g><title>{escape(one.word.value)}: {escape(one.headline.says)}</title>")
        found.append(_symbol(one.word, middle - SYMBOL // 2, top + 11, SYMBOL))
        for line, text in enumerate(words):
            y = top + 52 + 14 * line
            found.append(f'<text class="small" x="{middle}" y="{y}" text-anchor="middle">{escape(text)}</text>')
        found.append("</g>")
    return found


def _share(one: HeadlineVerdict) -> str:
    """Return in how many of its set-ups a headline holds; "" if none could be judged, or if it asked something else."""
    counted = one.setups and one.setups.judged and not one.setups.earlier
    return f"{one.setups.holds} of {one.setups.judged}" if one.setups and counted else ""


def _key(counts: Mapping[Word, int], top: int) -> list[str]:
    """Return the drawing of what the symbols mean, each with how many headlines have it."""
    width, found = (WIDTH - 2 * MARGIN) // KEY_COLUMNS, []
    for place, (word, count) in enumerate(counts.items()):
        x, y = MARGIN + width * (place % KEY_COLUMNS), top + 24 * (place // KEY_COLUMNS)
        found.append(_symbol(word, x, y - 12, 15))
        found.append(f'<text x="{x + 22}" y="{y}">{count} {escape(PHRASES[word][count > 1])}</text>')
    return found


def _symbol(word: Word, x: int, y: int, size: int) -> str:
    """Return the symbol of a word with its corner at x and y."""
    look = WORDS[word]
    return (
        f'<svg class="c-{look.colour}" x="{x}" y="{y}" width="{size}" height="{size}" viewBox="0 0 16 16">'
        f"{look.symbol}</svg>"
    )
