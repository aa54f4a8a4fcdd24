// Intel Advisor's roofs as CSV: a banner, a header that begins with Name, and a row for each roof:
// its name, its rate in byte/s or op/s, "memory" or "compute", the device.
#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "import/formula.hpp"
#include "import/lines.hpp"
#include "import/roofs.hpp"
#include "import/tool/advisor_formulas.hpp"
#include "import/tool/readers.hpp"

namespace ridge::imports {
namespace {

constexpr std::string_view kHint = "advisor --report=roofs --format=csv --report-output=FILE";
constexpr std::size_t kLeastCells = 3;
constexpr std::size_t kMostNotUsed = 400;  ///< bytes of their names in a note

std::string lower(std::string_view text) {
  std::string copy(text);
  std::transform(copy.begin(), copy.end(), copy.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return copy;
}

bool is_kind(std::string_view cell) {
  const std::string kind = lower(trimmed(cell));
  return kind == "memory" || kind == "compute";
}

/// The separator of a line that is the header.
std::optional<char> header_separator(std::string_view line, std::vector<std::string_view>& cells) {
  for (const char separator : kAdvisorSeparators) {
    if (split_cells(line, separator, cells) && cells.size() >= kLeastCells &&
        trimmed(cells[0]) == "Name") {
      return separator;
    }
  }
  return std::nullopt;
}

class RoofsFile {
 public:
  explicit RoofsFile(const Source& source) : source_(source), lines_(source.text) {}

  Result<Imported> read() {
    while (!separator_) {
      if (!lines_.next()) {
        return refuse(source_.file, 0, "has no header that begins with Name", kHint);
      }
      separator_ = header_separator(lines_.line(), cells_);
    }
    while (lines_.next()) {
      if (trimmed(lines_.line()).empty()) {
        continue;
      }
      if (const auto reason = read_row()) {
        return refuse(source_.file, lines_.number(), *reason, kHint);
      }
    }
    if (imported_.machine.ceilings.empty() && without_threads_ > 0) {
      return refuse(source_.file, 0,
                    "has roofs of all threads, and does not say how many these are",
                    "--threads N says it");
    }
    add_remarks();
    name_memories(imported_.machine);
    return std::move(imported_);
  }

 private:
  std::optional<std::string> read_row() {
    if (!split_cells(lines_.line(), *separator_, cells_) || cells_.size() < kLeastCells) {
      return "is no row of a name, a rate and a kind";
    }
    const auto rate = parse_number(trimmed(cells_[1]));
    if (!rate || !(*rate > 0.0) || !is_kind(cells_[2])) {
      return fmt::format("{} has no rate above 0 of memory or compute", quoted(cells_[0]));
    }
    add(trimmed(cells_[0]), *rate);
    return std::nullopt;
  }

  void add(std::string_view title, double rate) {
    std::string name = lower(title);
    std::optional<unsigned> threads = source_.threads;
    if (name.ends_with(kAdvisorSingleThread)) {
      name.resize(name.size() - kAdvisorSingleThread.size());
      threads = 1;
    }
    const auto device = device_of_row();
    if (device) {
      threads = 1;  // ceilings of a device know no threads
    }
    const auto* roof = find_roof(name);
    if (roof == nullptr) {
      if (not_used_.size() < kMostNotUsed) {
        not_used_ += fmt::format("{}{}", not_used_.empty() ? "" : ", ", quoted(title));
      }
    } else if (!threads) {
      ++without_threads_;
    } else if (roof->level) {
      add_roof(imported_.machine,
               {BandwidthKey{*roof->level, Pattern::load, std::nullopt, *threads}, device}, rate);
    } else {
      add_roof(imported_.machine,
               {ComputeKey{std::string(roof->precision), std::nullopt, roof->operation, *threads},
                device},
               rate);
    }
  }

  [[nodiscard]] const AdvisorRoof* find_roof(std::string_view name) const {
    const auto found = std::find_if(kAdvisorRoofs.begin(), kAdvisorRoofs.end(),
                                    [&](const AdvisorRoof& roof) { return roof.name == name; });
    return found == kAdvisorRoofs.end() ? nullptr : &*found;
  }

  /// nullopt: the CPU.
  [[nodiscard]] std::optional<std::string> device_of_row() const {
    const std::string device =
        cells_.size() > kLeastCells ? lower(unquoted(trimmed(cells_[kLeastCells]))) : std::string();
    return device.empty() || device == "cpu" ? std::nullopt : std::optional(device);
  }

  void add_remarks() {
    auto& notes = imported_.notes;
    if (without_threads_ > 0) {
      add_note(notes, "threads-unknown",
               fmt::format("{} roofs of all threads are left out: the file does not say how many "
                           "these are, --threads N does",
                           without_threads_));
    }
    if (!not_used_.empty()) {
      add_note(notes, "not-used", fmt::format("roofs that are not used: {}", not_used_));
    }
    add_note(
        notes, "pattern-unknown",
        "Advisor does not say how its benchmarks walk through memory: the rates stand as those "
        "of loads");
  }

  Source source_;
  Lines lines_;
  Imported imported_;
  std::optional<char> separator_;
  std::vector<std::string_view> cells_;
  std::string not_used_;
  std::size_t without_threads_ = 0;
};

}  // namespace

bool sniff_advisor_roofs(std::string_view beginning) {
  Lines lines(beginning);
  std::vector<std::string_view> cells;
  std::optional<char> separator;
  while (lines.next()) {
    if (!separator) {
      separator = header_separator(lines.line(), cells);
    } else if (split_cells(lines.line(), *separator, cells) && cells.size() >= kLeastCells) {
      return is_kind(cells[2]);
    }
  }
  return false;
}

Result<Imported> read_advisor_roofs(const Source& source) {
  return RoofsFile(source).read();
}

}  // namespace ridge::imports
