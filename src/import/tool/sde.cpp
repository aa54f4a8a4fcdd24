// Intel SDE's mix (`sde -mix -- PROGRAM`, best with -iform): instructions by opcode or by iform, in
// sections. Read are the sum of all threads (EMIT_GLOBAL_DYNAMIC_STATS) and the sections of
// functions behind "#GLOBAL FUNCTION TOTALS".
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "import/formula.hpp"
#include "import/lines.hpp"
#include "import/tool/readers.hpp"
#include "import/tool/sde_arithmetic.hpp"
#include "import/tool/sde_formulas.hpp"

namespace ridge::imports {
namespace {

constexpr std::string_view kHint = "sde -mix -iform -omix FILE -- PROGRAM";
constexpr std::string_view kGlobalBegin = "# EMIT_GLOBAL_DYNAMIC_STATS ";
constexpr std::string_view kGlobalEnd = "# END_GLOBAL_DYNAMIC_STATS";
constexpr std::string_view kFunctionTotals = "#GLOBAL FUNCTION TOTALS";
constexpr std::string_view kFunction = "# $dynamic-counts-for-function: ";

/// Counts of one section, by the name that stands before them.
class Mix {
 public:
  /// The reason where the line is none of a section.
  std::optional<std::string> add(std::string_view line) {
    const std::size_t blank = line.find_first_of(" \t");
    const std::string_view name = line.substr(0, blank);
    const auto count =
        blank == std::string_view::npos ? std::nullopt : parse_whole(trimmed(line.substr(blank)));
    if (!count) {
      return "is no line of a name and its count";
    }
    if (!counts_.emplace(name, *count).second) {
      return fmt::format("{} stands twice", quoted(name));
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_complete() const { return counts_.contains("*total"); }

  /// The reason where a figure does not fit.
  std::optional<std::string> put_into(Region& region) {
    read_bytes(region);
    read_work();
    if (unknown_width_.empty()) {
      put_work(region);
    } else {
      add_note(region.notes, "width-unknown",
               fmt::format("{} has no width in this file, and instructions of several widths ran: "
                           "flops are unknown; sde -mix -iform names the width",
                           unknown_width_));
    }
    add_remarks(region);
    return failure_;
  }

  /// "AVX2 12, BASE 34".
  [[nodiscard]] std::string instruction_sets() const {
    constexpr std::string_view kPrefix = "*isa-ext-";
    std::string text;
    for (const auto& [name, count] : counts_) {
      if (name.starts_with(kPrefix)) {
        text +=
            fmt::format("{}{} {}", text.empty() ? "" : ", ", name.substr(kPrefix.size()), count);
      }
    }
    return text;
  }

 private:
  using WorkKey = std::tuple<Precision, OperationKind, unsigned>;

  /// *mem-read-8 counts the accesses of 8 byte; *mem-read is the sum of accesses, not of bytes.
  void read_bytes(Region& region) {
    const auto read = bytes_behind("*mem-read-");
    const auto written = bytes_behind("*mem-write-");
    region.bytes_loaded = checked("loaded bytes", read);
    region.bytes_stored = checked("stored bytes", written);
    if (region.bytes_loaded && region.bytes_stored) {
      region.traffic[Level::L1] = {*region.bytes_loaded, *region.bytes_stored};
    }
  }

  [[nodiscard]] double bytes_behind(std::string_view prefix) const {
    double bytes = 0.0;
    for (const auto& [name, count] : counts_) {
      const auto size =
          name.starts_with(prefix) ? parse_whole(name.substr(prefix.size())) : std::nullopt;
      bytes += size ? static_cast<double>(*size) * static_cast<double>(count) : 0.0;
    }
    return bytes;
  }

  void read_work() {
    for (const auto& [name, count] : counts_) {
      if (count == 0 || name.starts_with('*')) {
        continue;
      }
      const std::string_view opcode = name.substr(0, name.find('_'));
      const auto amount = static_cast<double>(count);
      if (opcode == kSdeBf16Dot) {
        add_bf16(name, amount);
      } else if (const auto arithmetic = sde_arithmetic(opcode, name.substr(opcode.size()))) {
        add_arithmetic(name, *arithmetic, amount);
      } else if (std::find(kSdeLeftOut.begin(), kSdeLeftOut.end(), opcode) != kSdeLeftOut.end()) {
        left_out_ += fmt::format("{}{}", left_out_.empty() ? "" : ", ", name);
      }
    }
  }

  void add_bf16(std::string_view name, double count) {
    const auto bits = sde_register_bits(name);
    if (!bits) {
      note_unknown_width(name);
      return;
    }
    constexpr double kFlopsOfLane = 4.0;
    work_[{Precision::bf16, OperationKind::fma, *bits}] += count * kFlopsOfLane * (*bits / 32.0);
    has_masks_ = has_masks_ || name.find(kSdeMask) != std::string_view::npos;
  }

  void add_arithmetic(std::string_view name, const SdeArithmetic& arithmetic, double count) {
    const auto bits = arithmetic.width_bits ? arithmetic.width_bits : only_width(*arithmetic.type);
    if (!bits) {
      note_unknown_width(name);
      return;
    }
    const double lanes = static_cast<double>(*bits) / element_bits(arithmetic.type->precision);
    work_[{arithmetic.type->precision, arithmetic.kind, *bits}] += count * arithmetic.flops * lanes;
    has_masks_ = has_masks_ || name.find(kSdeMask) != std::string_view::npos;
  }

  /// Of packed instructions whose name has no operands: the width, where all that ran have one.
  [[nodiscard]] std::optional<unsigned> only_width(const SdeType& type) const {
    std::optional<unsigned> width;
    for (const auto& [name, count] : counts_) {
      const auto lanes = name.starts_with(type.elements)
                             ? parse_whole(name.substr(type.elements.size()))
                             : std::nullopt;
      if (!lanes || *lanes < 2 || *lanes > 64 || count == 0) {
        continue;
      }
      if (width) {
        return std::nullopt;
      }
      width = static_cast<unsigned>(*lanes) * element_bits(type.precision);
    }
    return width;
  }

  void note_unknown_width(std::string_view name) {
    if (unknown_width_.empty()) {
      unknown_width_ = quoted(name);
    }
  }

  void put_work(Region& region) {
    double all = 0.0;
    for (const auto& [key, flops] : work_) {
      all += flops;
    }
    if (!checked("flops", all)) {
      return;
    }
    Work& work = work_of(region);
    for (const auto& [key, flops] : work_) {
      const auto& [precision, kind, width] = key;
      work.add(precision, kind, width, count_of(flops).value());
    }
  }

  void add_remarks(Region& region) const {
    if (has_masks_) {
      add_note(region.notes, kMaskedLanes,
               "AVX-512 instructions count with all lanes, also those that a mask switches off: "
               "flops are an upper end");
    }
    if (!left_out_.empty()) {
      add_note(region.notes, "not-used",
               fmt::format("operations that are not in the flops, since the mix does not say how "
                           "many or in which precision: {}",
                           left_out_.substr(0, 400)));
    }
  }

  std::optional<std::uint64_t> checked(std::string_view what, double value) {
    const auto count = count_of(value);
    if (!count && !failure_) {
      failure_ = fmt::format("{} cannot be: {}", what, value);
    }
    return count;
  }

  std::map<std::string_view, std::uint64_t> counts_;
  std::map<WorkKey, double> work_;
  std::string unknown_width_;
  std::string left_out_;
  bool has_masks_ = false;
  std::optional<std::string> failure_;
};

class SdeFile {
 public:
  explicit SdeFile(const Source& source) : source_(source), lines_(source.text) {}

  Result<Imported> read() {
    imported_.origins.traffic = Origin::counted;
    while (lines_.next()) {
      if (const auto reason = read_line(lines_.line())) {
        return refuse(source_.file, lines_.number(), *reason, kHint);
      }
    }
    if (section_) {
      return refuse(source_.file, lines_.number(), "ends within a section of counts", kHint);
    }
    if (!has_program_) {
      return refuse(source_.file, 0, "has no section EMIT_GLOBAL_DYNAMIC_STATS", kHint);
    }
    for (Region& region : imported_.regions) {
      region.threads = std::max(threads_, 1U);
    }
    return std::move(imported_);
  }

 private:
  /// What the lines of counts belong to.
  struct Section {
    bool is_program = false;
    std::string name;
    Mix mix;
  };

  std::optional<std::string> read_line(std::string_view line) {
    if (line.starts_with(kGlobalEnd)) {
      return section_ && section_->is_program ? finish_section()
                                              : "ends a section that has no beginning";
    }
    if (line.starts_with(kGlobalBegin) && line.find("EMIT#") != std::string_view::npos) {
      return begin_program();
    }
    if (line.starts_with(kFunctionTotals)) {
      has_function_totals_ = true;
      return std::nullopt;
    }
    if (has_function_totals_ && line.starts_with(kFunction)) {
      return begin_function(line.substr(kFunction.size()));
    }
    if (line.starts_with("# END_PER_FUNCTION_STATS")) {
      return section_ ? finish_section() : std::nullopt;
    }
    if (trimmed(line).empty() || line.starts_with('#')) {
      read_remark(line);
      return std::nullopt;
    }
    return section_ ? section_->mix.add(line) : std::nullopt;
  }

  void read_remark(std::string_view line) {
    constexpr std::string_view kVersion = "# Intel(R) SDE version: ";
    if (line.starts_with(kVersion) && !imported_.version) {
      imported_.version = std::string(trimmed(line.substr(kVersion.size())));
    }
    threads_ += line.starts_with("# Starting tid") ? 1 : 0;
  }

  std::optional<std::string> begin_program() {
    if (section_) {
      if (const auto reason = finish_section()) {
        return reason;
      }
    }
    if (has_program_) {
      return "begins a second section EMIT_GLOBAL_DYNAMIC_STATS: a file must hold one";
    }
    has_program_ = true;
    section_ = Section{true, "program", {}};
    return std::nullopt;
  }

  /// "NAME  IMG: FILE at [0x..., 0x...)  12.3%".
  std::optional<std::string> begin_function(std::string_view title) {
    if (section_) {
      if (const auto reason = finish_section()) {
        return reason;
      }
    }
    section_ = Section{false, std::string(trimmed(title.substr(0, title.find(" IMG: ")))), {}};
    return std::nullopt;
  }

  std::optional<std::string> finish_section() {
    Section section = std::move(*section_);
    section_.reset();
    if (!section.mix.is_complete()) {
      return fmt::format("ends the counts of {} without *total", quoted(section.name));
    }
    Region region;
    region.kind = section.is_program ? RegionKind::program : RegionKind::function;
    region.name = section.name;
    if (section.is_program) {
      region.entries = 1;
      add_note(imported_.notes, "instruction-sets",
               "instructions by instruction set: " + section.mix.instruction_sets());
    } else {
      region.function = section.name;
    }
    const auto reason = section.mix.put_into(region);
    imported_.regions.push_back(std::move(region));
    return reason;
  }

  Source source_;
  Lines lines_;
  Imported imported_;
  std::optional<Section> section_;
  unsigned threads_ = 0;
  bool has_program_ = false;
  bool has_function_totals_ = false;
};

}  // namespace

bool sniff_sde(std::string_view beginning) {
  return !sniff_sde_masks(beginning) &&
         (beginning.starts_with("# Mix output version") ||
          beginning.find("# Intel(R) SDE version") != std::string_view::npos ||
          beginning.find(kGlobalBegin) != std::string_view::npos);
}

Result<Imported> read_sde(const Source& source) {
  return SdeFile(source).read();
}

}  // namespace ridge::imports
