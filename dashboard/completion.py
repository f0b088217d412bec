"""Completion of commands, options, topics and versions in a shell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    get_completion_class,
)

from core.errors import QueryscapeError
from dashboard.kit.lazy_commands import LazyCommand

if TYPE_CHECKING:
    from data.explore.workspace import Workspace

PROGRAM, VARIABLE = "queryscape", "_QUERYSCAPE_COMPLETE"
SHELLS = ("bash", "zsh", "fish")
WORDS = "words"
"""The type of a command of two words, which bash must not quote."""

BASH = r"""%(complete_func)s() {
    local line value response word="${COMP_WORDS[COMP_CWORD]}" position=$COMP_CWORD i
    local -a words=()
    COMPREPLY=()
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
        if ((i == 0 || i > COMP_CWORD)) || [[ ${COMP_WORDS[i]} != "=" || ${COMP_WORDS[i-1]} != --* ]]; then
            words+=("${COMP_WORDS[i]}")
        elif ((i == COMP_CWORD)); then
            word="" words+=("")
        else
            position=$((position - 1))
        fi
    done
    local IFS=$'\n'
    response=$(env COMP_WORDS="${words[*]}" COMP_CWORD=$position %(complete_var)s=bash_complete "$1" 2>/dev/null)
    while IFS= read -r line; do
        value=${line#*,}
        case ${line%%%%,*} in
            dir) compopt -o dirnames; continue ;;
            file) compopt -o default; continue ;;
            plain) ;;
            words) COMPREPLY+=("$value"); continue ;;
            *) continue ;;
        esac
        case $word in
            \"*)
                value=${value//'\'/'\\'}
                value=${value//'"'/'\"'}
                value=${value//'$'/'\$'}
                value=${value//'`'/'\`'}
                ;;
            \'*) value=${value//"'"/"'\\''"} ;;
            *)
                printf -v value '%%q' "$value"
                if [[ $value != \$\'* ]]; then
                    value=${value//:/'\:'}
                    value=${value//=/'\='}
                    value=${value//@/'\@'}
                fi
                ;;
        esac
        COMPREPLY+=("$value")
    done <<< "$response"
    return 0
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""
"""Click's script inserts a value as it is; this one quotes it, also in a word that begins with a quote.

Bash splits --topic=X into three words, so the script drops the "=".
"""


class Completion(ShellComplete):
    """Offers the second word of a command, too: "judge r" becomes "judge runs"."""

    inserts_two_words: ClassVar[bool] = False
    """True if the shell's script can insert two words at once."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[Any]]:
        given = [word for word in args if not word.startswith("-")]
        names = _commands_after(self.cli, given)
        items = {str(item.value): item for item in super().get_completions(args, incomplete)}
        if given and given[-1] == args[-1]:
            starts = f"{given[-1]} "
            second = (
                name.removeprefix(starts) for name in _commands_after(self.cli, given[:-1]) if name.startswith(starts)
            )
            items |= {word: CompletionItem(word) for word in second if word.startswith(incomplete)}
        for name in sorted(name for name in names & items.keys() if " " in name):
            del items[name]
            first = name.partition(" ")[0]
            whole = CompletionItem(name, WORDS) if self.inserts_two_words else CompletionItem(first)
            items.setdefault(str(whole.value), whole)
        return list(items.values())


def _commands_after(command: click.Command, words: list[str]) -> set[str]:
    """Return the names of the commands that can follow; none after a command that is no group.

    Other words are values of options.
    """
    for word in words:
        if isinstance(command, click.Group) and word in command.commands:
            found = command.commands[word]
            command = found.load() if isinstance(found, LazyCommand) else found
    return set(command.commands) if isinstance(command, click.Group) else set()


@add_completion_class
class Bash(Completion, BashComplete):
    source_template = BASH
    inserts_two_words = True


@add_completion_class
class Zsh(Completion, ZshComplete):
    pass


@add_completion_class
class Fish(Completion, FishComplete):
    source_template = FishComplete.source_template.replace('split ","', 'split -m 1 ","')
    """A value may contain commas."""


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands, topics and versions in your shell.

    \b
    bash: put  eval "$(queryscape completion bash)"  into ~/.bashrc
    zsh:  put  eval "$(queryscape completion zsh)"  into ~/.zshrc
    fish: queryscape completion fish >
            ~/.config/fish/completions/queryscape.fish
    """
    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(context.find_root().command, {}, PROGRAM, VARIABLE).source())


Complete = Callable[[click.Context, str], list[CompletionItem[str]]]


def complete_topic(context: click.Context, begun: str) -> list[CompletionItem[str]]:
    """List the topics that begin so; none if the workspace can't be read now."""
    return _items(_names(context, lambda workspace: [row.topic_id for row in workspace.store.topics()]), begun)


def complete_version(context: click.Context, begun: str) -> list[CompletionItem[str]]:
    """List the versions of the topics that are given that begin so."""
    from data.lookup import topic_meant

    given = _topics_given(context)

    def labels(workspace: Workspace) -> list[str]:
        store = workspace.store
        names = [row.topic_id for row in store.topics()]
        meant = [topic if topic in names else topic_meant(topic, names) for topic in given]
        return [row.version.label for topic in meant if topic for row in store.versions(topic)]

    return _items(_names(context, labels), begun) if given else []


BY_FLAG: dict[str, Complete] = {
    "--topic": complete_topic,
    "--topics": complete_topic,
    "--version": complete_version,
    "--versions": complete_version,
    "--run-again": complete_version,
    "--delete": complete_version,
}
MORE_VERSIONS = "others"
"""The argument that takes the rest of --versions A B."""


def add_completions(command: click.Command) -> None:
    """Have the options of a command that name a topic or a version complete it."""
    flags = {flag for parameter in command.params for flag in parameter.opts}
    for parameter in command.params:
        found = [BY_FLAG[flag] for flag in parameter.opts if flag in BY_FLAG]
        if parameter.name == MORE_VERSIONS and "--versions" in flags:
            found = [complete_version]
        if found and not getattr(parameter, "is_flag", False):
            parameter.shell_complete = found[0]  # type: ignore[method-assign, assignment]


def _topics_given(context: click.Context) -> list[str]:
    names = [each.name for each in context.command.params if {"--topic", "--topics"} & set(each.opts)]
    values = [context.params.get(name or "") for name in names]
    return [
        str(topic) for value in values if value for topic in (value if isinstance(value, tuple | list) else [value])
    ]


def _names(context: click.Context, read: Callable[[Workspace], list[str]]) -> list[str]:
    from data.explore.workspace import Workspace

    folder = context.params.get("data_dir") or context.find_root().params.get("data_dir")
    try:
        with Workspace.open(Path(folder) if folder else None) as workspace:
            return read(workspace)
    except (QueryscapeError, OSError):
        return []


def _items(names: list[str], begun: str) -> list[CompletionItem[str]]:
    found = [name for name in dict.fromkeys(names) if name.casefold().startswith(begun.casefold())]
    return [CompletionItem(name) for name in found]
