"""Parses the golden files of this folder: SVG as XML, HTML with every tag closed in order."""

import html.parser
import pathlib
import sys
import xml.etree.ElementTree

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Nesting(html.parser.HTMLParser):
    """Collects tags that are closed out of order, and scripts."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.problems = []
        self.identifiers = []

    def handle_starttag(self, tag, attrs):
        if tag in {"script", "img", "iframe", "object"}:
            self.problems.append(f"<{tag}> at {self.getpos()}")
        if any(name.startswith("on") for name, _ in attrs):
            self.problems.append(f"event handler at {self.getpos()}")
        self.identifiers += [value for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> at {self.getpos()} closes something else")


def problems_of(path):
    if path.suffix == ".svg":
        try:
            xml.etree.ElementTree.parse(path)
        except xml.etree.ElementTree.ParseError as error:
            return [str(error)]
        return []
    parser = Nesting()
    parser.feed(path.read_text(encoding="utf-8"))
    parser.close()
    twice = {name for name in parser.identifiers if parser.identifiers.count(name) > 1}
    return (
        parser.problems
        + [f"<{tag}> is never closed" for tag in parser.open]
        + [f"id {name} stands twice" for name in twice]
    )


def main():
    folder = pathlib.Path(__file__).parent
    files = sorted([*folder.glob("*.svg"), *folder.glob("*.html")])
    bad = [(path.name, problem) for path in files for problem in problems_of(path)]
    for name, problem in bad:
        print(f"{name}: {problem}")
    return 1 if bad or len(files) < 6 else 0


if __name__ == "__main__":
    sys.exit(main())
