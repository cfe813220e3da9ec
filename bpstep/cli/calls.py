"""What may be called: the commands, their arguments and options; what is heavy is imported late."""

from __future__ import annotations

import io
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bpstep import __version__
from bpstep.cli.console import Output, complain, prepare_streams, silence_output
from bpstep.cli.status import INTERRUPTED, WRONG
from bpstep.engine.errors import BpstepError
from bpstep.render.sanitize import visible_block

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from bpstep.cli.loading import ScriptCommand

EPILOG = """\b
Exit status: 0 all well; 1 an expectation, check or assert failed, or a run
ended in an error; 2 the call or a file is wrong; 130 interrupted.

\b
Completion of commands and scenarios, for bash (zsh and fish alike):
  eval "$(_BPSTEP_COMPLETE=bash_source bpstep)"
"""

REPLAY_OPTIONS = ("-c", "-x", "-o", "--format")
"""Options that are easily given to a call that opens the app."""

ENDINGS = {".jsonl": "jsonl", ".md": "markdown", ".svg": "svg", ".html": "html"}
"""The formats that `-o` implies by its file's ending."""

PICTURES = ("svg", "html")
"""Formats that are drawn when all is done, of one scenario; only an ending asks for them."""


class OpenByDefault(click.Group):
    """A group of commands; a call that names none of them is one of `open`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `open` first, unless there is a command or an option (or it is yet to be typed)."""
        first = args[0] if args else "-"
        option = first.startswith("-") and first not in ("-", "--", "--ascii")
        to_come = ctx.resilient_parsing and not args
        if first not in self.commands and not ctx.resilient_parsing:
            _refuse_options_of_replay(ctx, args)
        if not option and not to_come and first not in self.commands:
            args = ["open", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands, and what the app could open."""
        scenarios = SCENARIO.shell_complete(ctx, self.params[0], incomplete)
        return [*super().shell_complete(ctx, incomplete), *scenarios]

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        """As click's; a closed pipe ends the program quietly."""
        with _quiet_when_closed():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        """As click's; a closed pipe ends the program quietly."""
        with _quiet_when_closed():
            return super().invoke(ctx)


def _refuse_options_of_replay(ctx: click.Context, args: Sequence[str]) -> None:
    """`bpstep full -c s` was meant for `replay`: say the call."""
    for given in args:
        option = given.partition("=")[0]
        if option in REPLAY_OPTIONS:
            meant = shlex.join(["bpstep", "replay", *args])
            raise click.UsageError(f"{option} is an option of replay: {meant}", ctx)


@contextmanager
def _quiet_when_closed() -> Iterator[None]:
    """Whoever reads our output has seen enough (`| head`): that is no failure."""
    try:
        yield
    except BrokenPipeError:
        silence_output()
        raise click.exceptions.Exit(0) from None


class ScenarioName(click.ParamType[str]):
    """A scenario: a file, the name of one that comes with the program, or `-`."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The scenarios that come with the program, then files."""
        from click.shell_completion import CompletionItem

        from bpstep.scenario import library, short_name

        names = [short_name(path) for path in library()]
        known = [CompletionItem(name) for name in names if name.startswith(incomplete)]
        return [*known, CompletionItem(incomplete, type="file")]


SCENARIO = ScenarioName()
FILES = click.argument("files", nargs=-1, required=True, type=SCENARIO, metavar="FILE...")
OPTIONAL_FILES = click.argument("files", nargs=-1, type=SCENARIO, metavar="[FILE]...")
ASCII = click.option("--ascii", "in_ascii", is_flag=True, help="Draw with ASCII only.")


def _format(*names: str) -> Callable[[Any], Any]:
    return click.option("--format", "form", type=click.Choice(names), help="Default: text.")


@click.group(
    cls=OpenByDefault,
    epilog=EPILOG,
    subcommand_metavar="[FILE... | COMMAND]",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="bpstep", message="%(prog)s %(version)s")
def cli() -> None:
    """Step through the reverse pass of a computation, one contribution at a time.

    Without a command, the app opens on the scenarios FILE..., or on the library of those that come
    with the program. These can be named without path, number or ending: `bpstep kink`. `-` reads a
    scenario from standard input. A file that is called like a command is reached by its path,
    `./replay`. `--ascii` draws the app for terminals and fonts that have no more than that.
    """


def _commands() -> list[str]:
    """The commands that a name of a scenario may have been meant for."""
    return [name for name, it in cli.commands.items() if not it.hidden]


@cli.command("open", hidden=True)
@OPTIONAL_FILES
@ASCII
def open_app(files: tuple[str, ...], in_ascii: bool) -> int:
    """Open the app on scenarios, or on its library."""
    from bpstep.cli.opening import open_on

    return open_on(files, _commands(), in_ascii)


@cli.command()
@click.argument("file", required=False, type=SCENARIO)
@ASCII
def learn(file: str | None, in_ascii: bool) -> int:
    """Open the app on a scenario and let it ask its questions.

    Each comes before the step that answers it; a wrong answer that a known misconception leads to
    is told so. Without FILE, the app opens on the library, and what is chosen there asks.
    """
    from bpstep.cli.opening import open_on

    return open_on([file] if file else [], _commands(), in_ascii, learning=True)


@cli.command()
@OPTIONAL_FILES
@ASCII
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on.",
)
def serve(files: tuple[str, ...], in_ascii: bool, port: int) -> int:
    """Open the app in a browser on this machine.

    Every page that is opened is an app of its own. It can read and write your files, as in a
    terminal; only this machine is answered. Ctrl+C ends the server. Needs textual-serve: pip
    install 'bpstep[serve]'.
    """
    from bpstep.cli.serving import serve_app

    if "-" in files:
        raise click.UsageError("standard input (-) cannot be read by several pages")
    return serve_app(files, _commands(), port, in_ascii)


@cli.command()
@FILES
@click.option(
    "-c", "commands", multiple=True, metavar="COMMANDS", help="Carry out commands, `;` between."
)
@click.option(
    "-x",
    "scripts",
    multiple=True,
    metavar="SCRIPT",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    help="Carry out the commands of a file, before those of -c.",
)
@_format("text", "jsonl", "markdown")
@click.option(
    "-o",
    "out",
    metavar="OUT",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to a file; its ending .jsonl, .md, .svg or .html implies the format.",
)
def replay(
    files: tuple[str, ...],
    commands: tuple[str, ...],
    scripts: tuple[str, ...],
    form: str | None,
    out: Path | None,
) -> int:
    """Run scenarios headless: every step, or what commands ask for.

    Without commands the whole program is stepped through and every step printed. With commands,
    what comes before the first step is printed, then what each command does. `bpstep replay full -c
    help` lists the commands.
    """
    from bpstep.cli import replaying

    _one_standard_input([*files, *scripts])
    _spare_inputs(out, [*files, *scripts])
    implied = ENDINGS.get(out.suffix.lower(), "text") if out else "text"
    _one_picture(out, implied, files, form)
    script = _script(scripts, commands) if scripts or commands else None
    return _written(out, lambda output: replaying.replay(files, script, form or implied, output))


def _script(scripts: Sequence[str], commands: Sequence[str]) -> list[ScriptCommand]:
    """What is to be done, in order: the scripts of -x, then the commands of -c."""
    from bpstep.cli.loading import commands_in, commands_of

    script = [command for name in scripts for command in commands_in(name)]
    return script + [command for text in commands for command in commands_of(text, "-c")]


def _one_standard_input(names: Sequence[str]) -> None:
    if names.count("-") > 1:
        raise click.UsageError("standard input (-) can be read only once")


def _spare_inputs(out: Path | None, names: Sequence[str]) -> None:
    """A slip of -o must not overwrite a file that is read."""
    if out is None or not out.exists():
        return
    for name in names:
        if name != "-" and Path(name).exists() and out.samefile(name):
            raise click.UsageError(f"{out} is read by this call: -o would overwrite it")


def _one_picture(out: Path | None, implied: str, files: Sequence[str], form: str | None) -> None:
    """A picture is of one scenario, and text does not go under a picture's name."""
    if out is None or implied not in PICTURES:
        return
    if form is not None:
        raise click.UsageError(f"{out} is to be {implied} by its ending: leave --format out")
    if len(files) > 1:
        raise click.UsageError(f"a file of {out.suffix} holds one scenario: {len(files)} are given")


def _written(out: Path | None, work: Callable[[Output], int]) -> int:
    """Do some work that writes to a file or standard output."""
    output = Output(out)
    status = work(output)
    output.close()
    return status


@cli.command()
@click.argument("paths", nargs=-1, required=True, type=SCENARIO, metavar="PATH...")
@_format("text", "json", "junit")
def check(paths: tuple[str, ...], form: str | None) -> int:
    """Hold what scenarios compute against what they expect.

    A folder means every scenario in it. Judged are the numbers under `expect`, the verdicts of
    `checks`, reasons for zeros, paths, updates, and the error a run ends in. A check of which
    nothing is expected fails only where the gradient is wrong or not finite.
    """
    from bpstep.cli import checking

    _one_standard_input(paths)
    return _written(None, lambda output: checking.check(paths, form or "text", output))


@cli.command("list")
def list_scenarios() -> int:
    """List the scenarios that come with the program."""
    from bpstep.cli.reference import list_library

    return _written(None, list_library)


@cli.command()
def schema() -> int:
    """Print the JSON Schema of the scenario format, for editors."""
    from bpstep.cli.reference import print_schema

    return _written(None, print_schema)


def run(args: Sequence[str] | None = None) -> int:
    """Carry out a call and give its exit status; a mistake of ours is not caught."""
    prepare_streams()
    try:
        return int(cli.main(args, prog_name="bpstep", standalone_mode=False) or 0)
    except click.ClickException as error:
        said = io.StringIO()
        error.show(said)
        sys.stderr.write(visible_block(said.getvalue()))
        return WRONG
    except BpstepError as error:
        from bpstep.render.errors import error_text

        complain(error_text(error))
        return WRONG
    except (click.Abort, KeyboardInterrupt):
        return _interrupted()


def _interrupted() -> int:
    """What is still to be written may have lost its reader as well."""
    try:
        sys.stdout.flush()
    except OSError:
        silence_output()
    return INTERRUPTED
