"""The report of a paper on two pages: the same bytes for the same report, and no more pages than two."""

from __future__ import annotations

import re

from manybandits.report.site import main
from tests.planted.site import arguments


def test_every_paper_has_a_pdf_of_two_pages_at_most(site):
    for name in ("first", "second"):
        made = (site / f"papers/{name}.pdf").read_bytes()
        assert made.startswith(b"%PDF-")
        assert 1 <= len(re.findall(rb"/Type /Page\b", made)) <= 2
        assert f'href="{name}.pdf"' in (site / f"papers/{name}.html").read_text(encoding="utf-8")


def test_the_same_report_gives_the_same_pdf(site, tmp_path):
    given = arguments(site.parent)
    main([*given, "--again", str(tmp_path)])
    for name in ("first", "second"):
        assert (tmp_path / f"papers/{name}.pdf").read_bytes() == (site / f"papers/{name}.pdf").read_bytes()
