# SPDX-License-Identifier: Apache-2.0
"""What a model's choices lose on problems that it has not seen, and which records tell of engines of now."""

from types import SimpleNamespace

import numpy as np
import pytest

from analysis import held_out, model, since


def of(engine, i, seconds, work, op="forward"):
    amounts = np.array([work if term == "fma" else 0.0 for term in model.TERMS])
    return model.Timed(engine, f"{engine}.cuda", f"h200 {op} {i}", op, "f32", False, seconds, amounts)


def times():
    """`fast` takes half of `slow` but for problem 7, of which only its own times tell."""
    found = []
    for i in range(40):
        work = 1e6 * (1 + i)
        for op in ("forward", "adjoint"):
            fast = (3e-11 if i == 7 else 1e-11) * work
            found += [of("fast", i, fast, work, op), of("slow", i, 2e-11 * work, work, op)]
    return found


def test_what_is_chosen_has_seen_nothing_of_its_problem():
    them = times()
    cases = held_out.foreseen(them, {t.case for t in them})
    found = held_out.choices(cases)
    assert len(found) == 80 and [c.regret for c in found[:2]] == pytest.approx([.5, .5]) and found[2].regret == 0
    assert {c.best[1].case for c in found[:2]} == {"h200 forward 7", "h200 adjoint 7"}
    assert all(c.chosen[1].engine == "fast" for c in found)
    assert "80 operations" in held_out.summary(found) and "2 above 10 %" in held_out.summary(found)


def test_only_what_is_asked_about_is_chosen_for():
    them = times()
    cases = held_out.foreseen(them, {"h200 forward 3", "h200 forward 5"})
    assert sorted(pairs[0][1].case for pairs in cases) == ["h200 forward 3", "h200 forward 5"]
    assert held_out.choices([pairs[:1] for pairs in cases]) == []
    assert [row[:2] for row in held_out.errors(cases)] == [["fast forward f32", "2"], ["slow forward f32", "2"]]


def test_a_uniform_case_is_a_problem_and_both_ways_of_another_are_one():
    def problem(case, is_uniform):
        return held_out.problem(SimpleNamespace(case=case, is_uniform=is_uniform))
    a, b = ("h200 uniform:scfo64*{} tol=1e-4 seed=1".format(batch) for batch in (1, 2))
    assert problem(a, True) == a != problem(b, True)
    assert problem("h200 forward 2d", False) == problem("h200 adjoint 2d", False) != problem("h100 forward 2d", False)


def test_the_fit_is_that_of_the_device_asked_about(monkeypatch):
    """Of which others may have more records."""
    def of(slug, count):
        return [SimpleNamespace(device=SimpleNamespace(slug=slug), case=SimpleNamespace(text=f"forward {i}"))
                for i in range(count)]
    fitted = []
    monkeypatch.setattr(model, "that_count", lambda records, backend: list(records))
    monkeypatch.setattr(model, "times_of", lambda records, backend, slug: fitted.append(slug) or times())
    monkeypatch.setattr(held_out.program, "short", str)
    asked = of("h200", 2)
    assert "2 operations" in held_out.text_of(of("h100", 3) + asked, iter(asked), "cuda")
    assert fitted == ["h200"]


ALONE = {"coils": 1, "field": "none"}


def record(name, started, op="forward", dim=2, coils=4, field="smooth", chosen="", prec="f32"):
    return SimpleNamespace(backend="cuda", family=name, run=SimpleNamespace(started=started), raw={"chosen": chosen},
                           case=SimpleNamespace(op=op, dim=dim, coils=coils, prec=prec, text=f"{op} field={field}"))


@pytest.mark.parametrize("what, counts", [
    (dict(name="stockham", started="20261130T083520Z", prec="f64"), False),
    (dict(name="stockham", started="20261130T124823Z", prec="f64"), True),
    (dict(name="nufft_scatter", started="20261128T235959Z"), False),
    (dict(name="nufft_scatter", started="20261129T094829Z"), True),
    (dict(name="nufft_interleaved", started="20261129T130253Z"), False),
    (dict(name="nufft_interleaved", started="20261129T143306Z"), True),
    (dict(name="nufft_interleaved", started="20261129T143306Z", op="adjoint"), False),
    (dict(name="nufft_interleaved", started="20261129T214659Z", dim=3, coils=7), False),
    (dict(name="nufft_interleaved", started="20261129T214659Z", dim=3, coils=16), True),
    (dict(name="nufft_interleaved", started="20261129T222456Z", dim=3, coils=7), True),
    (dict(name="nufft_interleaved", started="20261130T012535Z", coils=16, chosen="lanes=8"), False),
    (dict(name="nufft_interleaved", started="20261130T012535Z", coils=8, chosen="lanes=8"), True),
    (dict(name="nufft_interleaved", started="20261130T021109Z", coils=16, chosen="lanes=8"), True),
    (dict(name="nufft_scatter", started="20261129T173056Z", **ALONE), False),
    (dict(name="nufft_scatter", started="20261129T173056Z", op="adjoint", **ALONE), False),
    (dict(name="nufft_scatter", started="20261129T173056Z", op="adjoint", chosen="fft=own", **ALONE), True),
    (dict(name="nufft_gemm", started="20261129T173056Z", op="adjoint", chosen="fft=own", **ALONE), False),
    (dict(name="nufft_scatter", started="20261129T173056Z", dim=1), False),
    (dict(name="nufft_scatter", started="20261129T211121Z", dim=1), True)])
def test_records_of_other_kernels_do_not_count(what, counts):
    assert since.is_dated(record(**what)) and since.is_of_now(record(**what)) == counts


def test_all_count_in_double_by_knobs_that_there_were():
    them = record("nufft_scatter", "20261121T000000Z", prec="f64")
    them.id = "nufft_scatter.cuda:sigma=150,length=32"
    assert since.is_dated(them) and since.is_of_now(them)
    assert model.is_alike(them, "nufft_scatter.cuda:sigma=150,fft=auto,length=32", {})
    assert not model.is_alike(them, "nufft_scatter.cuda:sigma=200,fft=auto,length=32", {})


@pytest.mark.parametrize("name", ["nufft_line", "tiled"])
def test_of_others_the_work_that_they_declare_tells(name):
    assert not since.is_dated(record(name, "20261121T000000Z"))
