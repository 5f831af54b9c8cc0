"""The matrix of headlines as a picture for README.md: a row per paper, a tile per headline, light and dark.

A tile has the symbol of what the sentence above says of the headline, the headline in a few words, and in how many of
its readings it holds; its verdict and its sentence are its title. Colours are those of the site's style sheet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from textwrap import wrap

from markupsafe import escape

from manybandits.report.matrix import LOOKS, PHRASES, Entry
from manybandits.report.rendering import ASSETS
from manybandits.results.verdict_table import VERDICTS

WIDTH, MARGIN, LABEL = 880, 16, 116
"""Of the picture, around it, and of the column of the papers, in pixels."""
TILE, ROW, SYMBOL = 108, 108, 26
"""The greatest width of a tile, the height of a row, and the size of a symbol."""
LETTER = 5.9
"""The width of a small letter, on average."""
KEY_COLUMNS = 2
SHARES = "Numbers: in how many readings of what the paper leaves open a headline holds."
SCHEMES = {"light": 0, "dark": 1}
"""The schemes, by their place in the style sheet."""


def picture(matrix: Mapping[str, Sequence[Entry]], names: Mapping[str, str], answer: str, scheme: str) -> str:
    """Return the picture as SVG. matrix: paper -> entries; names: paper -> its short name; answer: in one sentence."""
    colours = colours_of(scheme)
    lines = wrap(answer, 118)
    top = MARGIN + 20 * len(lines) + 8
    rows = [key for key, entries in matrix.items() if entries]
    most = max((len(matrix[key]) for key in rows), default=1)
    width = min(TILE, (WIDTH - 2 * MARGIN - LABEL) // most)
    drawn = [text for place, key in enumerate(rows) for text in _row(names[key], matrix[key], top + ROW * place, width)]
    shares = any(entry.share for entries in matrix.values() for entry in entries)
    counts = Counter(entry.outcome for key in rows for entry in matrix[key])
    used = {outcome: counts[outcome] for outcome in PHRASES if counts[outcome]}
    below = top + ROW * len(rows) + 18
    height = below + 24 * (-(-len(used) // KEY_COLUMNS) + shares) + MARGIN // 2
    style = "".join(f".v{n}{{color:{colours[f'v{n}']}}}" for n in range(len(VERDICTS)))
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


def _row(name: str, entries: Sequence[Entry], top: int, width: int) -> list[str]:
    """Return the drawing of a paper: its name, and a tile of some width for each headline."""
    found = [
        f'<path class="rule" d="M{MARGIN} {top}h{WIDTH - 2 * MARGIN}"/>',
        f'<text class="paper" x="{MARGIN}" y="{top + 32}">{escape(name)}</text>',
    ]
    for place, entry in enumerate(entries):
        middle = MARGIN + LABEL + width * place + width // 2
        words = wrap(entry.short, int(width / LETTER))
        words += [f"{entry.share[0]} of {entry.share[1]}"] if entry.share else []
        found.append(f"<g><title>{escape(entry['verdict'])}: {escape(entry['says'])}</title>")
        found.append(_symbol(entry.outcome, middle - SYMBOL // 2, top + 11, SYMBOL))
        for line, text in enumerate(words):
            y = top + 52 + 14 * line
            found.append(f'<text class="small" x="{middle}" y="{y}" text-anchor="middle">{escape(text)}</text>')
        found.append("</g>")
    return found


def _key(counts: Mapping[str, int], top: int) -> list[str]:
    """Return the drawing of what the symbols mean, each with how many headlines have it."""
    width, found = (WIDTH - 2 * MARGIN) // KEY_COLUMNS, []
    for place, (outcome, count) in enumerate(counts.items()):
        x, y = MARGIN + width * (place % KEY_COLUMNS), top + 24 * (place // KEY_COLUMNS)
        found.append(_symbol(outcome, x, y - 12, 15))
        found.append(f'<text x="{x + 22}" y="{y}">{count} {escape(PHRASES[outcome][count > 1])}</text>')
    return found


def _symbol(outcome: str, x: int, y: int, size: int) -> str:
    """Return the symbol of an outcome with its corner at x and y."""
    verdict, drawn = LOOKS[outcome]
    return (
        f'<svg class="v{VERDICTS.index(verdict)}" x="{x}" y="{y}" width="{size}" height="{size}" viewBox="0 0 16 16">'
        f"{drawn}</svg>"
    )
