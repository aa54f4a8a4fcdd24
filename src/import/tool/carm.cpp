// The CARM tool's roofline.csv: two header lines (levels above units), then a row for each set of
// benchmarks. Rates stand in GB/s (1e9 byte/s) and Gflop/s.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "import/formula.hpp"
#include "import/lines.hpp"
#include "import/roofs.hpp"
#include "import/tool/readers.hpp"

namespace ridge::imports {
namespace {

constexpr double kGiga = 1e9;

std::string lower(std::string_view text) {
  std::string copy(text);
  std::transform(copy.begin(), copy.end(), copy.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return copy;
}

/// By the shares of loads and stores that the row names.
struct MixPattern {
  double loads;
  double stores;
  Pattern pattern;
};
constexpr std::array kMixes{MixPattern{1, 0, Pattern::load}, MixPattern{0, 1, Pattern::store},
                            MixPattern{1, 1, Pattern::copy},
                            MixPattern{2, 1, Pattern::two_load_one_store}};

std::optional<Pattern> pattern_of(double loads, double stores) {
  for (const MixPattern& mix : kMixes) {
    if (loads + stores > 0.0 && loads * mix.stores == stores * mix.loads) {
      return mix.pattern;
    }
  }
  return std::nullopt;
}

struct PrecisionName {
  std::string_view name;
  std::string_view precision;
};
constexpr std::array kPrecisions{PrecisionName{"dp", "fp64"}, PrecisionName{"sp", "fp32"},
                                 PrecisionName{"hp", "fp16"}};

/// "add" and so on, of a floating-point instruction.
std::optional<Operation> operation_of_text(std::string_view text) {
  constexpr std::array kOperations{Operation::add, Operation::mul, Operation::div, Operation::fma};
  const std::string name = lower(text);
  const auto found = std::find_if(kOperations.begin(), kOperations.end(),
                                  [&](Operation each) { return to_string(each) == name; });
  return found == kOperations.end() ? std::nullopt : std::optional(*found);
}

class CarmFile {
 public:
  explicit CarmFile(const Source& source) : source_(source), lines_(source.text) {}

  Result<Imported> read() {
    if (!lines_.next() || !split_cells(lines_.line(), ',', levels_) || levels_.size() < 10 ||
        levels_[0] != "Name:") {
      return refused("does not begin with \"Name:\"");
    }
    imported_.machine.name = std::string(trimmed(levels_[1]));
    if (!lines_.next() || !split_cells(lines_.line(), ',', units_) ||
        units_.size() != levels_.size()) {
      return refused("is no header as long as the one above");
    }
    for (const std::string_view name : {"ISA", "Precision", "Threads", "Loads", "Stores"}) {
      if (!find_column(units_, name)) {
        return refused(fmt::format("has no column {}", quoted(name)));
      }
    }
    while (lines_.next()) {
      if (trimmed(lines_.line()).empty()) {
        continue;
      }
      if (const auto reason = read_row()) {
        return refused(*reason);
      }
    }
    name_memories(imported_.machine);
    return std::move(imported_);
  }

 private:
  tl::unexpected<Error> refused(std::string_view reason) const {
    return refuse(source_.file, lines_.number(), reason);
  }

  [[nodiscard]] std::string_view cell(std::string_view name) const {
    return trimmed(cells_[*find_column(units_, name)]);
  }

  std::optional<std::string> read_row() {
    if (!split_cells(lines_.line(), ',', cells_) || cells_.size() != units_.size()) {
      return "has another number of cells than the header";
    }
    const std::string precision_name = lower(cell("Precision"));
    const auto precision =
        std::find_if(kPrecisions.begin(), kPrecisions.end(),
                     [&](const PrecisionName& each) { return each.name == precision_name; });
    const auto threads = parse_number(cell("Threads"));
    const auto loads = parse_number(cell("Loads"));
    const auto stores = parse_number(cell("Stores"));
    if (precision == kPrecisions.end()) {
      return fmt::format("the precision {} is not known", quoted(cell("Precision")));
    }
    if (!threads || !(*threads >= 1.0) || *threads > 65536.0 || !loads || !stores || *loads < 0.0 ||
        *stores < 0.0) {
      return "Threads, Loads or Stores is no amount";
    }
    const std::string isa_name = lower(cell("ISA"));
    const std::optional<Isa> isa = parse_isa(isa_name);
    if (!isa) {
      add_note("isa-unknown", fmt::format("the instruction set {} is not known: its rates stand "
                                          "without one",
                                          quoted(isa_name)));
    }
    return read_rates(std::string(precision->precision), isa, static_cast<unsigned>(*threads),
                      pattern_of(*loads, *stores));
  }

  std::optional<std::string> read_rates(const std::string& precision, const std::optional<Isa>& isa,
                                        unsigned threads, const std::optional<Pattern>& pattern) {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const bool is_bandwidth = units_[i] == "GB/s";
      if (!is_bandwidth && units_[i] != "Gflop/s") {
        continue;
      }
      const auto rate = parse_number(trimmed(cells_[i]));
      if (!rate || *rate < 0.0 || !std::isfinite(*rate * kGiga)) {
        return fmt::format("the rate of {} is no amount: {}", quoted(levels_[i]),
                           quoted(cells_[i]));
      }
      if (*rate == 0.0) {
        continue;  // not measured
      }
      const auto level = parse_level(trimmed(levels_[i]));
      if (is_bandwidth && !level) {
        return fmt::format("{} above a bandwidth names no level", quoted(levels_[i]));
      }
      if (!is_bandwidth) {
        const bool is_fma = levels_[i].find("FMA") != std::string_view::npos;
        const auto operation = is_fma ? std::optional(Operation::fma)
                               : find_column(units_, "FP Inst.")
                                   ? operation_of_text(cell("FP Inst."))
                                   : std::nullopt;
        if (operation) {
          add_roof(imported_.machine, {ComputeKey{precision, isa, *operation, threads}, {}},
                   *rate * kGiga);
        }
      } else if (pattern) {
        add_roof(imported_.machine, {BandwidthKey{*level, *pattern, isa, threads}, {}},
                 *rate * kGiga);
      } else {
        add_note("mix-not-used",
                 "bandwidths of other mixes than loads, stores, 1:1 and 2:1 are "
                 "left out");
      }
    }
    return std::nullopt;
  }

  void add_note(std::string_view code, std::string text) {
    imports::add_note(imported_.notes, code, std::move(text));
  }

  Source source_;
  Lines lines_;
  std::vector<std::string_view> levels_;
  std::vector<std::string_view> units_;
  std::vector<std::string_view> cells_;
  Imported imported_;
};

}  // namespace

bool sniff_carm(std::string_view beginning) {
  return beginning.starts_with("Name:,") && beginning.find("GB/s") != std::string_view::npos;
}

Result<Imported> read_carm(const Source& source) {
  return CarmFile(source).read();
}

}  // namespace ridge::imports
