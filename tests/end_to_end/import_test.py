"""`ridge import`: other tools' files become results that other commands take, with their origin; what is wrong ends with the
code of the contract."""

import json
import sys
import unittest

import support

DATA = support.SOURCE / "src" / "import" / "testdata"
RESULT = support.SOURCE / "src" / "serialize" / "testdata" / "profile-heat2d.json"
USAGE, BAD_INPUT, NOT_WRITTEN = 2, 3, 5


# Published with the figures of nersc-roofline (BerkeleyGW's GPP): Gflop/s and flop/byte with nw = 1 to 6 bands, and the ceilings of
# ERT on the same V100, Gflop/s and GB/s (L1: 80 SM, 128 byte, 1.4 GHz).
V100_PEAK = 7068.86
V100_BANDWIDTHS = {"L1": 14336.0, "L2": 2996.77, "DRAM": 828.758}
GPP = [dict(zip(("GFLOPs", "DRAM", "L2", "L1"), dot)) for dot in (
    (2085.756683, 2.584785579, 2.250285265, 0.865326481), (3593.593112, 4.738878073, 3.34359685, 1.556526957),
    (4381.739349, 6.892970567, 3.245471837, 2.222121895), (4625.535516, 9.047063062, 3.766406852, 2.863508257),
    (4599.764097, 11.08619259, 4.356477696, 3.446245893), (4692.209405, 13.21154434, 5.182021625, 4.034947498))]


def flops(prefix, **counts):
    """The three kinds of fp64 instructions, as ncu names them."""
    return [(f"{prefix}__sass_thread_inst_executed_op_{kind}_pred_on.sum", "inst", counts.get(kind, "0")) for kind in ("dadd", "dmul", "dfma")]


def details(kernel, *metrics, launch=0):
    """One launch as `ncu --csv` writes it, with its header."""
    rows = [("ID", "Process ID", "Kernel Name", "Device", "CC", "Section Name", "Metric Name", "Metric Unit", "Metric Value")]
    rows += [(str(launch), "1", kernel, "0", "7.0", "Command line profiler metrics", *metric) for metric in metrics]
    return "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in rows)


def ncu_table(*dots):
    """A second of each dot: the counts that its performance and intensities stand for."""
    text = ""
    for number, dot in enumerate(dots):
        work = dot["GFLOPs"] * 1e9
        launch = details(f"GPP {number + 1}", ("gpu__time_duration.sum", "second", "1"),
                         *((metric, "byte", f"{work / dot[level]:.0f}")
                           for level, metric in (("L1", "l1tex__t_bytes.sum"), ("L2", "lts__t_bytes.sum"), ("DRAM", "dram__bytes.sum"))),
                         *flops("smsp", dfma=f"{work / 2:.0f}"), launch=number)
        text += launch if not text else launch.split("\n", 1)[1]
    return text


# A file that says nothing without another one of the same run.
COMPLETES = {"sde_masks.txt": "sde_iform.txt"}


class Imports(unittest.TestCase):
    def setUp(self):
        self.folder = support.own_folder(self)

    def ridge(self, *words):
        return support.run([support.RIDGE, *words], check=False, env=support.environment(), cwd=self.folder)

    def imported(self, *words):
        done = self.ridge("import", *words, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refused(self, code, *words, says=""):
        done = self.ridge("import", *words)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertIn(says, done.stderr)

    def test_every_file_is_a_result_that_report_takes(self):
        for file in sorted(DATA.iterdir()):
            if file.suffix == ".md":
                continue
            with self.subTest(file=file.name):
                out = self.folder / f"{file.stem}{file.suffix[1:]}.json"
                files = [DATA / COMPLETES[file.name], file] if file.name in COMPLETES else [file]
                done = self.ridge("import", *files, "-o", out)
                self.assertEqual(done.returncode, 0, done.stderr)
                shown = self.ridge("report", out)
                self.assertEqual(shown.returncode, 0, shown.stderr)
                stored = json.loads(out.read_text("utf-8"))
                self.assertIn("imported", [note["code"] for note in stored["notes"]])
                if stored["schema"] == "ridge.profile/2":
                    self.assertEqual(stored["imports"][0]["file"], str(files[0]))
                    self.assertTrue(stored["regions"])
                    for ending in ("csv", "md", "html"):
                        made = self.ridge("report", out, "-o", self.folder / f"{file.name}.{ending}")
                        self.assertEqual(made.returncode, 0, made.stderr)

    def test_a_file_without_loops_or_topology_is_told_as_an_import(self):
        done = self.ridge("import", DATA / "perf_stat.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("number of cores unknown", done.stdout)
        self.assertNotIn("1 core", done.stdout)
        self.assertNotIn("ridge-cc", done.stdout)
        self.assertIn("what was imported holds", done.stdout)
        done = self.ridge("import", DATA / "ert.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("1 core,", done.stdout)

    def test_published_metrics_give_the_published_point(self):
        """GPP on a V100: ncu's metrics to performance and intensity by level, as its authors give them."""
        region, = self.imported(DATA / "ncu_raw.csv")["regions"]
        self.assertAlmostEqual(region["flops"]["total"], 6320.6e9, delta=1e-4 * 6320.6e9)
        self.assertAlmostEqual(region["time_seconds"]["self"]["value"], 1.2808043, delta=1e-6)
        self.assertAlmostEqual(region["performance"], 4934.9e9, delta=1e-3 * 4934.9e9)
        for level, intensity in (("DRAM", 13.156), ("L2", 5.0565), ("L1", 4.0004)):
            self.assertAlmostEqual(region["intensity"][level], intensity, delta=1e-3)

    def test_published_dots_stand_under_the_published_roofs(self):
        """GPP with one to six bands on a V100: what ncu counts becomes the published dots, under the ceilings of ERT there."""
        counted = self.folder / "gpp.csv"
        counted.write_text(ncu_table(*GPP), "utf-8")
        ert = json.loads((DATA / "ert.json").read_text("utf-8"))
        ert["empirical"]["gbytes"]["data"] = [list(roof) for roof in V100_BANDWIDTHS.items()]
        ert["empirical"]["gflops"]["data"] = [["GFLOPs", V100_PEAK]]
        (self.folder / "v100.ert.json").write_text(json.dumps(ert), "utf-8")
        machine = self.folder / "machine.json"
        self.assertEqual(self.ridge("import", self.folder / "v100.ert.json", "-o", machine).returncode, 0)
        out = self.folder / "gpp.json"
        done = self.ridge("import", counted, "--machine", machine, "-o", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        regions = json.loads(out.read_text("utf-8"))["regions"]
        self.assertEqual(len(regions), len(GPP))
        for region, dot in zip(regions, GPP):
            self.assertAlmostEqual(region["performance"] / (dot["GFLOPs"] * 1e9), 1, delta=1e-6)
            attainable = min([V100_PEAK] + [dot[level] * V100_BANDWIDTHS[level] for level in V100_BANDWIDTHS])
            for level in V100_BANDWIDTHS:
                self.assertAlmostEqual(region["intensity"][level] / dot[level], 1, delta=1e-6)
            self.assertLessEqual(region["performance"], attainable * 1e9)
        # With one band memory binds: 2085.8 of 2142.2 Gflop/s.
        self.assertIn("bandwidth.DRAM", regions[0]["bound"]["code"]["ceiling"])
        self.assertAlmostEqual(regions[0]["bound"]["code"]["fraction"], 2085.756683 / (2.584785579 * 828.758), delta=1e-4)
        chart = self.folder / "gpp.svg"
        self.assertEqual(self.ridge("report", out, "-o", chart).returncode, 0)
        self.assertIn("GPP 6", chart.read_text("utf-8"))

    def test_a_profilers_table_of_a_lecture_is_its_dot(self):
        """y = a x of 5e8 doubles on a V100 (Myllykoski, Umea 2020): 13 181 137 cycles at 1.25 GHz, 10.55 ms, 84.58 % of the
        memory's peak of 897 GB/s; by hand 47 Gflop/s at 1/16 flop/byte."""
        table = self.folder / "ax.csv"
        table.write_text(details("ax", ("Elapsed Cycles", "cycle", "13,181,137"), ("SM Frequency", "cycle/nsecond", "1.25"),
                                 ("gpu__time_duration.sum", "msecond", "10.55"),
                                 ("dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", "84.58"),
                                 ("dram__bytes.sum.peak_sustained", "byte/cycle", "1,024"),
                                 ("dram__cycles_elapsed.avg.per_second", "cycle/nsecond", "0.876"),
                                 *flops("smsp", dmul="500,000,000")), "utf-8")
        region, = self.imported(table)["regions"]
        self.assertAlmostEqual(region["time_seconds"]["self"]["value"], 0.01055, delta=0.002 * 0.01055)
        self.assertAlmostEqual(region["performance"], 47.25e9, delta=0.005 * 47.25e9)
        self.assertAlmostEqual(region["intensity"]["DRAM"], 1 / 16, delta=0.003 / 16)

    def test_two_versions_of_a_profiler_give_one_dot(self):
        """GPP on a V100 as its authors counted it with ncu of CUDA 10 (sectors of 32 byte) and of CUDA 11 (bytes)."""
        sectors = self.folder / "cuda10.csv"
        sectors.write_text(details("NumBandNgpown_kernel", ("sm__cycles_elapsed.avg", "cycle", "1,677,685,664.15"),
                                   ("sm__cycles_elapsed.avg.per_second", "cycle/nsecond", "1.31"),
                                   ("l1tex__t_sectors.sum", "sector", "49,232,744,870"), ("lts__t_sectors.sum", "sector", "38,997,639,861"),
                                   ("dram__sectors_read.sum", "sector", "15,016,845,756"), ("dram__sectors_write.sum", "sector", "0"),
                                   *flops("smsp", dadd="164,886,478,848", dmul="1,429,016,150,016", dfma="2,363,372,863,488")), "utf-8")
        old, = self.imported(sectors)["regions"]
        new, = self.imported(DATA / "ncu_raw.csv")["regions"]
        self.assertAlmostEqual(old["performance"] / new["performance"], 1, delta=1e-3)
        for level in ("L1", "L2", "DRAM"):
            self.assertAlmostEqual(old["intensity"][level] / new["intensity"][level], 1, delta=5e-3)

    def test_figures_show_their_origin(self):
        profile = self.imported(DATA / "google_benchmark.json")
        self.assertEqual(profile["origins"], {"flops": "modelled", "bytes": "modelled", "traffic": "modelled", "time": "measured"})
        self.assertNotIn("wall_seconds", profile["program"])
        self.assertNotIn("pid", profile["processes"][0])
        shown = " ".join(self.ridge("import", DATA / "google_benchmark.json").stdout.split())
        self.assertIn("imported from Google Benchmark", shown)

    def test_roofs_of_an_imported_machine_hold_imported_loops(self):
        machine = self.folder / "machine.json"
        self.assertEqual(self.ridge("import", DATA / "ert.json", "-o", machine).returncode, 0)
        profile = self.imported(DATA / "likwid_perfctr_markers.csv", "--machine", machine)
        self.assertEqual(profile["machine"]["host"], "node")
        self.assertEqual([region["name"] for region in profile["regions"]], ["triad", "copy"])

    def test_into_a_result(self):
        before = {region["id"]: region for region in json.loads(RESULT.read_text("utf-8"))["regions"]}
        file = self.folder / "markers.csv"
        file.write_text((DATA / "likwid_perfctr_markers.csv").read_text("utf-8").replace("Region triad", "Region sweep"), "utf-8")
        done = self.ridge("import", file, "--into", RESULT, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("not matched: copy of LIKWID", done.stderr)
        laid = [region for region in json.loads(done.stdout)["regions"] if "imported" in [note["code"] for note in region["notes"]]]
        self.assertEqual([region["name"] for region in laid], ["sweep"])
        region, = laid
        self.assertEqual(region["traffic"]["DRAM"], {"read": 320000000, "written": 160000000})
        self.assertEqual(region["traffic_origins"], {"DRAM": "measured"})
        self.assertEqual(region["traffic"]["L2"], before[region["id"]]["traffic"]["L2"])
        self.assertEqual(region["time_seconds"], before[region["id"]]["time_seconds"])

    def test_the_list(self):
        done = self.ridge("import", "--from", "list")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("google-benchmark", "likwid-perfctr", "perf-stat", "ncu", "rocprof", "ert"):
            self.assertIn(f"\n{name} ", "\n" + done.stdout)

    def test_what_is_wrong(self):
        file = self.folder / "text.csv"
        file.write_text("hello\n", "utf-8")
        self.refused(BAD_INPUT, file, says="of no format")
        self.refused(BAD_INPUT, self.folder / "nothing.csv", says="cannot read")
        self.refused(BAD_INPUT, self.folder, says="cannot read")
        self.refused(USAGE, file, "--from", "vtune", says="list")
        self.refused(USAGE, says="no FILE")
        broken = self.folder / "broken.csv"
        broken.write_text("1,msec,task-clock,1,100.00,,\noops\n", "utf-8")
        self.refused(BAD_INPUT, broken, says="broken.csv:2:")
        self.refused(USAGE, DATA / "ert.json", "--into", RESULT, says="describes a machine")
        out = self.folder / "out.json"
        out.write_text("", "utf-8")
        self.refused(USAGE, DATA / "nsys.csv", "-o", out, says="exists")
        self.assertEqual(self.ridge("import", DATA / "nsys.csv", "-o", out, "--force").returncode, 0)
        self.refused(NOT_WRITTEN, DATA / "nsys.csv", "-o", self.folder / "no" / "out.json")


if __name__ == "__main__":
    sys.exit(unittest.main())
