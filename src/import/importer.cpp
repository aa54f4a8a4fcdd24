#include "import/importer.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "import/formula.hpp"
#include "import/lines.hpp"
#include "import/tool/readers.hpp"
#include "serialize/utf8.hpp"

namespace ridge::imports {
namespace {

constexpr std::array kImporters{
    Importer{"google-benchmark", "Google Benchmark", "--benchmark_out=FILE.json",
             sniff_google_benchmark, read_google_benchmark},
    Importer{"likwid-perfctr", "LIKWID", "likwid-perfctr -o FILE.csv (or -O), also with -m",
             sniff_likwid_perfctr, read_likwid_perfctr},
    Importer{"likwid-bench", "LIKWID", "what likwid-bench -t TEST prints", sniff_likwid_bench,
             read_likwid_bench},
    Importer{"perf-stat", "perf", "perf stat -x, -o FILE (any separator), or -j", sniff_perf_stat,
             read_perf_stat},
    Importer{"ncu", "Nsight Compute", "ncu --csv, with --page raw or details", sniff_ncu, read_ncu},
    Importer{"nsys", "Nsight Systems", "nsys stats --report cuda_gpu_kern_sum --format csv",
             sniff_nsys, read_nsys},
    Importer{"rocprof", "rocprof", "results.csv, counter_collection.csv, kernel_stats.csv",
             sniff_rocprof, read_rocprof},
    Importer{"papi", "PAPI", "papi_hl_output/rank_N.json of version 7", sniff_papi, read_papi},
    Importer{"ert", "Empirical Roofline Toolkit", "Results/Run.NNN/roofline.json", sniff_ert,
             read_ert},
    Importer{"carm", "CARM tool", "Results/roofline/NAME_roofline.csv", sniff_carm, read_carm},
    Importer{"sde", "Intel SDE", "sde -mix -iform -omix FILE -- PROGRAM", sniff_sde, read_sde},
    Importer{"caliper", "Caliper", "FORMAT json-split of any query or of hatchet-region-profile",
             sniff_caliper, read_caliper},
    Importer{"advisor", "Intel Advisor", "advisor --report=survey --format=csv --show-all-columns",
             sniff_advisor, read_advisor},
    Importer{"miniperf", "miniperf",
             "mperf query --format json RESULTS 'SELECT * FROM roofline_binary_loops'; "
             "qemu-roofline.counts",
             sniff_miniperf, read_miniperf},
    Importer{"advisor-roofs", "Intel Advisor", "advisor --report=roofs --format=csv",
             sniff_advisor_roofs, read_advisor_roofs},
    Importer{"sde-masks", "Intel SDE",
             "sde -dyn_mask_profile -odyn_mask_profile FILE -- PROGRAM, beside its mix",
             sniff_sde_masks, read_sde_masks},
};

/// How far a sniff function sees: preambles of profilers are shorter.
constexpr std::size_t kBeginning = 64 * 1024;

bool has_figures(const Imported& imported) {
  return is_machine(imported) ||
         std::any_of(imported.regions.begin(), imported.regions.end(), has_any_figure);
}

std::string names() {
  std::string text;
  for (const Importer& importer : kImporters) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", importer.name);
  }
  return text;
}

void make_valid(std::string& text) {
  text = serialize::replace_invalid_utf8(text);
}

void make_valid(std::optional<std::string>& text) {
  if (text) {
    make_valid(*text);
  }
}

void make_valid(std::vector<Note>& notes) {
  for (Note& note : notes) {
    make_valid(note.text);
  }
}

/// Texts in a stranger's file may hold any bytes, those of a result are UTF-8. Readers of JSON give
/// no others.
void make_names_valid(Imported& imported) {
  for (Region& region : imported.regions) {
    make_valid(region.name);
    make_valid(region.function);
    make_valid(region.notes);
    make_valid(region.file);
    make_valid(region.device);
  }
  for (Ceiling& ceiling : imported.machine.ceilings) {
    make_valid(ceiling.device);
  }
  make_valid(imported.version);
  make_valid(imported.notes);
  make_valid(imported.machine.name);
}

}  // namespace

std::span<const Importer> importers() {
  return kImporters;
}

const Importer* find_importer(std::string_view name) {
  const auto found = std::find_if(kImporters.begin(), kImporters.end(),
                                  [&](const Importer& importer) { return importer.name == name; });
  return found == kImporters.end() ? nullptr : &*found;
}

const Importer* sniff_importer(std::string_view text) {
  const std::string_view beginning = text.substr(0, kBeginning);
  const auto found =
      std::find_if(kImporters.begin(), kImporters.end(),
                   [&](const Importer& importer) { return importer.sniff(beginning); });
  return found == kImporters.end() ? nullptr : &*found;
}

Result<Imported> import_text(const Source& source, std::string_view from) {
  const Importer* importer = from.empty() ? sniff_importer(source.text) : find_importer(from);
  if (importer == nullptr && !from.empty()) {
    return fail(ErrorCode::usage, fmt::format("import: no tool is called {}", quoted(from)),
                "ridge import --from list prints those that are known: " + names());
  }
  if (importer == nullptr) {
    return refuse(
        source.file, 0, source.text.empty() ? "is empty" : "is of no format that Ridge imports",
        "name the tool with --from; ridge import --from list prints those that are known");
  }
  auto imported = importer->read(source);
  if (!imported) {
    return imported;
  }
  imported->tool = importer->tool;
  make_names_valid(*imported);
  if (!has_figures(*imported)) {
    return refuse(
        source.file, 0, "holds no figure that Ridge knows",
        fmt::format("it was read as the output of {} ({})", importer->tool, importer->reads));
  }
  return imported;
}

}  // namespace ridge::imports
