#!/usr/bin/env python3
"""Man pages and shell completions from the texts of --help (docs/cli/*.txt), the one source.

    command_docs.py --version V --output DIR TEXT...

Writes DIR/man/man1/ridge.1 and ridge-COMMAND.1, DIR/bash/ridge, DIR/zsh/_ridge, DIR/fish/ridge.fish.
A text starts with "ridge COMMAND - summary", or with "ridge-cc, ridge-c++ - summary" where it is about programs of
their own: these get a page and no completion, and each program that `Usage:` names gets a link to it. Then come "Usage:" with indented lines, paragraphs, "Options:" with
one entry for each option, and paragraphs again. Indented lines outside of those are shown as they stand."""

import argparse
import dataclasses
import pathlib
import re

OPTION = re.compile(r"^ {2,6}(?P<names>-\w(?:, --[a-z][\w-]*)?|--[a-z][\w-]*)(?: (?P<value>[A-Z]\S*))?"
                    r"(?:\s+(?P<text>\S.*))?$")


@dataclasses.dataclass
class Option:
    names: list  # ["-o", "--output"]
    value: str   # "FILE", or "" for a flag
    lines: list  # (indentation, text)

    @property
    def text(self):
        return " ".join(text for _, text in self.lines)

    @property
    def short_text(self):
        """What fits behind an option in a shell: the text up to the first full stop, colon or semicolon."""
        words = re.split(r"(?:[.:;](?:\s|$))", self.text.replace("`", ""), maxsplit=1)[0]
        return words if len(words) <= 70 else words[:67].rsplit(" ", 1)[0] + " ..."

    @property
    def takes_file(self):
        return any(word in self.value for word in ("FILE", "DIR", "MACHINE"))


@dataclasses.dataclass
class Text:
    name: str     # "run"; "ridge" itself and programs of their own have ""
    page: str     # "ridge-run"
    links: list   # names of other programs that the page is about
    title: str    # what the page begins with: "ridge-run", "ridge-cc, ridge-c++"
    summary: str
    usage: list
    before: list  # blocks: ("text", line) or ("as it is", [lines])
    options: list
    after: list


def blocks_of(lines):
    """Paragraphs, each one string, and indented lines as they stand."""
    blocks = []
    for line in lines:
        indented = line.startswith(" ")
        kind = "as it is" if indented else "text"
        if not line.strip():
            blocks.append(None)
        elif blocks and blocks[-1] and blocks[-1][0] == kind:
            blocks[-1][1].append(line.rstrip() if indented else line.strip())
        else:
            blocks.append((kind, [line.rstrip() if indented else line.strip()]))
    return [block for block in blocks if block]


def options_of(lines):
    options = []
    for line in lines:
        found = OPTION.match(line)
        if found:
            column = found.start("text") if found["text"] else None
            options.append(Option(found["names"].split(", "), found["value"] or "", []))
            if found["text"]:
                options[-1].lines.append((column, found["text"]))
        elif options:
            options[-1].lines.append((len(line) - len(line.lstrip()), line.strip()))
        else:
            raise SystemExit(f"no option: {line}")
    return options


def parse(path):
    lines = path.read_text("utf-8").splitlines()
    head, _, summary = lines[0].partition(" - ")
    if not re.match(r"ridge( |-|$)", head) or not summary:
        raise SystemExit(f"{path}:1: expected `ridge COMMAND - summary`")
    is_program = head.startswith("ridge-")
    name = "" if is_program else head.removeprefix("ridge").strip()
    page = head.partition(",")[0] if is_program else f"ridge-{name}" if name else "ridge"
    usage, before, after, options = [], [], [], []
    part = before
    for line in lines[1:]:
        if line == "Usage:":
            part = usage
        elif line == "Options:":
            part = options
        elif part is usage and not line:
            part = before
        elif part is options and line and not line.startswith(" "):
            part = after
            part.append(line)
        elif part is not options or line:
            part.append(line)
    programs = [word.rstrip(",") for line in usage for word in line.split() if word.startswith("ridge-")]
    links = [program for program in programs if program != page] if is_program else []
    return Text(name, page, links, head if is_program else page, summary, [line.strip() for line in usage], blocks_of(before), options_of(options),
                blocks_of(after))


# ---- man pages

def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    return "\\&" + text if text[:1] in (".", "'") else text


def roff_blocks(blocks):
    out = []
    for kind, lines in blocks:
        if kind == "text":
            out += [".PP", *map(roff, lines)]
        else:
            out += [".PP", ".nf", *map(roff, lines), ".fi"]
    return out


def roff_options(options):
    out = []
    for option in options:
        names = ", ".join(f"\\fB{roff(name)}\\fR" for name in option.names)
        out += [".TP", names + (f" \\fI{roff(option.value)}\\fR" if option.value else "")]
        base = min((indentation for indentation, _ in option.lines[1:]), default=0)
        inner_before = False
        for index, (indentation, text) in enumerate(option.lines):
            inner = index > 0 and indentation > base  # a list within the text: a line stays a line
            if inner or inner_before:
                out.append(".br")
            inner_before = inner
            out.append(roff(text))
    return out


def section_of(block):
    """Some paragraphs behind the options have a section of their own in a man page."""
    first = block[1][0]
    for start, title in (("Exit codes:", "EXIT STATUS"), ("Environment:", "ENVIRONMENT")):
        if first.startswith(start):
            return title, first[len(start):].strip()
    return None, None


def man_page(text, texts, version):
    out = [f'.TH {text.page.upper()} 1 "" "Ridge {version}" "Ridge"', ".SH NAME",
           f"{roff(text.title)} \\- {roff(text.summary)}", ".SH SYNOPSIS", ".nf", *map(roff, text.usage), ".fi",
           ".SH DESCRIPTION", *roff_blocks(text.before)[1:]]
    if text.page == "ridge":
        out.append(".SH COMMANDS")
        for other in texts:
            if other.name:
                out += [".TP", f"\\fB{roff(other.name)}\\fR", roff(other.summary)]
    if text.options:
        out += [".SH OPTIONS", *roff_options(text.options)]
    current = "OPTIONS" if text.options else "DESCRIPTION"
    for kind, lines in text.after:
        title, rest = section_of((kind, lines))
        if title:
            current = title
            out += [f'.SH "{title}"', *([roff(rest)] if rest else []), *map(roff, lines[1:])]
        elif kind == "text" and current == "OPTIONS":
            current = "NOTES"
            out += [".SH NOTES", *map(roff, lines)]
        else:
            out += roff_blocks([(kind, lines)])
    others = [f"\\fB{roff(other.page)}\\fR(1)" for other in texts if other.page != text.page]
    return "\n".join([*out, '.SH "SEE ALSO"', ", ".join(others)]) + "\n"


# ---- completions

BASH = r"""# Completion for ridge, made from the texts of --help.
_ridge() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  local i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == "--" ]]; then
      COMPREPLY=($(compgen -c -f -- "$word"))
      return
    fi
  done
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "@COMMANDS@ --help --version" -- "$word"))
    return
  fi
  local options valued
  case ${COMP_WORDS[1]} in
@CASES@
    *) return ;;
  esac
  if [[ " $valued " == *" $before "* || $word != -* ]]; then
    COMPREPLY=($(compgen -f -- "$word"))
  else
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  fi
}
complete -o filenames -F _ridge ridge
"""


def bash(texts):
    cases = []
    for text in texts:
        if text.name:
            names = " ".join(name for option in text.options for name in option.names)
            valued = " ".join(name for option in text.options if option.value for name in option.names)
            dashes = " --" if any("-- PROGRAM" in line for line in text.usage) else ""
            cases.append(f'    {text.name}) options="{names}{dashes}" valued="{valued}" ;;')
    commands = " ".join(text.name for text in texts if text.name)
    return BASH.replace("@COMMANDS@", commands).replace("@CASES@", "\n".join(cases))


def zsh_text(text):
    for special in ("\\", "[", "]", ":"):
        text = text.replace(special, "\\" + special)
    return text.replace("'", "'\\''")


def zsh(texts):
    out = ["#compdef ridge", "# Completion for ridge, made from the texts of --help.",
           "_ridge() {", "  local -a commands", "  commands=("]
    out += [f"    '{zsh_text(text.name)}:{zsh_text(text.summary)}'" for text in texts if text.name]
    out += ["  )", "  if (( CURRENT == 2 )); then", "    _describe -t commands 'command' commands",
            "    _arguments '--help[this text]' '--version[the version]'", "    return", "  fi",
            "  local command=$words[2]", "  local -i dashes=${words[(i)--]}", "  if (( dashes < CURRENT )); then",
            "    shift dashes words", "    (( CURRENT -= dashes ))", "    _normal", "    return", "  fi", "  shift words", "  (( CURRENT-- ))", "  case $command in"]
    for text in texts:
        if not text.name:
            continue
        out.append(f"    {text.name})")
        out.append("      _arguments \\")
        for option in text.options:
            for name in option.names:
                value = f":{zsh_text(option.value)}:_files" if option.value else ""
                out.append(f"        '*{name}[{zsh_text(option.short_text)}]{value}' \\")
        out.append("        '*:file:_files'")
        out.append("      ;;")
    return "\n".join([*out, "  esac", "}", '_ridge "$@"']) + "\n"


def fish_text(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish(texts):
    out = ["# Completion for ridge, made from the texts of --help.",
           "complete -c ridge -n __fish_use_subcommand -f -l help -d 'this text'",
           "complete -c ridge -n __fish_use_subcommand -f -l version -d 'the version'"]
    for text in texts:
        if text.name:
            out.append(f"complete -c ridge -n __fish_use_subcommand -f -a {text.name} -d {fish_text(text.summary)}")
    for text in texts:
        for option in text.options if text.name else []:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                             for name in option.names)
            value = (" -r -F" if option.takes_file else " -x") if option.value else ""
            out.append(f"complete -c ridge -n '__fish_seen_subcommand_from {text.name}' {names}{value} "
                       f"-d {fish_text(option.short_text)}")
    return "\n".join(out) + "\n"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("texts", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    texts = [parse(path) for path in arguments.texts]
    for text in texts:
        pages = arguments.output / "man" / "man1"
        write(pages / f"{text.page}.1", man_page(text, texts, arguments.version))
        for link in text.links:
            write(pages / f"{link}.1", f".so man1/{text.page}.1\n")
    write(arguments.output / "bash" / "ridge", bash(texts))
    write(arguments.output / "zsh" / "_ridge", zsh(texts))
    write(arguments.output / "fish" / "ridge.fish", fish(texts))


if __name__ == "__main__":
    main()
