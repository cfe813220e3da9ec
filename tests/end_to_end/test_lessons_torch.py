"""The lessons' gradients are PyTorch's, where torch is installed: every pass, every node."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from torch_oracle import OPERATIONS as TORCH

from bpstep.engine.run import Pass
from bpstep.engine.statements import Mutate
from bpstep.scenario import Scenario, library, load, short_name


def comparable(lesson: Scenario) -> bool:
    """Other conventions and faults are not torch's, and it refuses to use a mutated value."""
    mutates = any(isinstance(statement, Mutate) for statement in lesson.program)
    other = short_name(lesson.name).endswith(("-jax", "-tensorflow"))
    return not mutates and not other and lesson.fault is None


LESSONS = [path for path in library() if comparable(load(path))]


@pytest.mark.parametrize("path", LESSONS, ids=short_name)
def test_every_pass_gives_what_torch_gives(path: Path) -> None:
    run = load(path).run()
    assert run.passes
    for part in run.passes:
        if run.error is None or part is not run.passes[-1]:
            compare(part)


def compare(part: Pass) -> None:
    """Hold one reverse pass against torch's, over the same tape."""
    graph = part.graph
    dtype = torch.float32 if graph.dtype == np.float32 else torch.float64
    tensors: list[Any] = []
    for node in range(len(graph)):
        operation = graph.operation(node)
        if operation is None:
            tensor = torch.tensor(np.asarray(graph.values[node]), dtype=dtype)
            tensor.requires_grad_(graph.requires_grad(node))
        else:
            operands = [tensors[i] for i in graph.operands(node)]
            tensor = TORCH[operation.name](*operands, **graph.keywords(node))
            if tensor.requires_grad:
                tensor.retain_grad()
        np.testing.assert_allclose(graph.values[node], tensor.detach().numpy(), rtol=1e-12)
        tensors.append(tensor)
    tensors[graph.find(part.output)].backward()
    for node, tensor in enumerate(tensors):
        ours = part.ledger.own_grad(node)
        theirs = None if tensor.grad is None else tensor.grad.numpy()
        assert (ours is None) == (theirs is None), graph.label(node)
        if ours is not None:
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, err_msg=graph.label(node))
