#!/usr/bin/env python3
"""What benchmarks keep of a run (benchmarks/stored_run.py) comes back as the profile that it was, small or compressed."""

import json
import pathlib
import random
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "benchmarks"))
import stored_run  # noqa: E402


def profile(notes):
    return {"schema": "ridge.profile/2", "machine": {"name": "m"}, "notes": notes}


class StoredRuns(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def restored(self):
        return json.loads(stored_run.restore(self.folder, "k", self.folder).read_text("utf-8"))

    def test_a_small_run_is_plain(self):
        stored_run.keep_content(profile(["a"]), self.folder, "k")
        self.assertEqual(self.names(), ["k.profile.json", "machine.json"])
        self.assertEqual(self.restored(), profile(["a"]))

    def test_what_a_profile_file_holds_is_kept_alike(self):
        source = self.folder / "profile.json"
        source.write_text(json.dumps(profile(["a"])), "utf-8")
        stored_run.keep(source, self.folder, "k")
        self.assertEqual(self.restored(), profile(["a"]))

    def test_a_large_run_is_compressed(self):
        large = profile(["a"] * stored_run.LIMIT)
        stored_run.keep_content(large, self.folder, "k")
        self.assertEqual(self.names(), ["k.profile.json.gz", "machine.json"])
        self.assertLessEqual((self.folder / "k.profile.json.gz").stat().st_size, stored_run.LIMIT)
        self.assertEqual(self.restored(), large)

    def test_a_later_run_leaves_nothing_of_the_earlier_one(self):
        stored_run.keep_content(profile(["a"]), self.folder, "k")
        stored_run.keep_content(profile(["a"] * stored_run.LIMIT), self.folder, "k")
        self.assertEqual(self.names(), ["k.profile.json.gz", "machine.json"])
        noise = random.Random(1).randbytes(stored_run.LIMIT).hex()
        stored_run.keep_content(profile([noise, noise[::-1]]), self.folder, "k")
        self.assertEqual(self.names(), ["machine.json"])

    def test_folders_and_the_host_are_taken_out(self):
        given = profile(["built by /usr/bin/cc", f"-I{stored_run.ROOT}/src", f"/copy{stored_run.ROOT}/a"])
        given["machine"]["host"] = "somebody"
        given["program"] = {"argv": [f"{self.folder}/kernels", "triad"]}
        given["regions"] = [{"file": f"{stored_run.ROOT}/examples/a.cpp", "line": 3}]
        stored_run.keep_content(given, self.folder, "k")
        self.assertEqual(self.restored(), {
            "schema": "ridge.profile/2", "machine": {"name": "m"},
            "notes": ["built by /usr/bin/cc", "-Isrc", f"/copy{stored_run.ROOT}/a"],
            "program": {"argv": ["kernels", "triad"]}, "regions": [{"file": "examples/a.cpp", "line": 3}]})

    def test_the_profile_that_is_kept_stays_whole(self):
        given = profile([])
        given["machine"]["host"] = "somebody"
        stored_run.keep_content(given, self.folder, "k")
        self.assertEqual(given, profile([]) | {"machine": {"name": "m", "host": "somebody"}})


if __name__ == "__main__":
    unittest.main()
