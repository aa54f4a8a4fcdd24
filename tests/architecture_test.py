"""docs/architecture.md, CONTRIBUTING.md and the README of each module say what is there: their links lead somewhere,
paths in backquotes exist, each module has a README that names its rooms, and the table of modules is that of
scripts/check_layers."""

import ast
import pathlib
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # no __pycache__ among the sources
import contracts_test

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = (".c", ".cpp", ".h", ".hpp", ".in", ".inc", ".py")
# Words in capitals stand for any name: machines/KEY.json, src/cli/NAME/.
ANY_NAME = re.compile(r"\b(NAME|KEY)(?=\b|_)")


def table(name):
    """MODULES or ROOMS of scripts/check_layers, which is a program and cannot be imported."""
    for node in ast.parse((ROOT / "scripts" / "check_layers").read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == name:
            return eval(compile(ast.Expression(node.value), "check_layers", "eval"), {})
    raise LookupError(name)


def is_there(path, folders):
    """A file, a folder (one is meant by "x/"), or a file that the build makes from PATH.in; below any of the folders."""
    path = ANY_NAME.sub("*", path)
    wanted = pathlib.Path.is_dir if path.endswith("/") else pathlib.Path.exists
    return any(wanted(found) for folder in folders for form in (path, path.rstrip("/") + ".in")
               for found in (folder.glob(form) if "*" in form else [folder / form]))


def missing_paths(text, folder, root):
    """Paths in backquotes that name nothing. What looks like a path begins with a folder of the tree, or in a README with one
    beside it, or is the name of a source."""
    outside = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    near = [root, root / "src"] + ([folder] if folder != root else [])
    for span in re.findall(r"`([^`\n]+)`", outside):
        for word in (word.rstrip(".,;:") for word in span.split()):
            first, slash, _ = word.partition("/")
            if not re.fullmatch(r"[\w.*+/-]+", word):
                continue
            begins_with_folder = slash and any((place / first).is_dir() for place in near)
            is_source = not slash and word.endswith(SOURCES) and folder not in (root, root / "docs")
            if (begins_with_folder or is_source) and not is_there(word, near):
                yield word


def modules_of(page):
    """Of each row of the table of modules: what it may include, its rooms."""
    for name, include, rooms in re.findall(r"^\| `src/(\w+)` \|[^|]*\|([^|]*)\|([^|]*)\|$", page, re.M):
        yield name, set(re.findall(r"\w+", include)), set(re.findall(r"`(\w+)`", rooms))


def readmes(root):
    return sorted(root.glob("src/*/README.md")) + [root / folder / "README.md" for folder in
                                                   ("abi", "cachesim", "runtime", "instrument/llvm_pass")]


def unnamed_rooms(text, rooms):
    return [room for room in rooms if f"`{room}`" not in text]


class Architecture(unittest.TestCase):
    def pages(self):
        return [ROOT / "docs" / "architecture.md", ROOT / "CONTRIBUTING.md", *readmes(ROOT)]

    def test_every_module_has_a_readme(self):
        folders = [path.parent.relative_to(ROOT).as_posix() for path in readmes(ROOT)]
        for module in table("MODULES"):
            self.assertIn(f"src/{module}", folders)
        for folder in (ROOT / "src").iterdir():
            if folder.is_dir():
                self.assertTrue((folder / "README.md").is_file(), folder)

    def test_every_room_is_named(self):
        for module, rooms in table("ROOMS").items():
            self.assertEqual(unnamed_rooms((ROOT / module / "README.md").read_text("utf-8"), rooms), [], module)

    def test_links_lead_somewhere(self):
        for page in self.pages():
            self.assertEqual(list(contracts_test.broken_links(page.read_text("utf-8"), page.parent)), [], page)

    def test_paths_exist(self):
        for page in self.pages():
            self.assertEqual(list(missing_paths(page.read_text("utf-8"), page.parent, ROOT)), [], page)

    def test_the_table_of_modules_is_that_of_check_layers(self):
        modules, rooms = table("MODULES"), table("ROOMS")
        commands = {path.parent.name for path in (ROOT / "src" / "cli").glob("*/*_command.cpp")}
        found = {}
        for name, include, shown in modules_of((ROOT / "docs" / "architecture.md").read_text("utf-8")):
            found[name] = (set(modules) - {name} if "all" in include else set()) | (include & {*modules, "abi", "cachesim"})
            self.assertEqual(shown, set(rooms.get(f"src/{name}", ())) - (commands if name == "cli" else set()), name)
        self.assertEqual(found, modules)


class WhatIsWrongIsFound(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("src/cli/run/run_command.cpp", "src/cli/main.cpp", "abi/version.h.in", "machines/zen4.json", "docs/a.md"):
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("", "utf-8")

    def test_paths(self):
        folder = self.root / "src" / "cli"
        good = ("`src/cli/`, `src/cli/main.cpp`, `cli/main.cpp`, `run/run_command.cpp`, `main.cpp`, `abi/version.h`, `src/cli/NAME/`,\n"
                "`machines/KEY.json`, `machines/*.json`, `run/NAME_command.cpp`, `docs/a.md, section 1`, `flop/s`, `ridge-out/x.json`,\n"
                "`a b`, `Result<T>`\n```\n`src/nothing`\n```\n")
        self.assertEqual(list(missing_paths(good, folder, self.root)), [])
        for bad in ("src/cli/", "src/cli/other.cpp", "run/other.cpp", "cli/run_command.cpp", "other.hpp", "abi/layout.h",
                    "machines/KEY.txt", "docs/*.txt", "src/cli/main.cpp/"):
            wanted = [] if bad == "src/cli/" else [bad]
            self.assertEqual(list(missing_paths(f"text `{bad}`, text", folder, self.root)), wanted)
        self.assertEqual(list(missing_paths("`docs/b.md, section 1`", self.root, self.root)), ["docs/b.md"])
        self.assertEqual(list(missing_paths("`x_test.cpp` beside `x.cpp`", self.root, self.root)), [])

    def test_rooms_and_modules(self):
        self.assertEqual(unnamed_rooms("the rooms `a` and b", ["a", "b"]), ["b"])
        self.assertEqual(list(modules_of("| `src/x` | does | core, abi | `a`, `b` |\n| `abi/` | is |\n")),
                         [("x", {"core", "abi"}, {"a", "b"})])
        self.assertEqual(table("MODULES")["core"], set())
        self.assertIn("run", table("ROOMS")["src/cli"])
        with self.assertRaises(LookupError):
            table("NO_SUCH_TABLE")


if __name__ == "__main__":
    unittest.main()
