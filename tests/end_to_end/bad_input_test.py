"""Bad input ends with a clear message, the exit code of the contract, and nothing lost."""

import json
import resource
import unittest

import support
from counts import whole_program
from process_test import InFolder

USAGE, BAD_INPUT, UNAVAILABLE = 2, 3, 4


class Programs(InFolder):
    def refused(self, program, code, *words, options=("--no-traffic",), **more):
        done = self.ridge(program, options, **more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse((self.folder / "ridge-out").exists(), "nothing is left behind")
        return done

    def test_not_found(self):
        self.refused(["./no-such-program"], BAD_INPUT, "no-such-program")
        self.refused(["no-such-program-in-path"], BAD_INPUT, "no-such-program-in-path")

    def test_not_executable(self):
        file = self.folder / "text"
        file.write_text("hello", "utf-8")
        self.refused([file], BAD_INPUT, str(file))
        self.refused([self.folder], BAD_INPUT, str(self.folder))

    def test_executable_that_is_no_program(self):
        file = self.folder / "garbage"
        file.write_bytes(b"\x7fELF garbage")
        file.chmod(0o755)
        self.refused([file], BAD_INPUT, str(file))

    def test_not_instrumented(self):
        options = ("--no-traffic", "--source", "instrumented")
        self.refused(["/bin/true"], BAD_INPUT, "ridge-c++", options=options)
        plain = support.compile_c("ending.c", plain=True)
        self.refused([plain], BAD_INPUT, "ridge-c++", str(plain), options=options)

    def test_another_version(self):
        data = bytearray(support.compile_c("ending.c").read_bytes())
        owner = b"Ridge\0"
        at = data.find(owner)
        self.assertGreater(at, 0, "the note of an instrumented object")
        while at >= 0:
            version = at + 8  # the owner is padded to 4 bytes
            data[version:version + 4] = (4711).to_bytes(4, "little")
            at = data.find(owner, version)
        other = self.folder / "other-version"
        other.write_bytes(data)
        other.chmod(0o755)
        self.refused([other], BAD_INPUT, "4711")

    def test_usage(self):
        for arguments in (["run"], ["run", "--"], ["run", "--no-such-option", "--", "true"],
                          ["no-such-command"], ["bench", "--threads", "-1"]):
            with self.subTest(arguments=arguments):
                done = support.run([support.RIDGE, *arguments], check=False,
                                   env=support.environment(), cwd=self.folder)
                self.assertEqual(done.returncode, USAGE, done.stderr)
                self.assertTrue(done.stderr)

    def test_sources(self):
        plain = support.compile_c("ending.c", plain=True)
        self.refused([plain], USAGE, "`instrumentd`", "Did you mean instrumented?", options=("--source", "instrumentd"))
        program = support.compile_c("twice.c")
        done = self.ridge([program, self.folder / "log"], ["--no-traffic", "--source", "instrumented"])
        self.assertEqual(done.returncode, 0, done.stderr)
        listed = support.run([support.RIDGE, "run", "--source", "list"], env=support.environment(), cwd=self.folder)
        self.assertLess(listed.stdout.index("\n  instrumented\n"), listed.stdout.index("\n  binary\n"))

    def test_unwritable_output_is_known_before_the_start(self):
        program = support.compile_c("twice.c")
        (self.folder / "file").touch()
        log = self.folder / "log"
        done = self.ridge([program, log], ["--no-traffic", "-o", "file/below"])
        self.assertIn(done.returncode, (BAD_INPUT, 5), done.stderr)
        self.assertIn("file/below", done.stderr)


class MachineFiles(InFolder):
    def refused(self, text, *words):
        file = self.folder / "machine.json"
        if text is not None:
            file.write_text(text, "utf-8")
        program = support.compile_c("twice.c")
        log = self.folder / "log"
        done = self.ridge([program, log], machine=file)
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        for word in ("machine.json", *words):
            self.assertIn(word, done.stderr)
        self.assertFalse(log.exists(), "the program was not started")

    def changed(self, change):
        machine = json.loads(support.MACHINE.read_text("utf-8"))
        change(machine)
        return json.dumps(machine, indent=1)

    def test_missing_and_truncated(self):
        self.refused(None)
        self.refused("")
        text = support.MACHINE.read_text("utf-8")
        self.refused(text[: len(text) // 2], str(text[: len(text) // 2].count("\n") + 1))

    def test_wrong_schema(self):
        self.refused(self.changed(lambda m: m.update(schema="ridge.profile/1")), "schema")
        self.refused(self.changed(lambda m: m.update(schema="ridge.machine/99")), "schema")
        self.refused("[]")

    def test_negative_and_nan(self):
        self.refused(self.changed(lambda m: m["caches"][1].update(size_bytes=-5)), "size_bytes")
        text = support.MACHINE.read_text("utf-8")
        self.refused(text.replace('"p90": 200000000000.0', '"p90": NaN', 1))
        self.refused(text.replace('"p90": 200000000000.0', '"p90": -1', 1), "p90")
        self.refused(text.replace('"ways": 8', '"ways": 0', 1), "ways")

    def test_names_the_line(self):
        text = support.MACHINE.read_text("utf-8").replace('"ways": 8', '"ways": "eight"', 1)
        line = text[: text.index("eight")].count("\n") + 1
        self.refused(text, "ways", str(line))

    def test_duplicate_key(self):
        text = support.MACHINE.read_text("utf-8").replace('"ways": 8', '"ways": 8, "ways": 8', 1)
        self.refused(text, "ways")

    def test_missing_key(self):
        self.refused(self.changed(lambda m: m["cpu"].pop("vendor")), "vendor")


class Unusual(InFolder):
    def test_no_loops_empty_run_zero_time(self):
        for options in (["--no-traffic"], []):
            with self.subTest(options=options):
                done = self.ridge([support.compile_c("empty.c")], ["--json", *options])
                self.assertEqual(done.returncode, 0, done.stderr)
                profile = support.validated(support.parse_json(done.stdout))
                self.assertEqual(whole_program(profile).flops, 0)
        done = self.ridge([support.compile_c("empty.c")])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotRegex(done.stdout, r"(?i)\b(nan|inf)\b")

    def test_few_file_descriptors(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))

        done = self.ridge([support.compile_c("ending.c")], preexec_fn=limit)
        self.assertIn(done.returncode, (0, BAD_INPUT, UNAVAILABLE), done.stderr)
        if done.returncode != 0:
            self.assertIn("file descriptor", done.stderr.lower().replace("open files",
                                                                         "file descriptor"))

    def test_a_file_size_limit_is_an_error_not_a_crash(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

        done = self.ridge([support.compile_c("ending.c")], preexec_fn=limit)
        self.assertIn(done.returncode, (0, UNAVAILABLE, 5), done.stderr)
        if done.returncode != 0:
            self.assertTrue(done.stderr.strip())


class ManyLoops(InFolder):
    LOOPS = 10_000

    def source(self):
        lines = ["static double data[8] = {1, 2, 3, 4, 5, 6, 7, 8};", "volatile long turns = 3;"]
        for number in range(self.LOOPS):
            if number % 100 == 0:
                lines.append(f"double f{number // 100}(void) {{ double s = 0; long n = turns;")
            lines.append(f"for (long i = 0; i < n; ++i) s += {number + 1}.5 * data[i & 7];")
            if number % 100 == 99:
                lines.append("return s; }")
        calls = " + ".join(f"f{i}()" for i in range(self.LOOPS // 100))
        lines.append(f"int main(void) {{ return {calls} > 0 ? 0 : 1; }}")
        return "\n".join(lines) + "\n"

    def test_ten_thousand_loops_simply_work(self):
        source = self.folder / "many.c"
        source.write_text(self.source(), "utf-8")
        program = self.folder / "many"
        support.run([support.RIDGE_CC, "-O1", source, "-o", program], env=support.environment())
        for options in (["--no-traffic"], []):
            with self.subTest(options=options):
                profile = support.profile_of([program], options, cwd=self.folder)
                additions = self.LOOPS // 100 - 1  # in main
                self.assertEqual(whole_program(profile).flops, self.LOOPS * 3 * 2 + additions)
                loops = [r for r in profile["regions"] if r["kind"] == "loop"]
                self.assertEqual(len(loops), self.LOOPS)


if __name__ == "__main__":
    unittest.main()
