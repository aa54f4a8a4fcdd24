// likwid-bench: lines "Name:  value" about one kernel. Flops and bytes are those that its
// description states, not counts.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "import/formula.hpp"
#include "import/lines.hpp"
#include "import/tool/readers.hpp"

namespace ridge::imports {
namespace {

constexpr std::string_view kTitle = "LIKWID MICRO BENCHMARK";

struct BenchFigures {
  std::string test;
  std::optional<double> threads;
  std::optional<double> seconds;
  std::optional<double> iterations;  ///< of each thread
  std::optional<double> flops;
  std::optional<double> bytes;
  std::optional<double> load_bytes;   ///< of one element
  std::optional<double> store_bytes;  ///< likewise
};

struct Key {
  std::string_view text;
  std::optional<double> BenchFigures::* value;
  std::string_view unit;
};
constexpr std::array kKeys{Key{"Time:", &BenchFigures::seconds, " sec"},
                           Key{"Iterations per thread:", &BenchFigures::iterations, ""},
                           Key{"Number of Flops:", &BenchFigures::flops, ""},
                           Key{"Data volume (Byte):", &BenchFigures::bytes, ""},
                           Key{"Load bytes per element:", &BenchFigures::load_bytes, ""},
                           Key{"Store bytes per elem.:", &BenchFigures::store_bytes, ""}};

/// The reason where the line has a key that is known and no number.
std::optional<std::string> read_line(std::string_view line, BenchFigures& figures) {
  if (line.starts_with("Test:")) {
    figures.test = std::string(trimmed(line.substr(5)));
    return std::nullopt;
  }
  if (line.starts_with("Using ") && line.ends_with(" threads")) {
    figures.threads = parse_number(line.substr(6, line.size() - 6 - 8));
    return std::nullopt;
  }
  for (const Key& key : kKeys) {
    if (!line.starts_with(key.text)) {
      continue;
    }
    std::string_view value = trimmed(line.substr(key.text.size()));
    if (value.ends_with(key.unit)) {
      value.remove_suffix(key.unit.size());
    }
    const auto number = parse_number(value);
    if (!number || *number < 0.0) {
      return fmt::format("{} is no amount: {}", quoted(key.text), quoted(value));
    }
    if (figures.*key.value) {
      return fmt::format("{} stands twice: name one run of likwid-bench", quoted(key.text));
    }
    figures.*key.value = number;
  }
  return std::nullopt;
}

void put_traffic(Region& region, const BenchFigures& figures, std::uint64_t bytes) {
  const double load = figures.load_bytes.value_or(0.0);
  const double store = figures.store_bytes.value_or(0.0);
  if (!figures.load_bytes || !figures.store_bytes || !(load + store > 0.0)) {
    region.traffic[Level::L1] = {bytes, 0};
    add_note(region.notes, "direction-unknown",
             "the tool gives its data volume without its direction: all of it stands as read");
    return;
  }
  const auto read = static_cast<std::uint64_t>(
      std::llround(static_cast<double>(bytes) * (load / (load + store))));
  region.traffic[Level::L1] = {std::min(read, bytes), bytes - std::min(read, bytes)};
  region.bytes_loaded = region.traffic[Level::L1].read;
  region.bytes_stored = region.traffic[Level::L1].written;
}

void put_flops(Region& region, Precision precision, std::uint64_t flops) {
  Work& work = work_of(region);
  if (flops > 0) {
    work.add(precision, OperationKind::fma, element_bits(precision), flops);
    add_note(region.notes, "kind-unknown",
             "the tool counts flops without their kind: they stand as fma, whose roof is the "
             "highest");
  }
}

/// The reason where no count can hold a figure.
std::optional<std::string> put_figures(Region& region, const BenchFigures& figures) {
  if (figures.seconds) {
    region.time_seconds.self = exact_time(*figures.seconds);
  }
  if (figures.iterations) {
    region.entries = count_of(*figures.iterations);
  }
  if ((figures.flops && !count_of(*figures.flops)) ||
      (figures.bytes && !count_of(*figures.bytes)) || (figures.iterations && !region.entries)) {
    return "has more flops, bytes or iterations than a count holds";
  }
  if (figures.flops) {
    const bool is_single = figures.test.find("_sp") != std::string::npos;
    put_flops(region, is_single ? Precision::fp32 : Precision::fp64,
              count_of(*figures.flops).value_or(0));
  }
  if (figures.bytes) {
    put_traffic(region, figures, count_of(*figures.bytes).value_or(0));
  }
  return std::nullopt;
}

}  // namespace

bool sniff_likwid_bench(std::string_view beginning) {
  return beginning.find(kTitle) != std::string_view::npos;
}

Result<Imported> read_likwid_bench(const Source& source) {
  BenchFigures figures;
  Lines lines(source.text);
  while (lines.next()) {
    if (const auto reason = read_line(trimmed(lines.line()), figures)) {
      return refuse(source.file, lines.number(), *reason);
    }
  }
  if (figures.test.empty() || !figures.seconds) {
    return refuse(source.file, lines.number(), "ends without the test or its time",
                  "likwid-bench -t TEST -W ... > FILE writes all of it");
  }
  Imported imported;
  imported.origins = {Origin::modelled, Origin::modelled, Origin::modelled, Origin::measured};
  Region region;
  region.kind = RegionKind::function;
  region.name = figures.test;
  region.function = figures.test;
  const double threads = figures.threads.value_or(1.0);
  region.threads = threads >= 1.0 && threads <= 1e6 ? static_cast<unsigned>(threads) : 1U;
  if (const auto reason = put_figures(region, figures)) {
    return refuse(source.file, 0, *reason);
  }
  imported.regions.push_back(std::move(region));
  return imported;
}

}  // namespace ridge::imports
