"""Parses the golden pictures of this folder as XML."""

import pathlib
import sys
import xml.etree.ElementTree


def problems_of(path):
    try:
        xml.etree.ElementTree.parse(path)
    except xml.etree.ElementTree.ParseError as error:
        return [str(error)]
    return []


def main():
    files = sorted(pathlib.Path(__file__).parent.glob("*.svg"))
    bad = [(path.name, problem) for path in files for problem in problems_of(path)]
    for name, problem in bad:
        print(f"{name}: {problem}")
    return 1 if bad or len(files) < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
