"""Waiting, without a time, for what has been sent to a widget to be dealt with."""

from __future__ import annotations

import asyncio

from textual.message_pump import MessagePump


async def settled(pump: MessagePump) -> None:
    """Wait until a widget has dealt with the keys and messages it has been sent so far."""
    done = asyncio.Event()
    if pump.call_later(done.set):
        await done.wait()
