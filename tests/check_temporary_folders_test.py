"""check_temporary_folders accepts tests with folders of their own and names every fixed name."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "check_temporary_folders"

GOOD = {
    "tests/temporary_folder.hpp": "std::filesystem::temp_directory_path(); mkdtemp(name.data());\n",
    "tests/end_to_end/support.py": 'tempfile.mkdtemp(prefix="ridge-test-"); WORK / "cache"\n',
    "tests/end_to_end/x_test.py": "with tempfile.TemporaryDirectory(dir=support.WORK) as folder:\n",
    "tests/package/library_test": 'folder=$(mktemp -d)\ncmake >"$folder/log"\n',
    "src/cli/common/picture.cpp": "mkdtemp(pattern.data());\n",
    "src/cli/x_test.cpp": 'const tests::TemporaryFolder folder;\nEXPECT_EQ(name("/tmp"), 1);\n',
}

# (file, text)
BAD = [
    ("src/cli/x_test.cpp", 'const auto path = fs::path(testing::TempDir()) / "stat";\n'),
    ("src/cli/x_test.cpp", "folder_ = fs::temp_directory_path() / std::to_string(getpid());\n"),
    ("src/cli/folder_for_tests.hpp", 'fs::temp_directory_path() / "ridge"\n'),
    ("instrument/llvm_pass/pass_fixture.cpp", "folder_ = mkdtemp(pattern.data());\n"),
    ("runtime/x_test.cpp", 'std::string name = "/tmp/ridge-XXXXXX";\n'),
    ("tests/end_to_end/x_test.py", 'folder = pathlib.Path(support.WORK) / "served"\n'),
    ("tests/end_to_end/x_test.py", 'target = support.WORK / "crowd"\n'),
    ("tests/end_to_end/x_test.py", 'open("/tmp/log")\n'),
    ("tests/end_to_end/x_test.py", "tempfile.gettempdir()\n"),
    ("tests/package/library_test", "cmake --build build >/tmp/log\n"),
]


def run_on(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)


class CheckTemporaryFolders(unittest.TestCase):
    def test_accepts_folders_of_their_own(self):
        done = run_on(GOOD)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_names_each_violation(self):
        for name, text in BAD:
            with self.subTest(name=name, text=text):
                done = run_on({**GOOD, name: text})
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(f"{name}:1: ", done.stdout)
                self.assertEqual(len(done.stdout.splitlines()), 1, done.stdout)


if __name__ == "__main__":
    unittest.main()
