"""`ridge predict MODEL.onnx` as a user meets it."""

import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import unittest

import support

READER = pathlib.Path(support.RIDGE).parent.parent / "lib" / "ridge" / "ridge-onnx"
WRITER = pathlib.Path(support.RIDGE).parent / "onnx_write_models"
H100 = ("--on", "h100-80-sxm5")


def predict(*words, **options):
    return support.run([support.RIDGE, "predict", *map(str, words)], check=False,
                       env=support.environment(), **options)


@unittest.skipUnless(READER.exists(), "built without ONNX")
class Networks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.models = support.own_folder(cls)
        subprocess.run([WRITER, cls.models], check=True)

    def network(self, *words):
        done = predict(*words, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        value = support.parse_json(done.stdout)
        support.validator("ridge.network-1").validate(value)
        return value

    def test_resnet50_on_a_published_machine(self):
        value = self.network(self.models / "resnet50.onnx", "--batch", 8, "--precision", "fp16", *H100)
        products = sum(layer["flops"] for layer in value["layers"] if layer["kind"] == "product")
        self.assertAlmostEqual(products / 8, 2 * 4.09e9, delta=0.005e9 * 2)
        machine = value["machines"][0]
        self.assertEqual(len(machine["layers"]), len(value["layers"]))
        self.assertAlmostEqual(machine["seconds"],
                               sum(layer.get("seconds", 0) for layer in machine["layers"]), delta=1e-12)
        roofs = {roof["name"]: roof["value"] for roof in machine["roofs"]}
        for layer, times in zip(value["layers"], machine["layers"]):
            if layer["kind"] == "product":
                self.assertAlmostEqual(times["compute_seconds"],
                                       (layer["flops"]) / roofs["fp16 matrix"], delta=1e-15)
            self.assertAlmostEqual(times.get("memory_seconds", 0),
                                   sum(layer["bytes"].values()) / roofs["HBM"], delta=1e-15)

    def test_published_counts_at_a_recent_opset(self):
        """Flop of one image or sequence, biases left out: one of each fp32 result of a Conv or Gemm here. Their sources:
        src/predict/onnx/published_counts_test.cpp."""
        for name, published in (("resnet50", 2 * 4.089e9), ("mobilenet_v2", 2 * 0.301e9), ("vit_b_16", 2 * 17.564e9),
                                ("bert_base", 22.5e9), ("gpt2", 291648307200)):
            with self.subTest(network=name):
                value = self.network(self.models / f"exported_{name}.onnx", "--batch", 1, *H100)
                products = sum(layer["flops"] - (layer["bytes"]["written"] // 4 if layer["operation"] in ("Conv", "Gemm") else 0)
                               for layer in value["layers"] if layer["kind"] == "product")
                self.assertAlmostEqual(products / published, 1, delta=0.01)
                self.assertEqual(value["totals"]["layers_without_flops"], 0)

    def test_fusing_never_takes_longer(self):
        words = (self.models / "transformer.onnx", "--batch", 2, "-D", "sequence=128", *H100)
        apart = self.network(*words)
        fused = self.network(*words, "--fuse")
        self.assertEqual(apart["totals"]["flops"], fused["totals"]["flops"])
        self.assertLess(fused["machines"][0]["seconds"], apart["machines"][0]["seconds"])

    def test_open_dimensions_are_named_with_the_option_that_sets_them(self):
        done = predict(self.models / "transformer.onnx", "--batch", 2, *H100)
        self.assertEqual(done.returncode, 3)
        self.assertIn("`sequence`", done.stderr)
        self.assertIn("-D sequence=N", done.stderr)
        done = predict(self.models / "transformer.onnx", "-D", "sequenz=2", *H100)
        self.assertEqual(done.returncode, 2)
        self.assertIn("sequence", done.stderr)

    def test_unknown_operators_keep_their_bytes(self):
        value = self.network(self.models / "unknown.onnx", *H100)
        layer = value["layers"][0]
        self.assertEqual(layer["operation"], "com.example.Mystery")
        self.assertNotIn("flops", layer)
        self.assertEqual(layer["bytes"], {"weights": 0, "read": 4096, "written": 4096})
        self.assertEqual(value["machines"][0]["incomplete_layers"], 1)
        self.assertIn(">= ", predict(self.models / "unknown.onnx", *H100).stdout)

    def test_bodies_of_newer_models_are_counted(self):
        value = self.network(self.models / "bodies.onnx", *H100)
        self.assertEqual(value["totals"]["flops"], 10 * 2 * 4 * 8 * 8)
        self.assertEqual(value["totals"]["layers_without_flops"], 0)
        note = next(note for note in value["notes"] if note["code"] == "branches")
        self.assertIn("64 flop", note["text"])  # a sigmoid of each of 32 values

    def test_a_precision_without_peak_is_an_error(self):
        done = predict(self.models / "resnet50.onnx", "--batch", 1, "--precision", "fp8", "--on",
                       "v100-sxm2")
        self.assertEqual(done.returncode, 3)
        self.assertIn("no fp8 peak known", done.stderr)

    def test_a_thousand_layers_are_quick(self):
        usage = lambda: (lambda r: r.ru_utime + r.ru_stime)(resource.getrusage(resource.RUSAGE_CHILDREN))
        before = usage()
        done = predict(self.models / "deep.onnx", *H100)
        self.assertEqual(done.returncode, 0, done.stderr)
        # Processor time; ten times what is wanted of an unloaded machine, for sanitizer builds.
        self.assertLess(usage() - before, 5.0)

    def test_what_is_no_model(self):
        for name, content in (("empty", b""), ("text", b"hello, this is no model"),
                              ("cut", (self.models / "resnet50.onnx").read_bytes()[:-100])):
            path = self.models / f"{name}.onnx"
            path.write_bytes(content)
            done = predict(path, *H100)
            self.assertEqual(done.returncode, 3, name)
            self.assertIn(path.name, done.stderr)
        done = predict(self.models / "absent.onnx", *H100)
        self.assertEqual(done.returncode, 3)
        self.assertIn("No such file", done.stderr)
        os.mkfifo(self.models / "pipe.onnx")
        self.assertEqual(predict(self.models / "pipe.onnx", *H100).returncode, 3)

    def test_what_if(self):
        model = self.models / "transformer.onnx"
        words = ("--batch", 2, "-D", "sequence=128", "--launch-latency", 0, *H100)
        seconds = [self.network(model, *words, *change)["machines"][0]["seconds"]
                   for change in ((), ("--what-if", "HBM=2x,compute=2x"))]
        self.assertAlmostEqual(seconds[0] / seconds[1], 2.0)
        changed = self.network(model, *words, "--what-if", "HBM=2x")["machines"][0]
        self.assertIn("what-if", [note["code"] for note in changed["notes"]])
        for change in ("L2=2x", "L2=2M"):
            refused = predict(model, *words, "--what-if", change)
            self.assertEqual(refused.returncode, 2, change)
            self.assertIn("no cache enters", refused.stderr)

    def test_a_gpu_starts_each_layer(self):
        model = self.models / "resnet50.onnx"
        machine = {given: self.network(model, "--batch", 1, *H100, *words)["machines"][0]
                   for given, words in (("none", ("--launch-latency", 0)), ("2 us", ("--launch-latency", "2us")), ("", ()))}
        layers = self.network(model, "--batch", 1, *H100)["layers"]
        kernels = sum(layer["kind"] not in ("view", "constant") for layer in layers)
        self.assertNotIn("launch_seconds", machine["none"])
        self.assertAlmostEqual(machine["2 us"]["launch_seconds"], kernels * 2e-6, delta=1e-12)
        self.assertAlmostEqual(machine["2 us"]["seconds"] - machine["none"]["seconds"], kernels * 2e-6, delta=1e-12)
        self.assertIn("launch-latency", [note["code"] for note in machine[""]["notes"]])
        self.assertGreater(machine[""]["launch_seconds"], kernels * 1e-6)
        self.assertNotIn("launch_seconds", self.network(model, "--batch", 1, "--on", "zen4-9654")["machines"][0])

    def test_options_that_say_nothing_are_refused(self):
        model = self.models / "resnet50.onnx"
        for words in (("--data", "host"), ("--pipes", "matrix"), ("--precision", "int8"),
                      ("--batch", "0"), ("--batch", "-1"), ("-D", "batch_size"),
                      ("--launch-latency", "soon"), ("--launch-latency", "2s"), ("--batch", "99999999999999999999")):
            self.assertEqual(predict(model, *words, *H100).returncode, 2, words)
        self.assertEqual(predict("--list", "--fuse").returncode, 2)


class WithoutReader(unittest.TestCase):
    def test_it_says_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = pathlib.Path(folder) / "bin" / "ridge"
            alone.parent.mkdir()
            shutil.copy(support.RIDGE, alone)
            done = support.run([str(alone), "predict", "model.onnx", *H100], check=False,
                               env=support.environment())
            self.assertEqual(done.returncode, 4)
            self.assertIn("built without ONNX", done.stderr)
            self.assertIn("libonnx-dev", done.stderr)


if __name__ == "__main__":
    unittest.main()
