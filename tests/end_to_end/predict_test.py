"""`ridge predict` as a user meets it: the catalogue, machines, what-if, bad input."""

import json
import unittest
import xml.etree.ElementTree as xml

import support

H100 = "h100-80-sxm5"


def predict(*words, **options):
    return support.run([support.RIDGE, "predict", *words], check=False, env=support.environment(),
                       **options)


def value_of(*words):
    done = predict(*words, "--json")
    assert done.returncode == 0, done.stderr
    value = support.parse_json(done.stdout)
    support.validator(value["schema"].replace("/", "-")).validate(value)
    return value


class Catalogue(unittest.TestCase):
    def test_the_list_shows_every_kernel_and_the_docs_say_the_same(self):
        kernels = value_of("--list")["kernels"]
        self.assertEqual(len(kernels), 28)
        text = predict("--list").stdout
        page = (support.SOURCE / "docs/theory/kernels.md").read_text("utf-8")
        flat = " ".join(text.split())
        for kernel in kernels:
            for key in ("name", "summary", "work", "traffic", "cache", "source"):
                if key in kernel:
                    self.assertTrue(" ".join(kernel[key].split()) in flat, kernel)
                    self.assertTrue(kernel[key] in page, kernel)

    def test_every_kernel_gives_a_prediction(self):
        sizes = {"spmv-csr": "m=1000,nnz=10000", "spmv-sell": "m=1000,nnz=10000",
                 "linear": "in=10,out=20", "conv2d": "channels=3,height=32,filters=8",
                 "pooling": "channels=3,height=32", "layernorm": "rows=10,width=64",
                 "softmax": "rows=10,width=64", "attention-prefill": "length=128,heads=8",
                 "attention-decode": "context=128,heads=8", "gemv": "m=100",
                 "embedding": "tokens=10,width=64,vocabulary=1000"}
        for kernel in value_of("--list")["kernels"]:
            name = kernel["name"]
            size = sizes.get(name, "nx=64" if name.startswith("stencil") else "n=64")
            value = value_of("--kernel", name, "-D", size, "--cold", "--on", H100 + ",zen4-9654")
            for machine in value["machines"]:
                times = machine["seconds"]
                self.assertLessEqual(times["full_overlap"], times["ecm"], name)
                self.assertLessEqual(times["ecm"], times["no_overlap"], name)
                self.assertAlmostEqual(machine["attainable"] * times["full_overlap"] / machine["work"], 1)

    def test_triad_by_hand(self):
        value = value_of("--kernel", "triad", "-D", "n=1e8", "--launches", "0", "--on", H100, "--on", "zen4-9654")
        self.assertEqual(value["kernel"]["work"]["flops"], 200000000)
        gpu, cpu = value["machines"]
        self.assertAlmostEqual(gpu["attainable"] / (3.35e12 * 2 / 24), 1)
        self.assertEqual((gpu["binding"], gpu["next"]), ("HBM", "L1"))
        memory = [r for r in cpu["resources"] if r["resource"] == "DRAM"][0]
        self.assertEqual(memory["amount"], 3.2e9)  # with write-allocate

    def test_the_terminal_names_origin_and_what_binds(self):
        text = predict("--kernel", "triad", "-D", "n=1e8", "--launches", "0", "--on", H100).stdout
        for words in ("279 GFlop/s", "bound by HBM", "next L1", "datasheet [GLK-H100]",
                      "full overlap", "no overlap", "0.0833 flop/byte"):
            self.assertIn(words, text)


class Machines(unittest.TestCase):
    def setUp(self):
        self.folder = support.own_folder(self)

    def own(self, **more):
        file = self.folder / "node.json"
        file.write_text(json.dumps({
            "schema": "ridge.specification/1", "name": "our node",
            "peaks": [{"precision": "fp64", "value": 1e12, "unit": "flop/s"}],
            "bandwidths": [{"level": "DRAM", "value": 1e11, "unit": "byte/s"}], **more}))
        return str(file)

    def test_what_if(self):
        words = ["--kernel", "triad", "-D", "n=1e8", "--on", self.own()]
        plain = value_of(*words)["machines"][0]
        twice = value_of(*words, "--what-if", "DRAM=2x")["machines"][0]
        self.assertAlmostEqual(plain["seconds"]["full_overlap"] / twice["seconds"]["full_overlap"], 2)
        self.assertIn("what-if", [note["code"] for note in twice["notes"]])
        self.assertEqual(twice["resources"][1]["origin"], "assumed")

    def test_energy_where_joules_are_known(self):
        energy = {"per_flop": [{"precision": "fp64", "value": 2e-11, "unit": "J/flop"}],
                  "per_byte": [{"level": "DRAM", "value": 1e-10, "unit": "J/byte"}],
                  "constant_power": {"value": 100, "unit": "W"}}
        words = ["--kernel", "dot", "-D", "n=1e9", "--on"]
        self.assertNotIn("energy", value_of(*words, self.own())["machines"][0])
        known = value_of(*words, self.own(energy=energy))["machines"][0]["energy"]
        self.assertAlmostEqual(known["joules"], 2e9 * 2e-11 + 16e9 * 1e-10 + 100 * 0.16)
        self.assertIn("Flop/J", predict(*words, self.own(energy=energy)).stdout)

    def test_a_precision_without_a_peak_is_said(self):
        machine = value_of("--kernel", "triad", "-D", "n=1000", "--precision", "fp16", "--on",
                           "skx-6148")["machines"][0]
        self.assertEqual(machine["missing"], "no fp16 peak known")
        self.assertNotIn("attainable", machine)
        self.assertNotIn("seconds", machine)

    def test_a_measured_machine_speaks_with_its_ceilings(self):
        machine = value_of("--kernel", "triad", "-D", "n=1e8", "--on", str(support.MACHINE))["machines"][0]
        self.assertEqual(machine["machine"], support.MACHINE.stem)
        memory = machine["resources"][-1]
        self.assertEqual(memory["basis"], "sustained")
        origins = {c["id"]: c["value"]["origin"] for c in json.loads(support.MACHINE.read_text())["ceilings"]}
        self.assertEqual(memory["origin"], origins[memory["rate_name"]])

    def test_data_of_the_host(self):
        words = ["--kernel", "scal", "-D", "n=5e8", "--on", "v100-pcie", "--data", "host"]
        machine = value_of(*words)["machines"][0]
        self.assertEqual(machine["binding"], "PCIe")
        link = machine["resources"][-1]
        self.assertAlmostEqual(link["rate"] / 15.75e9, 1)
        self.assertAlmostEqual(value_of(*words, "--duplex")["machines"][0]["resources"][-1]["rate"] / 31.5e9, 1)

    def test_the_result_goes_into_a_file(self):
        file = self.folder / "result.json"
        words = ["--kernel", "dot", "-D", "n=1e9", "--on", H100, "-o", str(file)]
        done = predict(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("bound by HBM", done.stdout)
        support.validator("ridge.prediction-1").validate(json.loads(file.read_text()))
        self.assertEqual(predict(*words).returncode, 2)
        self.assertEqual(predict(*words, "--force").returncode, 0)
        self.assertEqual(predict("--list", "-o", str(self.folder), "--force").returncode, 5)


NODE = ("cores=4 clock=2G simd=256 fma=2 L1=64B/cycle L1.size=32KiB L2=32B/cycle L2.size=1MiB L3=100GB/s L3.size=16MiB "
        "DRAM=40GB/s DRAM.one_core=15GB/s HBM=30GB/s")


class WhereTheDataAre(unittest.TestCase):
    """4 cores: L1 512 GB/s, L2 256 GB/s, L3 100 GB/s, DRAM 40 GB/s, one core 15 GB/s."""

    def seconds(self, n, *words):
        machine = value_of("--kernel", "triad", "-D", f"n={n}", "--machine", NODE, *words)["machines"][0]
        return machine["binding"], machine["seconds"]["full_overlap"]

    def check(self, made, binding, seconds):
        self.assertEqual(made[0], binding)
        self.assertAlmostEqual(made[1] / seconds, 1)

    def test_the_level_that_holds_them_binds(self):
        self.check(self.seconds(1000), "L1", 24e3 / 512e9)
        self.check(self.seconds(10000), "L2", 320e3 / 256e9)
        self.check(self.seconds(500000), "L3", 16e6 / 100e9)
        self.check(self.seconds(1000000), "DRAM", 32e6 / 40e9)
        self.check(self.seconds(1000, "--cold"), "DRAM", 32e3 / 40e9)
        self.check(self.seconds(2000000, "--stores", "nontemporal"), "DRAM", 48e6 / 40e9)
        text = predict("--kernel", "triad", "-D", "n=1000", "--machine", NODE).stdout
        self.assertIn("24 kB of data stay in L1", " ".join(text.split()))

    def test_caches_of_a_published_part_follow_from_its_core(self):
        """Skylake-SP: 128 byte loaded and 64 stored per cycle and core in L1, 64 read from L2; 24 cores at 2.1 GHz."""
        cycles = 24 * 2.1e9
        for kernel, n, level, bytes_per_cycle in (("dot", 1000, "L1", 128), ("triad", 1000, "L1", 192),
                                                  ("dot", 1000000, "L2", 64)):
            machine = value_of("--kernel", kernel, "-D", f"n={n}", "--on", "skx-8160")["machines"][0]
            found = {resource["resource"]: resource for resource in machine["resources"]}[level]
            self.assertAlmostEqual(found["rate"] / (bytes_per_cycle * cycles), 1, msg=(kernel, n))
            self.assertEqual((machine["binding"], found["origin"]), (level, "modelled"))
            self.assertIn("derived-rate", [note["code"] for note in machine["notes"]])
        text = predict("--kernel", "dot", "-D", "n=1000", "--on", "skx-8160").stdout
        self.assertIn("derived from the microarchitecture Skylake-X", " ".join(text.split()))
        own = value_of("--kernel", "dot", "-D", "n=1000", "--on", "bdw-2697v4")["machines"][0]
        self.assertNotIn("derived-rate", [note["code"] for note in own["notes"]])

    def test_pictures_keep_dots_and_roofs_of_data_in_a_cache(self):
        """L1 of 512 GB/s holds the data on one machine, L3 without a rate on the other, whose dot is of the memory."""
        file = support.own_folder(self) / "x.svg"
        blind = "name=blind cores=4 clock=2G simd=256 fma=2 L3.size=16MiB DRAM=20GB/s"
        done = predict("--kernel", "triad", "-D", "n=1000", "--machine", "name=node " + NODE, "--machine", blind, "-o",
                       file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: triad on blind", done.stderr)
        self.assertNotIn("triad on node", done.stderr)
        texts = " ".join(node.text or "" for node in xml.parse(file).iter())
        for roof in ("node 40.0 GB/s", "node L1 512 GB/s", "blind 20.0 GB/s"):
            self.assertIn(roof, texts)
        self.assertEqual(done.stderr.count("note:"), 1)

    def test_cores_saturate_the_memory(self):
        self.check(self.seconds(1000000, "--cores", "1"), "DRAM", 32e6 / 15e9)
        self.check(self.seconds(1000000, "--cores", "2"), "DRAM", 32e6 / 30e9)
        self.check(self.seconds(1000000, "--cores", "3"), "DRAM", 32e6 / 40e9)
        self.check(self.seconds(1000000, "--what-if", "cores=1"), "DRAM", 32e6 / 15e9)
        # A quarter of the L1 holds a quarter of the data.
        self.check(self.seconds(1000, "--cores", "1"), "L1", 24e3 / 128e9)
        self.assertEqual(self.seconds(5000, "--cores", "1")[0], "L2")

    def test_nodes_of_the_memory(self):
        self.check(self.seconds(1000000, "--memory", "HBM"), "HBM", 32e6 / 30e9)
        self.check(self.seconds(1000000, "--memory", "DRAM=0.5,HBM=0.5"), "HBM", 16e6 / 30e9)

    def test_a_working_set_of_a_computation(self):
        words = ["--work", "1e9", "--bytes", "1e10", "--machine", NODE]
        self.assertEqual(value_of(*words)["machines"][0]["binding"], "DRAM")
        self.assertEqual(value_of(*words, "--working-set", "24kB")["machines"][0]["binding"], "L1")

    def test_an_unknown_bandwidth_ranks_no_machine_first(self):
        less = "name=less cores=4 clock=2G simd=256 fma=2 L3.size=16MiB DRAM=40GB/s"
        more = "name=more cores=4 clock=2G simd=256 fma=2 L3.size=16MiB L3=30GB/s DRAM=41GB/s"
        value = value_of("--kernel", "triad", "-D", "n=1e7", "--machine", less, "--machine", more)
        first, second = value["machines"]
        self.assertLess(first["seconds"]["full_overlap"], second["seconds"]["full_overlap"])
        self.assertEqual((first["rank"], second["rank"]), (2, 1))
        self.assertEqual(first["unbounded"], ["L3"])
        text = predict("--kernel", "triad", "-D", "n=1e7", "--machine", less, "--machine", more).stdout
        self.assertIn("rate unknown", text)
        self.assertIn("without L3", " ".join(text.split()))


class BadInput(unittest.TestCase):
    def refused(self, code, words, *told):
        done = predict(*words)
        self.assertEqual(done.returncode, code, (words, done.stdout, done.stderr))
        self.assertEqual(done.stdout, "")
        for word in told:
            self.assertIn(word, done.stderr)

    def test_names(self):
        on = ["--on", H100]
        self.refused(3, ["--kernel", "traid", "-D", "n=3", *on], "there is no kernel `traid`", "triad")
        self.refused(3, ["--kernel", "triad", "-D", "n=3", "--on", "h100-80-sxm"], H100)
        self.refused(3, ["--kernel", "triad", "-D", "m=3", *on], "no parameter `m`", "n")
        self.refused(3, ["--kernel", "triad", *on], "needs n")
        self.refused(3, ["--kernel", "triad", "-D", "n=3", *on, "--what-if", "HMB=2x"], "HBM")

    def test_values(self):
        for size in ("0", "-5", "1e300", "x", "1.5", "3e15"):
            self.refused(3, ["--kernel", "triad", "-D", "n=" + size, "--on", H100])
        self.refused(3, ["--kernel", "gemm", "-D", "n=1e6", "--on", H100], "2^53")

    def test_links(self):
        self.refused(3, ["--kernel", "triad", "-D", "n=1000", "--on", "v100-pcie", "--data", "host", "--link", "PCI"],
                     "PCIe")

    def test_memory(self):
        self.refused(3, ["--kernel", "triad", "-D", "n=1000", "--on", H100, "--memory", "DRAM"], "HBM")

    def test_usage(self):
        kernel = ["--kernel", "triad", "-D", "n=1000", "--on", H100]
        for words in ([], ["--list", "--kernel", "dot"], ["--kernel", "dot", "-D", "n"],
                      [*kernel, "--precision", "fp61"], [*kernel, "--basis", "best"],
                      [*kernel, "--pipes", "scalar"], [*kernel, "--data", "moon"],
                      [*kernel, "--duplex"], [*kernel, "--latency", "PCIe=soon"],
                      [*kernel, "--what-if", "HBM"], [*kernel, "--on", H100],
                      [*kernel, "--memory", "L2"], [*kernel, "--memory", "HBM=0.5"],
                      [*kernel, "--memory", "HBM=0.5,HBM=0.5"], [*kernel, "--stores", "never"],
                      [*kernel, "--cores", "0"], [*kernel, "--cores", "2", "--what-if", "cores=3"],
                      [*kernel, "--cold", "--working-set", "3kB"], [*kernel, "--working-set", "many"],
                      [*kernel, "--launches", "x"], ["a.onnx", "--cores", "3"]):
            self.refused(2, words)


if __name__ == "__main__":
    unittest.main()
