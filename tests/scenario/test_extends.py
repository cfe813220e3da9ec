"""Starting from another scenario: merging, removing, what is not inherited, and circles."""

from __future__ import annotations

import pytest

from bpstep.scenario import ScenarioError, load, loads

BASE = """\
bpstep: 1
title: base
about: Of the base.
params: {w: {value: 1, note: Of w.}, b: 2}
constants: {t: 1}
graph: {p: w * b, q: p + t, loss: q * q, extra: p}
loss: loss
buffers: accumulate
conventions: {relu: 1}
checks: [{wrt: w}]
notes: {p: Of p.}
breakpoints: [p]
fault: {kind: early}
expect: {values: {p: 2}}
predict: [{at: p, ask: What?, answer: 2}]
"""


@pytest.fixture
def base(tmp_path):
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")
    return tmp_path


def over(folder, rest, name="over.yaml", extends="base.yaml"):
    path = folder / name
    path.write_text(f"bpstep: 1\ntitle: over\nextends: {extends}\n{rest}", encoding="utf-8")
    return load(path)


def names(loaded):
    graph = loaded.graph()
    return [graph.label(node) for node in graph.visible()]


def test_mappings_merge_and_the_base_keeps_its_place(base):
    loaded = over(base, "graph: {new: w * 2, p: new + b}\nparams: {c: 5, b: 3}")
    assert names(loaded) == ["w", "b", "c", "t", "new", "p", "q", "loss", "extra"]
    assert loaded.run().value("p") == 5.0
    assert loaded.loss == "loss"
    assert loaded.settings.buffers == "accumulate"
    assert [check.wrt for check in loaded.checks] == ["w"]
    assert loaded.lines["new"] == 4
    assert loaded.lines["q"] == 6
    elsewhere = {name: source.path for name, source in loaded.inherited.items()}
    assert elsewhere == dict.fromkeys(["w", "t", "q", "loss", "extra"], str(base / "base.yaml"))


def test_what_belongs_to_the_base_alone_is_not_inherited(base):
    loaded = over(base, "")
    assert (loaded.title, loaded.about) == ("over", "")
    assert loaded.expect.values == {}
    assert (loaded.predict, loaded.breakpoints, loaded.fault) == ((), (), None)
    assert loaded.notes == {"w": "Of w."}  # a leaf's own note stays with it


def test_leaves_merge_key_by_key(base):
    leaf = next(leaf for leaf in over(base, "params: {w: {grad: false}}").leaves)
    assert (leaf.value, leaf.grad, leaf.note) == (1.0, False, "Of w.")


def test_other_values_replace(base):
    loaded = over(base, "conventions: jax\nchecks: [{wrt: b}]\nparams: {w: 7}")
    assert loaded.conventions == "jax"
    assert [check.wrt for check in loaded.checks] == ["b"]
    assert loaded.leaf_values["w"] == 7.0


def test_null_removes(base):
    loaded = over(base, "graph: {extra: ~, q: p}\nconstants: {t: null}\nchecks: null")
    assert names(loaded) == ["w", "b", "p", "q", "loss"]
    assert loaded.checks == ()


def test_the_default_loss_is_that_of_the_base(tmp_path):
    (tmp_path / "base.yaml").write_text(BASE.replace("loss: loss\n", ""), encoding="utf-8")
    assert over(tmp_path, "graph: {more: extra * 2}").loss == "extra"
    assert over(tmp_path, "graph: {extra: ~, more: q * 2}").loss == "more"
    over(tmp_path, "graph: {more: extra * 2}")
    assert over(tmp_path, "graph: {most: more * 2}", "third.yaml", "over.yaml").loss == "extra"


def test_a_list_replaces_a_mapping(base):
    graph = "graph:\n  - a0: w\n  - repeat: {i: [1, 2]}\n    do: ['a{i}': 'a{i-1} * b']\n"
    assert over(base, graph + "loss: a2").loss == "a2"


def test_bases_are_found_beside_their_own_file(base):
    (base / "sub").mkdir()
    over(base, "params: {w: 4}", "sub/middle.yaml", "../base.yaml")
    assert over(base, "", "top.yaml", "sub/middle.yaml").leaf_values["w"] == 4.0


def test_a_bare_name_is_one_that_comes_with_the_program():
    loaded = loads(
        "bpstep: 1\ntitle: t\nextends: full\ngraph: {skip: detach(p), y: q + skip}\nloss: loss"
    )
    assert loaded.run().value("loss") == 8.0
    assert loaded.run().grad("w") == 24.0


def test_a_problem_is_told_in_the_file_where_it_stands(base):
    with pytest.raises(ScenarioError) as caught:
        over(base, "params: {b: ~}\ngraph: {new: zz}")
    told = [(problem.file.rsplit("/")[-1], problem.line) for problem in caught.value.problems]
    assert sorted(told) == [("base.yaml", 6), ("over.yaml", 5)]
    assert "graph: {p: w * b" in str(caught.value)


@pytest.mark.parametrize(
    ("rest", "extends", "message"),
    [
        ("", "bose.yaml", "no scenario 'bose.yaml'"),
        ("", ".", r"no scenario '\.'"),
        ("", "over.yaml", "extend each other: over.yaml → over.yaml"),
        ("", '"a\\tb"', "no scenario 'a b'"),
        ("graph: {extr: ~}", "base.yaml", "no 'extr' to remove(.|\n)*did you mean: extra"),
        ("extends: base.yaml", "base.yaml", "a second time"),
    ],
)
def test_mistakes(base, rest, extends, message):
    with pytest.raises(ScenarioError, match=message) as caught:
        over(base, rest, extends=extends)
    assert caught.value.problems[0].line in (3, 4)


def test_circles_and_long_chains_end(base):
    text = "bpstep: 1\ntitle: t\nextends: {}\n"
    (base / "a.yaml").write_text(text.format("b.yaml"), encoding="utf-8")
    (base / "b.yaml").write_text(text.format("./a.yaml"), encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"a\.yaml → b\.yaml → a\.yaml"):
        load(base / "a.yaml")
    for number in range(40):
        path = base / f"c{number}.yaml"
        path.write_text(text.format(f"c{number + 1}.yaml"), encoding="utf-8")
    with pytest.raises(ScenarioError, match="too long"):
        load(base / "c0.yaml")


@pytest.mark.parametrize(
    ("text", "message"),
    [("bpstep: 2\ntitle: t\n", "another format"), ("[", "not YAML"), ("3", "is no scenario")],
)
def test_a_base_of_another_format_or_no_yaml_is_refused(base, text, message):
    (base / "bad.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError, match=message):
        over(base, "params: {w: 1}\ngraph: {a: w}", extends="bad.yaml")
