"""Computations that somebody's question about a gradient was reduced to, and their verdicts.

One line each: a title, leaves and graph in the scenario format, and the verdict by leaf.
"""

from __future__ import annotations

from dataclasses import dataclass

from bpstep.scenario import Scenario, loads


@dataclass(frozen=True)
class Case:
    """A computation and what checks of its leaves must say."""

    title: str
    body: str
    verdicts: dict[str, str]

    def scenario(self) -> Scenario:
        """The scenario."""
        return loads(f"bpstep: 1\ntitle: {self.title}\n{self.body}\n")


def case(title: str, body: str, **verdicts: str) -> Case:
    return Case(title, body, verdicts)


CASES = (
    case(
        "argmax then model",
        "params: {z: [0.2, 1.5, -0.3], w: 2}\ngraph: {i: argmax(z), y: w*i, e: y - 3, loss: e**2}",
        w="agrees",
        z="agrees",
    ),
    case(
        "bias broadcast over rows",
        "params: {A: [[1, -2, 0.5], [0, 3, -1]], b: [0.1, 0.2, 0.3]}\n"
        "graph: {Z: A + b, Q: Z*Z, s: sum(Q)}",
        A="agrees",
        b="agrees",
    ),
    case("norm of zero", "params: {x: [0, 0]}\ngraph: {n: norm(x)}", x="kink"),
    case(
        "clip then infinite slope",
        'params: {x: 10}\ngraph: {c: "clamp(x, min=-1, max=1)", c2: c*c, u: 1 - c2, r: sqrt(u)}',
        x="agrees",
    ),
    case(
        "dead relu of all samples",
        "params: {w: -1, b: -0.5}\nconstants: {x: [1, 2], t: [1, 2]}\n"
        "graph: {z: w*x + b, h: relu(z), e: h - t, loss: mean(e*e)}",
        w="agrees",
        b="agrees",
    ),
    case(
        "a large constant",
        "params: {x: 1}\ngraph: {e: exp(x), y: e*100, z: y + 1e6}",
        x="agrees",
    ),
    case(
        "distance of equal points",
        "params: {x: 1, y: 1}\ngraph: {d: x - y, s: d*d, r: sqrt(s)}",
        x="nonfinite",
        y="nonfinite",
    ),
    case(
        "double where",
        "params: {x: [-1, -4, 4]}\n"
        'graph: {c: x > 0, safe: "where(c, x, 1)", r: sqrt(safe), y: "where(c, r, x)", s: sum(y)}',
        x="agrees",
    ),
    case(
        "floor at an integer",
        "params: {x: 2}\ngraph: {f: floor(x), e: f - 0.5, loss: e**2}",
        x="jump",
    ),
    case(
        "four ways to write relu",
        'params: {x: 0}\ngraph: {zero: 0*detach(x), y1: relu(x), y2: "maximum(x, zero)",'
        ' y3: "clamp(x, min=0)", y4: "where(x > 0, x, 0)", s: y1 + y2 + y3 + y4}',
        x="kink",
    ),
    case("an l1 penalty at 0", "params: {w: 0}\ngraph: {loss: 0.3*abs(w) - 0.1*w}", w="kink"),
    case(
        "log of a saturated probability",
        "params: {z: 40}\ngraph: {p: sigmoid(z), q: 1 - p, loss: -log(q)}",
        z="nonfinite",
    ),
    case(
        "log-sum-exp with a tied maximum",
        "params: {z: [2, 2, 1]}\ngraph: {m: max(z), d: z - m, e: exp(d), s: sum(e), y: log(s) + m}",
        z="agrees",
    ),
    case(
        "a detached term of the loss",
        "params: {w: 2}\ngraph: {d: w - 1, l1: d**2, adv: 3*w, advd: detach(adv), loss: l1 + advd}",
        w="detached",
    ),
    case(
        "maximum of equals",
        'params: {a: 2, b: 2}\ngraph: {m: "maximum(a, b)", loss: m**2}',
        a="kink",
        b="kink",
    ),
    case(
        "a nan that is replaced",
        "params: {x: 1.5}\nconstants: {w: .nan}\n"
        'graph: {p: x*w, b: isnan(p), y: "where(b, 0, p)", loss: y**2}',
        x="nonfinite",
    ),
    case(
        "a tie within the steps",
        'params: {a: 1, b: 1.0000001}\ngraph: {m: "maximum(a, b)", loss: m**2}',
        a="near-kink",
        b="near-kink",
    ),
    case(
        "smooth, and nan inside",
        "params: {x: [0, 0]}\ngraph: {q: x*x, r: sqrt(sum(q)), loss: exp(-(r**2))}",
        x="nonfinite",
    ),
    case(
        "a polynomial by powers",
        'params: {x: 0}\nconstants: {k: [0, 1, 2]}\ngraph: {p: "pow(x, k)", s: sum(p)}',
        x="agrees",
    ),
    case(
        "a dead branch beside a skip",
        "params: {x: 2, w: -1}\ngraph: {b: relu(w*x), y: x + b, r: y - 1, loss: 0.5*r**2}",
        x="agrees",
        w="agrees",
    ),
    case("a sum of itself, twice", "params: {a: 1}\ngraph: {b: a + a, c: b + b}", a="agrees"),
    case(
        "softmax and the target class",
        "params: {z: [1, 2, 0.5]}\nconstants: {t: [0, 1, 0]}\n"
        "graph: {p: softmax(z), loss: -sum(t*log(p))}",
        z="agrees",
    ),
    case(
        "a softplus made of kinks",
        "params: {x: 0}\ngraph: {y: relu(x) + log(1 + exp(-abs(x)))}",
        x="convention",
    ),
    case(
        "the identity made of kinks",
        "params: {x: 0}\ngraph: {y: relu(x) - relu(-x)}",
        x="convention",
    ),
    case(
        "a square matrix product",
        "params: {X: [[1, 2], [0, -1]], W: [[0.5, -1], [2, 1.5]]}\n"
        "constants: {G: [[1, 0], [2, 3]]}\ngraph: {Y: X @ W, s: sum(Y*G)}",
        X="agrees",
        W="agrees",
    ),
    case(
        "straight through a round",
        "params: {x: 0.7}\n"
        "graph: {r: round(x), gd: detach(r - x), y: x + gd, e: y - 0.2, loss: e**2}",
        x="detached",
    ),
    case(
        "a target made with the weight, held",
        "params: {w: 0.5}\n"
        "graph: {q: w*2, nd: detach(w*4), target: 1 + 0.9*nd, e: q - target, loss: 0.5*e**2}",
        w="detached",
    ),
    case(
        "a weight in two layers",
        "params: {w: 0.8}\nconstants: {x: 1.5}\n"
        "graph: {h: tanh(w*x), y: w*h, r: y - 1, loss: 0.5*r**2}",
        w="agrees",
    ),
    case(
        "the branch that was not selected",
        'params: {x: [-1, -4, 4]}\ngraph: {c: x > 0, r: sqrt(x), y: "where(c, r, x)", s: sum(y)}',
        x="nonfinite",
    ),
    case("a root of a square at 0", "params: {x: 0}\ngraph: {r: sqrt(x*x)}", x="nonfinite"),
    case("a root at 0", "params: {x: 0}\ngraph: {r: sqrt(x)}", x="nonfinite"),
    case("flat on one side of its edge", "params: {x: 0}\ngraph: {r: x**1.5}", x="agrees"),
    case("a step through zero", 'params: {x: 0}\ngraph: {y: "where(x > 0, 1, 0) + x"}', x="jump"),
    case("a cube of an abs", "params: {x: 0}\ngraph: {y: abs(x)**3}", x="agrees"),
    case("an abs that is far", "params: {x: 0.5}\ngraph: {y: abs(x)}", x="agrees"),
    case("an abs that is near", "params: {x: 0.005}\ngraph: {y: abs(x)}", x="near-kink"),
    case(
        "a hinge under a detach",
        "params: {x: 0}\ngraph: {y: relu(x) + detach(x)}",
        x="kink",
    ),
    case(
        "a wide network's dead weight",
        "params: {w: 0}\nconstants: {x: 0}\ngraph: {y: relu(w*x) + 1}",
        w="agrees",
    ),
    case(
        "float32 beside a large constant",
        "dtype: float32\nparams: {x: 1}\ngraph: {y: exp(x) + 1e6}",
        x="rounding",
    ),
    case("float32 on its own", "dtype: float32\nparams: {x: 1}\ngraph: {y: exp(x)}", x="agrees"),
)
