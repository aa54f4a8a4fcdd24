"""`ridge chart` as a user meets it: machines of three kinds, dots of kernels, points, loops and imports, every ending,
and what is wrong."""

import csv
import io
import json
import unittest
import xml.etree.ElementTree as xml

import support

USAGE, BAD_INPUT = 2, 3
TESTDATA = support.SOURCE / "src" / "serialize" / "testdata"
IMPORTED = support.SOURCE / "src" / "import" / "testdata"
MACHINES = ["--machine", "name=skl fp64=200G DRAM=35GB/s", "--machine", "name=xeon fp64=1200G DRAM=100GB/s",
            "--machine", "name=v100 kind=gpu fp64=7T HBM=900GB/s"]
# M. Myllykoski, Performance modelling, Umea University 2020: AX of 5e8 doubles, GEMM of 5000 x 5000.
AX = "scal n=500M name=AX time.skl=291.716ms time.xeon=87.79ms time.v100=10.582ms"
GEMM = "gemm n=5000 name=GEMM time.skl=1.422 performance.xeon=533.05G time.v100=41ms"


def chart(*words, **options):
    return support.run([support.RIDGE, "chart", *words], check=False, env=support.environment(), **options)


def value_of(*words):
    done = chart(*words, "--json")
    assert done.returncode == 0, done.stderr
    value = support.parse_json(done.stdout)
    support.validator("ridge.chart-1").validate(value)
    return value


class Charts(unittest.TestCase):
    def setUp(self):
        self.folder = support.own_folder(self)

    def dots(self, value):
        return {(dot["name"], dot.get("machine"), dot["measured"]): dot for dot in value["dots"]}

    def lines(self, machine):
        return {line["words"]: line["rate"] for line in machine["lines"]}

    def test_the_worked_example_has_the_numbers_of_the_lecture(self):
        dots = self.dots(value_of(*MACHINES, "--kernel", AX, "--kernel", GEMM))
        self.assertEqual(len(dots), 12)
        for key, printed in ((("AX", "skl", True), 1.714e9), (("AX", "v100", True), 47.25e9),
                             (("AX", "xeon", True), 5.695e9), (("GEMM", "skl", True), 175.8e9),
                             (("GEMM", "v100", True), 6.098e12), (("GEMM", "xeon", True), 533.05e9)):
            self.assertAlmostEqual(dots[key]["performance"] / printed, 1, delta=1e-3, msg=key)
        self.assertEqual(dots["AX", "skl", False]["intensity"], 1 / 16)
        self.assertAlmostEqual(dots["AX", "skl", False]["performance"] / 2.1875e9, 1)
        self.assertAlmostEqual(dots["GEMM", "v100", False]["performance"] / 7e12, 1)

    def test_data_that_fit_into_a_cache_stay_below_the_roof_of_the_memory(self):
        machine = "name=node cores=4 clock=2G simd=256 fma=2 L3=100GB/s L3.size=16MiB DRAM=40GB/s"
        value = value_of("--machine", machine, "--kernel", "triad n=1000", "--kernel", "triad n=1e8 name=large")
        dots = self.dots(value)
        for name in ("triad", "large"):
            dot = dots[name, "node", False]
            self.assertAlmostEqual(dot["performance"], dot["intensity"] * 40e9, msg=name)
        self.assertEqual([note["code"] for note in value["notes"]], ["resident"])
        self.assertIn("triad on node", value["notes"][0]["text"])

    def test_every_ending(self):
        for ending in ("svg", "pdf", "png", "html", "csv", "json"):
            file = self.folder / f"x.{ending}"
            done = chart(*MACHINES, "--kernel", AX, "-o", file)
            self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
            begin = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG", "html": b"<!doctype html>",
                     "csv": b"what,name", "json": b"{"}[ending]
            self.assertTrue(file.read_bytes().startswith(begin), ending)
        self.assertEqual(json.loads((self.folder / "x.json").read_text()), value_of(*MACHINES, "--kernel", AX))
        rows = list(csv.DictReader(io.StringIO((self.folder / "x.csv").read_text())))
        self.assertEqual(len(rows), 6 + 6)
        self.assertEqual(rows[0]["performance [flop/s]"], "2187500000")
        self.assertIn("exists", chart(*MACHINES, "-o", self.folder / "x.svg").stderr)
        self.assertEqual(chart(*MACHINES, "-o", self.folder / "x.svg", "--force").returncode, 0)

    def test_pictures_are_well_formed_whatever_names_hold(self):
        points = self.folder / "points.csv"
        points.write_text('name,intensity,performance\n"<b>&""x",0.5,1e9\n]]>,1e-3,1e3\n\u202eabc,1e12,1e20\n')
        for style in ("screen", "paper"):
            for axes in ("log10", "log2"):
                file = self.folder / f"{style}-{axes}.svg"
                done = chart("--machine", "name=<i>&a fp64=1T DRAM=1GB/s", "--machine", "name=b fp64=2T HBM=1e15B/s",
                             "--points", points, "--spectrum", "--ceilings", "all", "--style", style, "--axes", axes,
                             "--title", "<&>", "-o", file)
                self.assertEqual(done.returncode, 0, done.stderr)
                texts = [text for node in xml.parse(file).iter() for text in (node.text or "",)]
                self.assertIn("<&>", "".join(texts))
                self.assertNotIn("<b>", file.read_text())

    def test_a_page_is_well_formed_and_has_a_row_for_each_dot(self):
        """Of `ridge predict` too; nothing of a name is markup, and nothing is loaded."""
        points = self.folder / "points.csv"
        points.write_text('name,intensity,performance\n"<b>&""x",0.5,1e9\n')
        machines = ["--machine", "name=<i>&a fp64=1T DRAM=1GB/s", "--machine", "name=b fp64=2T HBM=1e11B/s"]
        for command, words, rows in (("chart", ["--points", points, "--title", "<&>"], ["500 MFlop/s", "1.00 GFlop/s"]),
                                     ("predict", ["--points", points], ["500 MFlop/s", "50.0 GFlop/s"])):
            file = self.folder / f"{command}.html"
            done = support.run([support.RIDGE, command, *machines, *words, "-o", file], check=False,
                               env=support.environment())
            self.assertEqual(done.returncode, 0, done.stderr)
            page = file.read_text()
            body = page[page.index("<body>"):page.index("</html>")]
            cells = ["".join(cell.itertext()) for cell in xml.fromstring(body).iter("td")]
            for row in ['<b>&"x', "<i>&a", "1.00 GB/s", *rows]:
                self.assertIn(row, cells, command)
            for loaded in ("<script", "<link", "src=", "@import", "url(", "<b>"):
                self.assertNotIn(loaded, page, command)

    def test_lines_below_the_roof_follow_or_are_said_to_be_unknown(self):
        gpu, cpu = value_of("--on", "h100-80-sxm5,zen2-7742", "--ceilings", "no-fma,one-core")["machines"]
        lines = self.lines(gpu)
        self.assertAlmostEqual(lines["fp64 no FMA"] / (lines["fp64"] / 2), 1)
        self.assertTrue(any("DRAM alone is not known" in note["text"] for note in cpu["notes"]), cpu)

    def test_a_measured_machine_and_a_result_share_a_chart(self):
        value = value_of(TESTDATA / "profile-heat2d.json")
        self.assertEqual(len(value["machines"]), 1)
        self.assertTrue(value["dots"])
        self.assertTrue(all(dot["measured"] for dot in value["dots"]))
        other = value_of(TESTDATA / "profile-heat2d.json", "--on", "zen4-9654,h100-80-sxm5")
        self.assertEqual([machine["key"] for machine in other["machines"]], ["zen4-9654", "h100-80-sxm5"])
        self.assertTrue(all("machine" not in dot for dot in other["dots"]))
        here = value_of("--machine", str(support.MACHINE), "--ceilings", "all", "--isa", "avx2")["machines"][0]
        self.assertEqual({(line["basis"], line["origin"]) for line in here["lines"]}, {("sustained", "assumed")})
        self.assertAlmostEqual(self.lines(here)["fp64 one core"] / 76.8e9, 1)

    def test_an_import_is_a_result(self):
        file = self.folder / "imported.json"
        done = support.run([support.RIDGE, "import", IMPORTED / "ncu_raw.csv", "-o", file], check=False,
                           env=support.environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        value = value_of(file, "--on", "v100-sxm2")
        self.assertTrue(value["dots"])
        for dot in value["dots"]:
            self.assertEqual((dot["level"], dot["measured"]), ("DRAM", True))
            self.assertAlmostEqual(dot["intensity"] / (6320648355840 / 480.44e9), 1)

    def test_points_name_their_machine(self):
        points = self.folder / "points.csv"
        points.write_text("name,work,bytes,time.a,performance.b\nstream,2e9,24e9,0.3,9G\n")
        machines = ["--machine", "name=a fp64=1T DRAM=100GB/s", "--machine", "name=b fp64=1T DRAM=200GB/s"]
        dots = self.dots(value_of(*machines, "--points", points))
        self.assertAlmostEqual(dots["stream", "a", True]["performance"] / (2e9 / 0.3), 1)
        self.assertAlmostEqual(dots["stream", "b", True]["performance"] / 9e9, 1)
        self.assertAlmostEqual(dots["stream", "b", False]["performance"] / (200e9 / 12), 1)
        done = chart(*machines[:2], "--points", points)
        self.assertEqual((done.returncode, "no such machine" in done.stderr), (USAGE, True), done.stderr)
        told = support.run([support.RIDGE, "predict", "--points", points, *machines, "--json"], check=False,
                           env=support.environment())
        a, b = support.parse_json(told.stdout)["machines"]
        self.assertAlmostEqual(a["measured"]["seconds"], 0.3)
        self.assertAlmostEqual(b["measured"]["seconds"] / (2 / 9), 1)

    def test_the_spectrum_is_that_of_the_catalogue(self):
        bands = {band["name"]: band for band in value_of(*MACHINES, "--spectrum")["spectrum"]}
        self.assertEqual(sorted(bands), ["FFT", "GEMM", "N-body", "SpMV", "stencil"])
        told = support.run([support.RIDGE, "predict", "--kernel", "gemm", "-D", "n=64", "--on", "none", "--json"],
                           check=False, env=support.environment())
        kernel = support.parse_json(told.stdout)["kernel"]
        self.assertAlmostEqual(bands["GEMM"]["low"] / kernel["intensity"]["write_allocate"], 1)

    def test_the_terminal_shows_dots_lines_and_notes(self):
        text = chart(*MACHINES, "--kernel", AX, "--ceilings", "no-fma").stdout
        for words in ("47.3 GFlop/s", "measured", "900 GB/s", "v100 ", "note: skl: the fp64 line without FMA"):
            self.assertIn(words, text)

    def test_what_is_wrong_is_said(self):
        for code, words in ((USAGE, ["--ceilings", "simd"]), (USAGE, ["--kernel", "gemm n"]),
                            (BAD_INPUT, ["--kernel", "gemmm n=4"]), (BAD_INPUT, ["--on", "no-such-machine"]),
                            (BAD_INPUT, ["no-such-folder"]), (USAGE, ["-o", "x.bmp"]),
                            (USAGE, ["--machine", "cores=x"]), (USAGE, ["--title", "a"]),
                            (USAGE, [*MACHINES[:2], *MACHINES[:2]]), (BAD_INPUT, ["--machine", "no-such.json"])):
            done = chart(*words, cwd=self.folder)
            self.assertEqual(done.returncode, code, (words, done.stderr))
            self.assertTrue(done.stderr.startswith("ridge: "), words)


if __name__ == "__main__":
    unittest.main()
