"""What README.md says of a run, between its markers: the matrix as a picture, the answer, and the findings."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from manybandits.report.addresses import PICTURES
from manybandits.report.report import Report
from manybandits.report.stories import Told


def block(report: Report, answer: str, findings: Sequence[Told]) -> str:
    """Return the lines of README.md about a run, with links from the root of the checkout. answer: in one sentence."""
    place = f"reports/{report.folder.name}"
    picture = "\n".join(
        [
            "<picture>",
            f'  <source media="(prefers-color-scheme: dark)" srcset="{place}/{PICTURES["dark"]}">',
            f'  <img alt="{escape(answer)}" src="{place}/{PICTURES["light"]}">',
            "</picture>",
        ]
    )
    told = [
        f"* **{one.title.rstrip('.')}.** {one.says} ([evidence]({place}/tables/{one.target}.md))" for one in findings
    ]
    pages = f"The verdict on every headline is in [{place}/headlines.csv]({place}/headlines.csv)."
    return "\n\n".join(filter(None, (picture, answer, "\n".join(told), pages))) + "\n"
