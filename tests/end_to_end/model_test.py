"""`ridge model`: loops of a source file before they run."""

import json
import sys
import unittest

import support

SOURCE = support.SOURCE / "tests" / "end_to_end" / "programs" / "model_loops.c"
USAGE, BAD_INPUT, UNAVAILABLE = 2, 3, 4


class Model(unittest.TestCase):
    def setUp(self):
        self.folder = support.own_folder(self)

    def ridge(self, *words, **more):
        command = [support.RIDGE, "model", "--machine", support.MACHINE, *words]
        return support.run(command, check=False, env=support.environment(**more), cwd=self.folder)

    def models(self, *words, file=SOURCE):
        done = self.ridge(file, "--json", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        models = support.parse_json(done.stdout)
        support.validator("ridge.loop-model-1").validate(models)
        return models["models"]

    def refused(self, code, *words, **more):
        done = self.ridge(*words, **more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_a_nest_reads_as_its_source(self):
        (model,) = self.models("--function", "jacobi", "-D", "N=4000", "-D", "M=300")
        self.assertEqual([loop["trips"] for loop in model["loops"]], ["M - 2", "N - 2"])
        self.assertEqual([loop["iterations"] for loop in model["loops"]], [298, 3998])
        texts = {access["text"] for access in model["accesses"]}
        self.assertEqual(texts, {"read a[N*j + i - 1]", "read a[N*j + i + 1]", "read a[N*j - N + i]", "read a[N*j + N + i]",
                                 "write b[N*j + i]"})
        self.assertEqual(model["values"], {"M": 300, "N": 4000})

    def test_a_size_that_is_no_parameter_is_a_macro(self):
        (model,) = self.models("--function", "sum_of_rows", "-D", "N=10", "-D", "WIDTH=64")
        self.assertEqual([loop["iterations"] for loop in model["loops"]], [10, 64])
        self.assertEqual(model["values"], {"N": 10, "WIDTH": 64})

    def test_sweeps_of_parameters_and_of_macros(self):
        for name in ("N", "WIDTH"):
            models = self.models("--function", "sum_of_rows", "-D", f"{name}=10:1000:log:3")
            self.assertEqual([model["values"][name] for model in models], [10, 100, 1000])

    def test_a_size_that_is_no_macro_either_changes_nothing(self):
        models = self.models("--function", "gather", "-D", "N=100:400:log:3", "-D", "x=50")
        self.assertEqual([model["values"] for model in models], [{"N": 100}, {"N": 200}, {"N": 400}])
        (model,) = self.models("--function", "sum_of_rows", "-D", "N=10", "-D", "WIDTH=64", "-D", "x=50")
        self.assertEqual(model["loops"][1]["iterations"], 64, "WIDTH is a macro all the same")

    def test_what_has_no_value_is_said(self):
        (model,) = self.models("--function", "jacobi")
        self.assertNotIn("iterations", model["loops"][0])
        self.assertNotIn("traffic", model)
        (note,) = [note["text"] for note in model["notes"] if note["code"] == "sizes-unknown"]
        self.assertIn("M, N have no value", note)

    def test_an_address_from_memory_names_its_array(self):
        (model,) = self.models("--function", "gather", "-D", "N=100")
        (indirect,) = [access for access in model["accesses"] if access.get("is_indirect")]
        self.assertEqual(indirect["text"], "read x[index[...]]")

    def test_traffic_by_layer_conditions(self):
        """Three rows of 4000 fit into no 48 KiB: one row comes from L2 three times, from L3 once."""
        (model,) = self.models("--function", "jacobi", "-D", "N=4000", "-D", "M=300", "--traffic", "conditions")
        (traffic,) = model["traffic"]
        self.assertEqual(traffic["method"], "layer-conditions")
        self.assertTrue(all(crossing["written"] == 8 for crossing in traffic["crossings"]))
        broken = [c for c in model["conditions"] if c["level"] == "L1" and not c["holds"]]
        self.assertIn("N", {c.get("symbol") for c in broken})

    def test_cycles_are_those_of_the_vector_body(self):
        (model,) = self.models("--function", "jacobi", "-D", "N=100", "-D", "M=10", "--cpu", "znver4")
        self.assertGreaterEqual(model["in_core"]["iterations_per_pass"], 4, "not the remainder")
        self.assertIn("znver4", model["in_core"]["compiler"])
        for part in ("port_cycles", "chain_cycles", "front_end_cycles"):
            self.assertLessEqual(model["in_core"][part], model["in_core"]["cycles"] * 1.001)

    def test_a_run_stands_beside_the_model(self):
        (model,) = self.models("--function", "jacobi", "-D", "N=100", "-D", "M=12", "--run")
        self.assertEqual(model["measured"]["iterations"], 98 * 10)
        self.assertGreater(model["measured"]["seconds"]["median"], 0)

    def test_a_run_asks_for_what_it_cannot_know(self):
        def note(*words):
            (model,) = self.models("--function", "gather", "-D", "N=100", "--run", *words)
            return model.get("measured"), [each["text"] for each in model.get("notes", []) if each["code"] == "not-run"]
        measured, texts = note()
        self.assertIsNone(measured)
        self.assertIn("-D x=4000 says how many elements", texts[0])
        measured, texts = note("-D", "x=50")
        self.assertEqual((measured["iterations"], texts), (100, []))

    def test_an_index_file_has_its_accesses_simulated(self):
        """Each line once in turn: 64 byte for each element that is gathered."""
        file = self.folder / "index.txt"
        file.write_text("\n".join(str(8 * (i * 7919 % 20000)) for i in range(20000)), "utf-8")
        (model,) = self.models("--function", "gather", "-D", "N=20000", "--index", f"index={file}", "--run")
        (simulated,) = [traffic for traffic in model["traffic"] if traffic["method"] == "simulation"]
        read = simulated["crossings"][0]["read"]
        self.assertLess(abs(read - (64 + 8 + 4)) / read, 0.03, "x, y before it is written, index")
        self.assertEqual(model["measured"]["iterations"], 20000)
        file.write_text("1 2 three", "utf-8")
        self.assertIn("index.txt:1: `three`", self.refused(BAD_INPUT, SOURCE, "--index", f"index={file}"))

    def test_what_a_run_does_wrong_is_said(self):
        source = self.folder / "wrong.c"
        source.write_text("#include <stdlib.h>\nvoid f(double *a, long n) { for (long i = 0; i < n; i++) a[i] = 1.0; abort(); }\n", "utf-8")
        (model,) = self.models("-D", "n=100", "--run", file=source)
        self.assertNotIn("measured", model)
        self.assertIn("abort", json.dumps(model["notes"]))

    def test_machine_code_alone(self):
        program = support.compile_c("model_loops.c", ["-O2", "-c"], plain=True)
        done = self.ridge(program, "--json", "--function", "jacobi", "--cpu", "znver4")
        self.assertEqual(done.returncode, 0, done.stderr)
        models = json.loads(done.stdout)["models"]
        self.assertTrue(models)
        self.assertTrue(all("in_core" in model and "traffic" not in model for model in models))
        assembly = support.compile_c("model_loops.c", ["-O2", "-S", "-g"], plain=True)
        text = self.folder / "loops.s"
        text.write_bytes(assembly.read_bytes())
        done = self.ridge(text, "--json", "--function", "jacobi", "--cpu", "znver4")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["models"]), len(models))
        text.write_text("jacobi: vfrobnicate %xmm0\n", "utf-8")
        self.assertIn("cannot be assembled", self.refused(BAD_INPUT, text))

    def test_flags_of_a_build(self):
        build = self.folder / "build"
        build.mkdir()
        commands = [{"directory": str(build), "file": str(SOURCE), "command": f"cc -DWIDTH=32 -O2 -c {SOURCE} -o x.o"}]
        (build / "compile_commands.json").write_text(json.dumps(commands), "utf-8")
        (model,) = self.models("--function", "sum_of_rows", "-D", "N=4", "--from", build / "compile_commands.json")
        self.assertEqual(model["loops"][1]["iterations"], 32)
        other = self.folder / "other.c"
        other.write_text("void f(void) {}", "utf-8")
        self.assertIn("does not compile", self.refused(BAD_INPUT, other, "--from", build / "compile_commands.json"))

    def test_errors_say_what_to_do(self):
        broken = self.folder / "broken.c"
        broken.write_text("void f(int n) { for (;;) undeclared++; }\n", "utf-8")
        said = self.refused(BAD_INPUT, broken)
        self.assertIn("does not compile", said)
        self.assertIn("broken.c:1:26: error: use of undeclared identifier", said)
        self.assertIn("jacobi", self.refused(BAD_INPUT, SOURCE, "--function", "jacoby"))
        self.assertIn("no loop in no_loop", self.refused(BAD_INPUT, SOURCE, "--function", "no_loop"))
        self.assertIn("lines 7, 8", self.refused(BAD_INPUT, SOURCE, "--function", "jacobi", "--line", "1"))
        self.assertIn("cannot read", self.refused(BAD_INPUT, "absent.c"))
        self.assertIn("no source", self.refused(BAD_INPUT, support.MACHINE))
        self.assertIn("a sweep goes", self.refused(USAGE, SOURCE, "-D", "N=5:1"))
        self.assertIn("RIDGE_CLANG", self.refused(UNAVAILABLE, SOURCE, RIDGE_CLANG="/no/such/clang"))


if __name__ == "__main__":
    sys.exit(unittest.main())
