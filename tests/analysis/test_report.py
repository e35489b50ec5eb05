# SPDX-License-Identifier: Apache-2.0
"""The report's page: what it answers, in which order, and that it stands alone."""

import base64
import csv
import io
import re
from html.parser import HTMLParser

import pytest

from campaign import campaign
from page import reported, section
from synthetic import case_line, peak_line, run_line, write

from analysis.plots import palette
from analysis.__main__ import main

ORDER = ("decide", "trust", "ceiling", "crossover", "failures", "records")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    path = campaign(folder / "all.jsonl")
    assert main(["report", str(path), "-o", str(folder / "out"), "--figures"]) == 0
    return folder / "out", (folder / "out/report.html").read_text()


@pytest.fixture(scope="module")
def small(page):
    """Of two variants over sizes, which few pictures of every kind show."""
    folder, _ = page
    wanted = re.compile(r'"forward .*field=random:200Hz .*coils=1 .*"(naive|tiled)[.]cuda.*"mode": "batch"')
    lines = (folder.parent / "all.jsonl").read_text().splitlines(keepends=True)
    path = folder.parent / "small.jsonl"
    path.write_text("".join(line for line in lines if '"type": "case"' not in line or wanted.search(line)))
    return path


@pytest.fixture(scope="module")
def small_page(small):
    folder = small.parent / "small"
    assert main(["report", str(small), "-o", str(folder), "--figures"]) == 0
    return folder, (folder / "report.html").read_text()


def test_page_needs_nothing_but_its_folder(page):
    folder, text = page
    beside = re.findall(r'(?<!xlink:)(?:src|href)="([^#"][^"]*)"', text)
    assert beside and all((folder / name).is_file() for name in beside)
    assert "@import" not in text and "url(http" not in text
    assert text.count("<script>") == 1 and not re.search(r"fetch|import|XMLHttp|src=", text[text.index("<script>"):])


def test_questions_are_answered_in_order(page):
    _, text = page
    places = [text.index(f'id="{name}"') for name in ORDER]
    assert places == sorted(places)
    answer = text[text.index('class="answer"'):text.index("<table")]
    assert "On h200 run <b>output_driven.cuda</b> in" in answer


def test_every_figure_has_its_files_beside_the_page(page):
    folder, text = page
    pictures = sorted(folder.glob("*.svg"))
    kinds = {p.name.rpartition("-")[0] for p in pictures}
    assert kinds >= {"size", "tiles", "accuracy", "roofline", "margins", "samples"}
    assert text.count("<figure>") == len(pictures)
    for picture in pictures:
        numbers = picture.with_suffix(".csv").read_text()
        rows = list(csv.DictReader(io.StringIO(numbers)))
        assert rows and all(row["again"].startswith("./ndft bench '") for row in rows)
        assert f'<a href="{picture.stem}.csv">' in text
        assert picture.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_every_point_tells_its_command(page):
    folder, _ = page
    drawn = (folder / "size-1.svg").read_text()
    commands = re.findall(r"<title>[^<]*\./ndft bench '[^<]*</title>", drawn)
    rows = list(csv.DictReader((folder / "size-1.csv").open()))
    assert len(commands) == 2 * len(rows) > 20  # in time and in rate


def test_pictures_say_in_words_what_they_show(page):
    _, text = page
    svgs = re.findall(r"<svg [^>]*>", text)
    assert svgs and all(re.search(r'role="img" aria-label="[^"]{20,}"', svg) for svg in svgs)


def test_pictures_are_drawn_in_colours_that_follow_the_page(page):
    folder, _ = page
    for picture in folder.glob("*.svg"):
        fixed = re.sub(r"var\(--[^)]*\)", "", picture.read_text())
        fixed = re.sub(r'(href|path|url\()[^"]*"?#', "", fixed)
        assert not re.findall(r"(?:fill|stroke): #[0-9a-f]{6}", fixed), picture.name


def test_every_record_has_its_line_to_copy(page):
    folder, text = page
    lines = (folder.parent / "all.jsonl").read_text().count('"type": "case"')
    records = section(text, "records")
    assert len(re.findall(r'<td class="command"><code>--variant \S+', records)) == lines > 100
    assert records.count("./ndft bench '") == records.count("<details")
    assert "<code>./ndft bench 'forward 2d n=256x256 m=65536 t=30ms field=random:200Hz'</code>" in records
    assert "<code>--variant 'tiled.cuda' --knob tile=32,outputs=2</code>" in records
    assert "<code>--variant 'naive.cuda' --modes cold</code>" in records
    rows = list(csv.DictReader((folder / "records.csv").open()))
    assert "./ndft bench 'forward 2d n=256x256 m=65536 t=30ms field=random:200Hz' --variant 'naive.cuda'" in [r["again"] for r in rows]
    footer = text[text.index("<footer"):]
    assert "run <code>r1</code>" in footer and "0123abcd" in footer
    assert "580.1 / 13.0" in footer and "NVIDIA H200" in footer


def test_same_records_make_the_same_page(small, small_page, tmp_path):
    _, text = small_page
    main(["report", str(small), "-o", str(tmp_path), "--figures"])
    assert (tmp_path / "report.html").read_text() == text and text.count("<figure>") > 1


def test_failures_are_rows_with_their_reason_worst_first(page):
    _, text = page
    failures = section(text, "failures")
    assert "rel_l2 4.0e-2 &gt; claim 8.0e-6" in failures
    assert "tile 1024 needs 65536 bytes" in failures
    places = [failures.index(what) for what in (
        "1 wrong", "1 crashed", "1 timeout", "1 error", "2 quarantined", "2 unsupported")]
    assert places == sorted(places)
    assert failures.count("quarantined after two: signal 11") == 1  # alike failures share a row


def test_text_of_records_is_never_markup(tmp_path):
    evil = "<script>alert('x')</script>&\"quoted\""
    text = reported(tmp_path, case_line(), case_line("naive.cuda", verdict="error", reason=evil),
                    case_line("fast_math.cuda:outputs=<b>1", rate=9e11),
                    case_line(mode="cold<script>"), peak_line(note=evil))
    assert text.count("<script") == 1 and "<b>1" not in text
    assert text.count("&lt;script&gt;alert") >= 2


class Balance(HTMLParser):
    """Knows whether every element that was opened was closed in its place."""

    VOID = ("meta", "br")

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        self.open += [tag] * (tag not in self.VOID)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_elements_are_balanced_and_tables_have_heads(page):
    _, text = page
    checker = Balance()
    checker.feed(text)
    assert not checker.open
    assert text.count("<table") == text.count('<thead><tr><th')
    assert all('scope="' in head for head in re.findall(r"<th[^>e]*>", text))


def test_nothing_passed_still_makes_a_page(tmp_path, capsys):
    text = reported(tmp_path, case_line(verdict="crashed"))
    assert capsys.readouterr().out.endswith("\n\nnothing passed, so nothing can win\n")
    assert "nothing can win" in text and "for a reason" in text
    assert not list(tmp_path.rglob("*.svg"))


def test_samples_that_are_all_alike_still_make_a_picture(tmp_path):
    alike = {"samples_s": [1e-3, 1e-3, 1e-3, None], "q1_s": None, "q3_s": None, "ci_lo_s": None, "ci_hi_s": None}
    reported(tmp_path, case_line() | alike, case_line("naive.cuda", 1e11) | alike)
    assert (tmp_path / "samples-1.svg").exists()


def test_an_image_is_shown_without_its_map_and_with_it(page, tmp_path):
    _, without = page
    assert "<img" not in without and 'id="image"' not in without
    (tmp_path / "image").mkdir()
    for name in ("without_map", "with_map"):
        (tmp_path / f"image/{name}.png").write_bytes(b"\x89PNG of " + name.encode())
    (tmp_path / "image/report.txt").write_text("NRMSE <1\n")
    records = write(tmp_path / "records.jsonl", run_line(), case_line(), case_line("naive.cuda", 1e11))
    assert main(["report", str(records), "-o", str(tmp_path / "out"), "--image", str(tmp_path / "image")]) == 0
    text = (tmp_path / "out/report.html").read_text()
    shown = [base64.b64decode(data) for data in re.findall('src="data:image/png;base64,([^"]*)"', text)]
    assert shown == [b"\x89PNG of without_map", b"\x89PNG of with_map"] and "NRMSE &lt;1" in text
    assert text.index('id="decide"') < text.index('id="image"') < text.index('id="trust"')
    assert main(["report", str(records), "-o", str(tmp_path / "out"), "--image", str(tmp_path)]) == 3


def test_figures_are_in_the_page_alone_unless_asked_for(small, small_page, tmp_path):
    folder, text = small_page
    assert len(list(folder.glob("*.svg"))) > 6 and (folder / "size-1.csv").exists()
    assert main(["report", str(small), "-o", str(tmp_path)]) == 0
    assert not list(tmp_path.glob("*.svg")) and not (tmp_path / "size-1.csv").exists()
    assert (tmp_path / "report.html").read_text().count("<figure>") == text.count("<figure>")


def contrast(a, b):
    def luminance(colour):
        parts = (int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5))
        red, green, blue = (c / 12.92 if c <= .04045 else ((c + .055) / 1.055) ** 2.4
                            for c in parts)
        return .2126 * red + .7152 * green + .0722 * blue
    low, high = sorted((luminance(a), luminance(b)))
    return (high + .05) / (low + .05)


@pytest.mark.parametrize("mode", [0, 1])
def test_colours_can_be_read_in_light_and_dark(mode):
    """WCAG 2: text on its background has a contrast of at least 4.5."""
    backgrounds = [palette.EVERY[name][mode] for name in ("paper", "void")]
    for name, colours in palette.EVERY.items():
        if name not in ("paper", "void", "line", "edge"):
            assert min(contrast(colours[mode], b) for b in backgrounds) >= 4.5, name


def test_colours_have_one_name_each():
    lights = [pair[0] for pair in palette.EVERY.values()]
    assert len(set(lights)) == len(lights)


def test_energy_calls_and_working_sets_are_shown(tmp_path):
    run = run_line()
    run["devices"]["cuda"] = run["devices"]["cuda"] | {"l2_bytes": 50_000_000}
    lines = (run, case_line("naive.cuda", energy_j=0.0342, host_call_s=3.1e-6, working_set_bytes=84_000_000),
             case_line("tiled.cuda"))
    assert main(["report", str(write(tmp_path / "a.jsonl", *lines)), "-o", str(tmp_path / "out")]) == 0
    records = section((tmp_path / "out/report.html").read_text(), "records")
    assert all(shown in records for shown in ("34.2 mJ", "3.10 µs", "84.0 MB, 1.7 L2"))
    rows = {row["variant"]: row for row in csv.DictReader((tmp_path / "out/records.csv").open())}
    assert rows["naive.cuda"]["energy_j"] == "0.0342" and rows["naive.cuda"]["l2_bytes"] == "50000000"
    assert not rows["tiled.cuda"]["energy_j"]
