"""check_layers accepts a tree that keeps the layers and names every kind of violation."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "check_layers"

GOOD = {
    "src/core/quantity/units.hpp": "#pragma once\n#include <vector>\n",
    "src/platform/clock.cpp": '#include "platform/clock.hpp"\n#include "core/quantity/units.hpp"\n',
    "src/platform/clock.hpp": "#pragma once\n",
    "src/bench/plan.cpp": '#include "core/quantity/units.hpp"\n#include "platform/clock.hpp"\n',
    "src/measure/decode.cpp": '#include "abi/layout.h"\n#include "platform/clock.hpp"\n',
    "src/measure/source.hpp": '#include "core/result.hpp"\n',
    "src/measure/sources.cpp": '#include "measure/instrumented/instrumented.hpp"\n',
    "src/measure/source_test.cpp": '#include "measure/instrumented/instrumented.hpp"\n',
    "src/measure/instrumented/instrumented.hpp": '#include "measure/source.hpp"\n',
    "src/serialize/json.cpp": '#include <nlohmann/json.hpp>\n#include "core/quantity/units.hpp"\n',
    "src/core/quantity/units_test.cpp": '#include "core/quantity/units.hpp"\n#include "tests/temporary_folder.hpp"\n',
    "src/cli/main.cpp": '#include <CLI/CLI.hpp>\n#include "bench/plan.hpp"\n',
    "src/core/value/machine.hpp": '#include "core/quantity/units.hpp"\n#include "core/result.hpp"\n',
    "src/predict/findings/gain.cpp": '#include "predict/roof/limits.hpp"\n',
    "src/predict/roof/limits_test.cpp": '#include "predict/findings/predict.hpp"\n',
    "src/render/document/run/summary.cpp": '#include "render/format/text/paint.hpp"\n#include "render/chart/names.hpp"\n',
    "instrument/llvm_pass/plan/regions.cpp": '#include "instrument/llvm_pass/cost/generic/own.hpp"\n',
    "src/core/identity/isa.hpp": 'constexpr const char* kText = "avx512";\n',
    "src/spmv/kernel/kernels.cpp": 'bool wide() { return __builtin_cpu_supports("avx2"); }\n',
    "src/render/chart/names.cpp": '/// "AVX-512" for "avx512"\nconst char* text = "compute.fp64.avx512.fma.t1";\n',
    "src/render/chart/names_test.cpp": 'const char* text = "avx512";\n',
    "abi/layout.h": "#include <stdint.h>\n",
    "cachesim/cachesim.c": '#include "cachesim/cachesim.h"\n#include "abi/layout.h"\n',
    "runtime/runtime.c": '#include "abi/layout.h"\n#include "cachesim/cachesim.h"\n',
    "instrument/llvm_pass/pass.cpp": '#include "pass.hpp"\n#include "abi/descriptor.h"\n',
    "instrument/llvm_pass/pass.hpp": "#pragma once\n",
}

# (file, text, what the message must contain)
BAD = [
    ("src/core/x.hpp", '#include "platform/clock.hpp"\n', "src/core/x.hpp:1: core may include nothing"),
    ("src/platform/x.cpp", '\n#include "bench/plan.hpp"\n', "src/platform/x.cpp:2: platform may"),
    ("src/predict/x.cpp", '#include "render/svg.hpp"\n', "predict may include core"),
    ("src/render/x.cpp", '#include "serialize/json.hpp"\n', "render may include core"),
    ("src/measure/x.cpp", '#include "bench/plan.hpp"\n', "measure may include abi, core, machine_code, platform"),
    ("src/bench/x.cpp", '  #  include "measure/decode.hpp"\n', "bench may include core, machine_code, platform"),
    ("src/bench/x_test.cpp", '#include "abi/layout.h"\n', "bench may include core, machine_code, platform"),
    ("src/serialize/x.cpp", '#include "cli/main.hpp"\n', "serialize may include core"),
    ("src/render/x.cpp", "#include <nlohmann/json.hpp>\n", "belongs in src/serialize/ only"),
    ("src/bench/x.cpp", "#include <CLI/CLI.hpp>\n", "belongs in src/cli/ only"),
    ("src/render/x.cpp", '#include "nowhere.hpp"\n', '"nowhere.hpp" names no module'),
    ("src/newcomer/x.cpp", "int x;\n", "src/newcomer: no layer is known"),
    ("cachesim/x.c", '#include "runtime/thread.h"\n', "cachesim may include abi"),
    ("runtime/x.c", '#include "core/quantity/units.hpp"\n', "runtime may include abi, cachesim"),
    ("instrument/llvm_pass/x.cpp", '#include "core/quantity/units.hpp"\n', "instrument may include abi"),
    ("src/cli/x.cpp", '#include "tests/temporary_folder.hpp"\n', "cli may include"),
    ("src/core/quantity/x.hpp", '#include "core/value/machine.hpp"\n', "quantity may include no other room"),
    ("src/predict/roof/x.cpp", '#include "predict/findings/gain.hpp"\n', "roof may include no other room"),
    ("src/predict/compare/x.cpp", '#include "predict/projection/project.hpp"\n', "compare may include roof"),
    ("src/render/chart/x.hpp", '#include "render/format/text/paint.hpp"\n', "chart may include no other room"),
    ("src/cli/run/x.cpp", '\n#include "cli/report/report_options.hpp"\n', "src/cli/run/x.cpp:2: run may include common, output"),
    ("src/spmv/attic/x.cpp", "int x;\n", "src/spmv/attic/x.cpp: no such room"),
    ("instrument/llvm_pass/cost/x.cpp", '#include "instrument/llvm_pass/plan/regions.hpp"\n', "cost may include no other room"),
    ("src/measure/combine.cpp", '\n#include "measure/instrumented/arena.hpp"\n',
     'src/measure/combine.cpp:2: only sources.cpp may include "measure/instrumented/arena.hpp"'),
    ("src/measure/sampled/x.cpp", "int x;\n", "src/measure/sampled/x.cpp: no such room"),
    ("abi/x.h", '#include "runtime/thread.h"\n', "abi may include nothing"),
    ("src/core/identity/x.hpp", '#include "core/quantity/units.hpp"\n', "identity may include no other room"),
    ("src/predict/roof/x.cpp", '\nconst char* widest = "avx512";\n', 'src/predict/roof/x.cpp:2: "avx512" is a ridge::Isa'),
    ("src/cli/bench/x.cpp", 'f("http://", "sse");\n', '"sse" is a ridge::Isa'),
    ("src/bench/x.cpp", 'const char* level = "L2";\n', 'src/bench/x.cpp:1: "L2" is a ridge::Level: core/identity/level.hpp'),
    ("src/render/chart/x.cpp", 'f(level == "DRAM");\n', '"DRAM" is a ridge::Level'),
]


def run_on(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)


class CheckLayers(unittest.TestCase):
    def test_accepts_a_tree_that_keeps_the_layers(self):
        done = run_on(GOOD)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_names_each_violation(self):
        for name, text, expected in BAD:
            with self.subTest(name=name, text=text):
                done = run_on({**GOOD, name: text})
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(expected, done.stdout)
                self.assertEqual(len(done.stdout.splitlines()), 1, done.stdout)

    def test_refuses_a_folder_without_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()
