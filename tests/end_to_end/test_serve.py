"""The app in a browser: what the server answers, to whom, and how it ends."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("textual_serve")
aiohttp = pytest.importorskip("aiohttp")

REPOSITORY = Path(__file__).parents[2]
PATIENCE = 60


def serve(*arguments: str) -> subprocess.Popen[str]:
    """The program serving, its standard error to be read."""
    return subprocess.Popen(
        [sys.executable, "-m", "bpstep", "serve", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a server that serves `full`; at the end it is interrupted, and ends well."""
    number = free_port()
    program = serve("full", "--port", str(number))
    assert program.stderr is not None
    try:
        assert program.stderr.readline() == (
            f"bpstep is at http://127.0.0.1:{number} (Ctrl+C ends it)\n"
        )
        yield number
        program.send_signal(signal.SIGINT)
        said = program.communicate(timeout=PATIENCE)[1]
        assert (program.returncode, said) == (0, "")
    finally:
        program.kill()
        program.wait()


async def got(port: int, path: str = "/", **headers: str) -> tuple[int, str]:
    """The status and the text of an answer."""
    async with (
        aiohttp.ClientSession() as browser,
        browser.get(f"http://127.0.0.1:{port}{path}", headers=headers) as answer,
    ):
        return answer.status, await answer.text()


async def shown(port: int, done: Callable[[str], bool], keys: str = "") -> str:
    """What the app has sent to the browser when this is in it; keys are typed at the start."""
    url = f"ws://127.0.0.1:{port}/ws?width=80&height=24"
    received = ""
    async with aiohttp.ClientSession() as browser, browser.ws_connect(url) as connection:
        async with asyncio.timeout(PATIENCE):
            async for message in connection:
                if message.type == aiohttp.WSMsgType.BINARY:
                    received += message.data.decode()
                if keys and "step 0 of 13" in received:
                    await connection.send_json(["stdin", keys])
                    keys = ""
                if done(received):
                    return received
    raise AssertionError(received)


def test_a_page_of_its_own_gives_the_app(port: int) -> None:
    async def looked_at() -> tuple[int, str, str]:
        status, page = await got(port)
        return status, page, await shown(port, lambda text: "step 6 of 13" in text, "6s")

    status, page, app = asyncio.run(looked_at())
    assert status == 200
    assert set(re.findall(r"(?:src|href)=\"(\w+://[^/\"]+)", page)) == {f"http://127.0.0.1:{port}"}
    assert "full.yaml" in app or "Every path into p counts" in app


def test_pages_of_others_are_not_answered(port: int) -> None:
    async def answers() -> list[int]:
        asked = [
            {"Host": "rebound.example"},
            {"Origin": "https://elsewhere.example"},
            {"Origin": "null"},
            {"Origin": f"http://localhost:{port}", "Host": f"localhost:{port}"},
        ]
        return [(await got(port, **headers))[0] for headers in asked]

    async def refused() -> bool:
        async with aiohttp.ClientSession() as browser:
            try:
                await browser.ws_connect(f"ws://127.0.0.1:{port}/ws", origin="http://other.example")
            except aiohttp.WSServerHandshakeError as error:
                return error.status == 403
        return False

    assert asyncio.run(answers()) == [403, 403, 403, 200]
    assert asyncio.run(refused())


def test_only_this_machine_is_listened_to(port: int) -> None:
    listening = Path("/proc/net/tcp")
    if not listening.exists():
        pytest.skip("no list of sockets to look at")
    local = {line.split()[1] for line in listening.read_text().splitlines()[1:]}
    assert {address for address in local if address.endswith(f":{port:04X}")} >= {
        f"0100007F:{port:04X}"
    }
    assert f"00000000:{port:04X}" not in local


def test_a_port_in_use_is_told(port: int) -> None:
    second = serve("full", "--port", str(port))
    said = second.communicate(timeout=PATIENCE)[1]
    assert said == f"bpstep: port {port} is in use: choose another with --port\n"
    assert second.returncode == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "nowhere: there is no such file or scenario"),
        (["-"], "standard input (-) cannot be read by several pages"),
        (["full", "--port", "0"], "0 is not in the range"),
    ],
)
def test_a_wrong_call_is_told(arguments: list[str], told: str) -> None:
    program = serve(*arguments)
    said = program.communicate(timeout=PATIENCE)[1]
    assert told in said
    assert program.returncode == 2


def test_what_has_to_be_installed_is_told() -> None:
    code = """
import sys
sys.modules["textual_serve"] = None            # importing it is an ImportError
from bpstep.cli import main
main(["serve", "full"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'bpstep[serve]'" in done.stderr
    assert (done.returncode, done.stdout) == (2, "")
