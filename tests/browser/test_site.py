"""The site of planted runs in headless Chromium: by keyboard, on a phone, in the dark, without scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from manybandits.base.table_files import read_rows
from manybandits.report import standings
from tests.browser.driver import NEEDED, PHONE, WIDE, visiting
from tests.planted.site import COMMAND

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pages are not opened")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed: pages are not opened")
pytestmark = NEEDED
KINDS = (
    *("index.html", "claims.html", "league.html", "provenance.html", "algorithms/index.html", "algorithms/club.html"),
    *("papers/first.html", "papers/second.html", "rules.html", "readings.html"),
)
"""A page of every kind."""
MARKS = "svg g.mark-symbol path, svg g.mark-line path"
LAST_TICK = "[...document.querySelectorAll('#first_fig1 .panel:first-child g.role-axis-label')].at(-1)?.textContent"


@pytest.fixture
def visit(browser, site):
    """Return what opens a page of the site; at the end no page may have had an error or asked the network."""
    with visiting(browser, site) as go:
        yield go


def test_the_fixture_that_looks_for_errors_sees_one(visit):
    page = visit("index.html")
    with pytest.raises(playwright.Error, match="planted"):
        page.evaluate("() => { throw new Error('planted') }")


def open_folds(page) -> None:
    """Open all folds of a page and wait for the curves in them."""
    page.eval_on_selector_all("details", "all => all.forEach((one) => { one.open = true })")
    page.wait_for_function("!document.querySelector('.curve-fold:not(:has(svg.marks))')")


@pytest.mark.parametrize("address", KINDS)
@pytest.mark.parametrize(("scheme", "viewport"), [("light", WIDE), ("dark", WIDE), ("light", PHONE)])
def test_pages_are_accessible(visit, address, scheme, viewport):
    page = visit(address, color_scheme=scheme, viewport=viewport)
    open_folds(page)
    found = axe.Axe().run(page, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]][:3]) for one in found] == []


@pytest.mark.parametrize("address", KINDS)
@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_no_page_is_wider_than_its_window(visit, address, viewport):
    page = visit(address, viewport=viewport)
    open_folds(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


def test_a_slash_and_arrows_and_enter_find_an_algorithm(visit):
    page = visit("papers/first.html")
    page.keyboard.press("/")
    page.keyboard.type("sclub file scl")  # words that no title has are looked for elsewhere; these are nowhere
    page.wait_for_function("document.getElementById('found-count').textContent === '0 found'")
    page.locator("#search").fill("")
    page.keyboard.type("algorithm sclub")
    page.locator("#found li").first.wait_for()
    assert page.locator("#search").get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    chosen = page.locator("#found li[aria-selected=true]")
    assert "SCLUB" in chosen.inner_text()
    assert page.locator("#search").get_attribute("aria-activedescendant") == chosen.get_attribute("id")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url.endswith("/algorithms/sclub.html")


def test_claims_are_filtered_and_sorted_by_keyboard(visit):
    page = visit("claims.html")
    rows = page.locator("#claims tbody tr:visible")
    every = rows.count()
    page.locator("select[name=answer]").focus()
    page.keyboard.type("fails")
    page.wait_for_function("document.getElementById('shown').textContent.startsWith('3 of ')")
    assert 0 < rows.count() < every
    shown = page.locator("#claims tbody tr:visible td:nth-child(2) .verdict").all_inner_texts()
    assert set(shown) == {"fails"}
    page.locator("input[name=text]").focus()
    page.keyboard.type("second.claim2")
    assert rows.count() == 1
    page.get_by_role("button", name="Clear").press("Enter")
    page.wait_for_function(f"document.querySelectorAll('#claims tbody tr:not([hidden])').length === {every}")
    head = page.get_by_role("button", name="Claim", exact=True)
    head.press("Enter")
    head.press("Enter")
    assert page.locator("#claims th[aria-sort=descending]").count() == 1
    assert page.locator("#claims tbody tr").first.get_attribute("data-paper") == "second"


def test_claims_are_filtered_by_their_labels_and_by_whether_they_are_counted(visit):
    page = visit("claims.html")
    rows = page.locator("#claims tbody tr:visible")
    every = rows.count()
    page.locator("select[name=flag]").select_option("any")
    flagged = rows.count()
    assert 0 < flagged < every
    assert page.locator("#claims tbody tr:visible .flags").count() == flagged
    page.locator("select[name=flag]").select_option("at chance")
    assert 0 < rows.count() < flagged
    page.get_by_role("button", name="Clear").press("Enter")
    page.wait_for_function(f"document.querySelectorAll('#claims tbody tr:not([hidden])').length === {every}")
    page.locator("select[name=stands]").select_option("apart")
    assert 0 < rows.count() == page.locator("#claims tbody tr:visible .apart-why").count()
    page.get_by_role("button", name="Clear").press("Enter")
    page.wait_for_function(f"document.querySelectorAll('#claims tbody tr:not([hidden])').length === {every}")
    page.locator("select[name=run]").select_option("smaller")
    assert 0 < rows.count() == page.locator("#claims tbody tr:visible .smaller").count() < every


def test_the_word_and_the_set_ups_of_a_headline_lead_to_their_evidence(visit):
    row = visit("index.html").locator("[id='headline-first.headline1']")
    for column, place in {
        "Verdict": "papers/first.html#headline-headline1",
        "Set-ups": "readings.html#first.headline1",
    }.items():
        link = row.locator(f"td[data-label='{column}'] a").first
        assert link.get_attribute("href") == place
        page = visit(place)
        page.locator(f"[id='{place.partition('#')[2]}']").wait_for()


def test_the_matrix_is_a_table_to_a_screen_reader(visit):
    page = visit("index.html")
    table = page.get_by_role("table", name="The headlines of each paper")
    heads = ["Headline", "Verdict", "Text", "Code", "Set-ups", "Controls", "Smaller run"]
    assert table.get_by_role("columnheader").all_inner_texts() == heads
    row = table.get_by_role("row").filter(has_text="as headline 5 has it")
    assert row.get_by_role("rowheader").count() == 1
    assert row.get_by_role("cell", name="inconclusive", exact=True).count() == 1


def test_on_a_phone_a_headline_is_a_card_and_nothing_of_it_is_off_screen(visit):
    page = visit("index.html", viewport=PHONE)
    for button in page.locator(".matrix button").all():
        button.click()
    for cell in page.locator(".matrix :is(tbody th, td)").all():
        box = cell.bounding_box()
        assert box is None or box["x"] + box["width"] <= PHONE["width"] + 1
    cell = page.locator("[id='headline-first.headline1'] td[data-label='Set-ups']")
    assert cell.evaluate("one => getComputedStyle(one, '::before').content") == '"Set-ups"'


SCREENS = 12
"""How many screens high a page may be with its folds closed."""


def too_high(page, folder: Path) -> dict[str, float]:
    """Return the pages of a site that are too high for the window, in screens; notebooks are not looked at."""
    screen = page.viewport_size["height"]
    found = {}
    for path in sorted(folder.rglob("*.html")):
        if path.parent.name != "notebooks":
            page.goto(path.as_uri())
            screens = page.evaluate("document.documentElement.scrollHeight") / screen
            found |= {path.relative_to(folder).as_posix(): screens} if screens > SCREENS else {}
    return found


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_no_page_is_higher_than_twelve_screens(visit, site, all_papers, tmp_path, viewport):
    page = visit("index.html", viewport=viewport)
    assert too_high(page, site) == {}
    assert too_high(page, all_papers) == {}
    high = tmp_path / "high.html"
    high.write_text("<p style='height: 20000px'>high")
    assert list(too_high(page, tmp_path)) == ["high.html"]


CUT = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.ariaLabel)"


def test_no_table_is_cut_off_at_the_right_of_a_wide_window(visit, site):
    for address in ("index.html", "claims.html", "papers/first.html", "papers/second.html", "rules.html"):
        page = visit(address)
        open_folds(page)
        assert page.eval_on_selector_all(".wide", CUT) == [], address


def test_no_table_of_the_five_papers_is_cut_off_at_the_right_of_a_wide_window(visit, all_papers):
    page = visit("index.html")
    for path in sorted({*all_papers.glob("papers/*.html"), all_papers / "algorithms/rmbandit.html"}):
        page.goto(path.as_uri())
        page.eval_on_selector_all("details", "all => all.forEach((one) => { one.open = true })")
        assert page.eval_on_selector_all(".wide:not(pre)", CUT) == [], path.name


def test_on_a_phone_a_paper_of_the_matrix_is_a_fold_that_its_button_and_an_address_open(visit):
    page = visit("index.html", viewport=PHONE)
    row = page.locator("[id='headline-first.headline1']")
    assert row.is_hidden()
    assert page.locator(".matrix-key .key").is_hidden()
    button = page.get_by_role("button", name="Show 12 headlines")
    button.focus()
    page.keyboard.press("Enter")
    assert row.is_visible()
    assert button.count() == 0
    assert page.get_by_role("button", name="Hide 12 headlines").get_attribute("aria-expanded") == "true"
    named = visit("index.html#headline-second.headline1", viewport=PHONE)
    assert named.locator("[id='headline-second.headline1']").is_visible()
    assert named.locator("[id='headline-first.headline1']").is_hidden()
    assert visit("index.html").locator("[id='headline-first.headline1']").is_visible()


def test_without_scripts_a_phone_shows_the_whole_matrix(visit):
    page = visit("index.html", viewport=PHONE, java_script_enabled=False)
    assert page.locator("[id='headline-first.headline1']").is_visible()


def test_a_command_is_copied_by_keyboard(visit):
    page = visit("index.html", permissions=["clipboard-read", "clipboard-write"])
    button = page.get_by_role("button", name="Copy: Command that makes this run again")
    button.focus()
    page.keyboard.press("Enter")
    page.locator(".copyable .note", has_text="Copied").first.wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == COMMAND


def test_where_the_clipboard_is_refused_the_command_is_selected(visit):
    page = visit("index.html")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); }")
    page.locator(".copyable button").first.click()
    page.locator(".copyable .note", has_text="Selected").first.wait_for()
    assert page.evaluate("String(getSelection())") == COMMAND


def test_an_address_of_a_claim_opens_the_folds_around_it_and_other_folds_stay_closed(visit):
    page = visit("papers/first.html#first.claim1.3")
    page.locator("[id='first.claim1.3']").wait_for()
    assert page.locator("#fig2[open]").count() == 1
    assert page.locator("#fig3[open]").count() == 0
    assert page.locator("#fig1[open]").count() == 1  # the main figure


def test_no_word_of_advice_reaches_into_what_follows(visit):
    label = visit("algorithms/club.html").locator(".advice dt").first
    for word in (standings.USE, standings.OTHERS, standings.WEAK):
        label.locator(".verdict").evaluate("(one, word) => { one.lastChild.textContent = word; }", word)
        assert label.evaluate("one => one.scrollWidth <= one.clientWidth"), word


def test_a_tally_of_a_paper_opens_the_claims_it_counts(visit):
    # Followed by its address: a click while figures are still being loaded would stop them, which counts as an error.
    tally = visit("papers/first.html").locator(".scores .tally", has_text="fails").first
    page = visit(tally.get_attribute("href").removeprefix("../"))
    page.wait_for_function("document.getElementById('shown')?.textContent.startsWith('1 of ')")
    assert page.locator("select[name=paper]").input_value() == "first"
    assert page.locator("select[name=place]").input_value() == "Figure 1"
    assert page.locator("select[name=answer]").input_value() == "fails"


def test_on_a_phone_a_claim_is_a_card_and_nothing_of_it_is_off_screen(visit):
    for address in ("papers/first.html", "claims.html"):
        page = visit(address, viewport=PHONE)
        open_folds(page)
        row = page.locator(".claims tbody tr").first
        for cell in row.locator("th, td").all():
            box = cell.bounding_box()
            assert box is None or box["x"] + box["width"] <= PHONE["width"] + 1
        assert page.locator(".claims").first.evaluate("one => one.scrollWidth <= window.innerWidth")
        names = (
            page.locator(".claims")
            .first.locator("th[data-label]")
            .evaluate_all("all => all.map((one) => one.dataset.label)")
        )
        assert row.locator("td[data-label]").evaluate_all("all => all.map((one) => one.dataset.label)") == names


@pytest.mark.parametrize("address", ["papers/first.html", "claims.html"])
def test_columns_of_numbers_are_aligned_right_without_scripts_and_stay_tables_on_a_phone(visit, address):
    page = visit(address, viewport=PHONE, java_script_enabled=False)
    for table in page.locator(".claims").all():
        heads, cells = table.locator("thead th"), table.locator("tbody tr").first.locator("th, td")
        for head, cell in zip(heads.all(), cells.all(), strict=True):
            label = head.get_attribute("data-label")
            side = "right" if label not in (None, "Kind") else "left"
            for one in (head, cell):
                style = one.evaluate("one => [getComputedStyle(one).textAlign, getComputedStyle(one).display]")
                assert style == [side, "table-cell"], (label, style)


@pytest.mark.parametrize("number", range(1, 8))
def test_a_chart_of_every_kind_appears_and_its_legend_hides_a_series(visit, number):
    page = visit(f"papers/first.html#first_fig{number}")
    figure = page.locator(f"#first_fig{number}")
    figure.get_by_role("button", name="Interactive").click()
    marks = figure.locator(".panel").first.locator(MARKS)
    marks.first.wait_for(state="attached")
    assert figure.locator("img").is_hidden()
    before = marks.count()
    name = figure.locator(".legend button").first
    name.focus()
    page.keyboard.press("Enter")
    assert name.get_attribute("aria-pressed") == "false"
    count = f"([id, n]) => document.querySelector(`#${{id}} .panel`).querySelectorAll('{MARKS}').length"
    page.wait_for_function(f"{count} < n", arg=[f"first_fig{number}", before])
    page.keyboard.press("Enter")
    page.wait_for_function(f"{count} === n", arg=[f"first_fig{number}", before])
    figure.get_by_role("button", name="Interactive").click()
    assert figure.locator("img").is_visible()


def curve(visit, headline: str = "first.headline1", **options):
    """Return the page of readings with the curve of a headline opened, and its card."""
    page = visit(f"readings.html#{headline}", **options)
    card = page.locator(f"[id='{headline}']")
    card.locator("g.mark-symbol path").first.wait_for(state="attached")
    return page, card


def told(card, words: str) -> None:
    """Wait until a card says something of its readings."""
    card.locator(".shown, .decides, .reading").filter(has_text=words).first.wait_for()


def test_an_address_opens_the_curve_of_its_headline_with_a_mark_and_a_dot_for_each_answer(visit):
    _, card = curve(visit)
    assert card.locator("img").is_hidden()
    symbols = card.locator("g.mark-symbol").all()
    assert [one.locator("path").count() for one in symbols] == [24, 4 * 24]
    assert card.locator("g.mark-text", has_text="as written").count() == 1
    card.get_by_role("button", name="Interactive").click()
    assert card.locator("img").is_visible()
    assert card.locator(".answers").is_hidden()


def test_an_answer_keeps_the_readings_that_have_it_and_counts_them_again(visit, site):
    rows = read_rows(site.parent / "readings/readings/first_headline1.csv")
    served = [row["answer"] for row in rows if row["learners"] == "served"]
    holds, fails = served.count("holds"), served.count("fails")
    judged = len(rows)
    _, card = curve(visit)
    every = f"of {judged} set-ups"
    told(card, every)
    card.locator("select[name=learners]").select_option(label=f"served ({len(served)})")
    told(card, f"Holds in {holds} of {len(served)} set-ups, fails in {fails}. Kept: {len(served)} of {len(rows)}")
    marks = card.locator("g.mark-symbol path").all()
    assert sum(float(one.get_attribute("opacity")) < 0.5 for one in marks) == 5 * (len(rows) - len(served))
    assert f"holds ({holds})" in card.locator(".legend").text_content()
    card.get_by_role("button", name="All set-ups").press("Enter")
    told(card, every)
    card.locator(".decides", has_text="Kept").wait_for(state="detached")


def test_arrow_keys_go_through_the_readings_and_the_pointer_shows_one(visit):
    page, card = curve(visit)
    card.locator(".plot").focus()
    page.keyboard.press("ArrowRight")
    told(card, "Set-up 1 of 24: ")
    page.keyboard.press("End")
    told(card, "Set-up 24 of 24: ")
    page.keyboard.press("Escape")
    assert card.locator(".reading").inner_text() == ""
    card.locator("svg.marks").hover(position={"x": 400, "y": 150})
    tip = page.locator("#vg-tooltip-element.visible")
    tip.wait_for()
    for words in ("verdict", "95 % interval", "limits", "learners", "context"):
        assert words in tip.inner_text()


def test_the_set_ups_of_a_headline_lead_to_its_curve(visit):
    page = visit("papers/first.html")
    share = page.locator("#headline-headline1 .four a")
    assert share.inner_text().endswith(" of 24")
    page = visit(share.get_attribute("href").removeprefix("../"))
    page.locator("[id='first.headline1'] .curve-fold[open] svg.marks").wait_for()


def test_an_address_of_a_question_opens_the_list_of_what_a_paper_leaves_open(visit):
    page = visit("readings.html#open-first-learners")
    page.locator("#open-first-learners").wait_for()
    assert page.locator("#open-first-learners").is_visible()


def test_without_scripts_the_curve_is_a_picture(visit):
    page = visit("readings.html", java_script_enabled=False)
    fold = page.locator(".curve-fold").first
    fold.locator("summary").click()
    assert fold.locator("img").is_visible()
    assert page.locator(".answers").count() == 0
    assert page.locator(".strip").first.is_visible()


def test_an_axis_becomes_logarithmic_and_back(visit):
    page = visit("papers/first.html")
    figure = page.locator("#first_fig1")
    figure.get_by_role("button", name="Interactive").click()
    ticks = figure.locator(".panel").first.locator("g.role-axis-label").last
    ticks.wait_for(state="attached")
    linear = ticks.text_content()
    switch = figure.get_by_role("button", name="Log y")
    switch.press("Enter")
    page.wait_for_function(f"(old) => {LAST_TICK} !== old", arg=linear)
    assert switch.get_attribute("aria-pressed") == "true"
    switch.press("Enter")
    page.wait_for_function(f"(old) => {LAST_TICK} === old", arg=linear)


def test_values_show_where_the_pointer_is(visit):
    page = visit("papers/first.html")
    figure = page.locator("#first_fig1")
    figure.get_by_role("button", name="Interactive").click()
    plot = figure.locator(".panel").first.locator("svg.marks")
    plot.wait_for()
    plot.hover(position={"x": 250, "y": 150})
    tip = page.locator("#vg-tooltip-element.visible")
    tip.wait_for()
    assert "mean" in tip.inner_text()


def test_without_scripts_figures_and_claims_stand_there_and_nothing_that_needs_them(visit):
    page = visit("papers/first.html", java_script_enabled=False)
    image = page.locator("#first_fig1 img")
    image.scroll_into_view_if_needed()
    assert image.is_visible()
    page.locator("#fig1 > details > summary", has_text="about this").click()
    assert page.locator("#first\\.claim0\\.1").is_visible()
    for hidden in (".search", ".theme"):
        assert page.locator(hidden).is_hidden()
    assert page.get_by_role("button", name="Interactive").count() == 0
    assert visit("claims.html", java_script_enabled=False).locator(".filters").is_hidden()


def test_static_figures_can_be_drawn_by_the_browser(visit):
    page = visit("papers/first.html")
    page.eval_on_selector_all("img", "all => all.forEach((one) => { one.loading = 'eager' })")
    page.wait_for_function("[...document.images].every((one) => one.complete)")
    assert page.evaluate("[...document.images].every((one) => one.naturalWidth > 100)")


def test_the_theme_is_switched_and_remembered(visit):
    page = visit("index.html", color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Dark").click()
    dark = page.evaluate(ground)
    assert dark != light
    page.get_by_role("link", name="Claims", exact=True).click()
    page.wait_for_url("**/claims.html")
    assert page.evaluate(ground) == dark
    page.get_by_role("button", name="Light").click()
    assert page.evaluate(ground) == light


def test_the_first_tab_skips_to_the_content_and_focus_can_be_seen(visit):
    page = visit("papers/first.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


def test_on_paper_there_are_figures_and_no_controls(visit):
    page = visit("papers/first.html")
    page.locator("#first_fig1").get_by_role("button", name="Interactive").click()
    page.locator("#first_fig1 svg.marks").first.wait_for()
    page.emulate_media(media="print")
    assert page.locator("#first_fig1 img").is_visible()
    for gone in ("header nav", ".figure-tools", "#first_fig1 .plot"):
        assert page.locator(gone).first.is_hidden()


PLANTS = """() => {
    window.planted = 0;
    const place = document.createElement("div");
    place.innerHTML = '<img src="data:none" onerror="window.planted = 1"><a href="javascript:window.planted=2">x</a>';
    document.body.append(place);
    const script = document.createElement("script");
    script.textContent = "window.planted = 3";
    document.body.append(script);
    place.querySelector("a").click();
    return fetch("https://example.org/").then(() => "asked", () => "refused");
}"""


@pytest.mark.parametrize("address", KINDS)
def test_a_page_runs_no_script_that_is_planted_in_it_and_asks_no_other_host(browser, site, address):
    page = browser.new_context().new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.url.startswith("http") else None)
    page.goto((site / address).as_uri())
    assert page.evaluate(PLANTS) == "refused"
    page.wait_for_timeout(100)
    assert page.evaluate("window.planted") == 0
    assert asked == []
    page.context.close()
