// perf stat -x SEPARATOR, and perf stat -j: one line for each event. Value, unit, event, with -r
// the spread, then how long the event was counted.
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "import/lines.hpp"
#include "import/tool/json_file.hpp"
#include "import/tool/perf_formulas.hpp"
#include "import/tool/readers.hpp"

namespace ridge::imports {
namespace {

constexpr std::string_view kSeparators = ",;|\t";
constexpr std::string_view kHint =
    "perf stat -x, -o FILE (or -j), without -I, -A and --per-core, writes what can be read";

const FormulaTable& table() {
  static const FormulaTable kTable{kPerfFormulas};
  return kTable;
}

/// "uncore_imc_0/cas_count_read/" and "FP_ARITH_INST_RETIRED.SCALAR_DOUBLE:u" as the table has
/// them.
std::string canonical(std::string_view event) {
  if (const std::size_t slash = event.find('/'); slash != std::string_view::npos) {
    event.remove_prefix(slash + 1);
    event = event.substr(0, event.find('/'));
  } else {
    event = event.substr(0, event.find(':'));
  }
  std::string text(event);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_user_only(std::string_view event) {
  const std::size_t at = event.find(':');
  return at != std::string_view::npos && event.substr(at).find('u') != std::string_view::npos &&
         event.substr(at).find('k') == std::string_view::npos;
}

bool is_unknown(std::string_view value) {
  return value == "<not counted>" || value == "<not supported>";
}

/// The events of one run.
class Events {
 public:
  /// The reason where a value of an event that matters makes no sense. `running`: percent of the
  /// time in which it was counted.
  std::optional<std::string> add(std::string_view value, std::string_view unit,
                                 std::string_view event, std::optional<double> running) {
    ++count_;
    const auto number = table().number_of(canonical(event));
    if (!number) {
      unused_ += unused_.size() < 300 ? (unused_.empty() ? "" : ", ") + std::string(event) : "";
      return std::nullopt;
    }
    if (is_unknown(value)) {
      lost_[*number] = true;
      return std::nullopt;
    }
    const auto amount = parse_number(value);
    const auto known = std::find_if(kPerfUnits.begin(), kPerfUnits.end(),
                                    [&](const PerfUnit& each) { return each.name == unit; });
    if (!amount || known == kPerfUnits.end()) {
      return fmt::format("{} is no amount: {} {}", quoted(event), quoted(value), quoted(unit));
    }
    note(event, running);
    auto& sum = values_[*number];
    sum = sum.value_or(0.0) + *amount * known->factor;
    return std::nullopt;
  }

  [[nodiscard]] bool empty() const { return count_ == 0; }

  Result<Imported> finish(const Source& source) {
    Imported imported;
    imported.origins = {Origin::measured, Origin::measured, Origin::measured, Origin::measured};
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = lost_[i] ? std::nullopt : values_[i];
    }
    Region region;
    region.kind = RegionKind::program;
    region.name = "program";
    region.entries = 1;
    FigureSums sums(table());
    sums.add(values_);
    if (const auto reason = sums.put_into(region)) {
      return refuse(source.file, 0, *reason);
    }
    if (const auto& time = region.time_seconds.self) {
      imported.wall_seconds = time->value;
      region.time_seconds.inclusive = time;
    }
    region.cpu_seconds.inclusive = region.cpu_seconds.self;
    imported.notes = std::move(notes_);
    if (!unused_.empty()) {
      add_note(imported.notes, "not-used", "events without a place in a roofline: " + unused_);
    }
    imported.regions.push_back(std::move(region));
    return imported;
  }

 private:
  void note(std::string_view event, std::optional<double> running) {
    constexpr double kAllOfTheTime = 99.995;  // percent, as perf rounds it
    if (running && *running < kAllOfTheTime) {
      add_note(
          notes_, "multiplexed",
          fmt::format("{} was counted in {} % of the time, and scaled", quoted(event), *running));
    }
    if (is_user_only(event)) {
      add_note(notes_, "user-only", "events with :u leave out the kernel");
    }
    if (canonical(event) == "fp_ret_sse_avx_ops.all") {
      add_note(notes_, "precision-unknown",
               "this CPU counts flops of all precisions together: they stand as fp64");
    }
    if (event.find("cas_count") != std::string_view::npos ||
        event.find("CAS_COUNT") != std::string_view::npos) {
      add_note(notes_, "whole-sockets",
               "traffic of DRAM is that of whole sockets, other programs included");
    }
  }

  MetricValues values_ = MetricValues(table().metric_count());
  std::vector<bool> lost_ = std::vector<bool>(table().metric_count(), false);
  std::string unused_;
  std::vector<Note> notes_;
  std::size_t count_ = 0;
};

/// "value<sep>unit<sep>event<sep>..."; nullopt when no separator makes it one.
std::optional<char> separator_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (const char separator : kSeparators) {
    if (split_cells(line, separator, cells) && cells.size() >= 5 &&
        (parse_number(cells[0]) || is_unknown(cells[0])) && !parse_number(cells[1]) &&
        !is_unknown(cells[1]) && !cells[2].empty() && !parse_number(cells[2])) {
      return separator;
    }
  }
  return std::nullopt;
}

bool is_comment(std::string_view line) {
  return trimmed(line).empty() || line.starts_with('#');
}

Result<Imported> read_csv(const Source& source) {
  Events events;
  Lines lines(source.text);
  std::vector<std::string_view> cells;
  std::optional<char> separator;
  while (lines.next()) {
    if (is_comment(lines.line())) {
      continue;
    }
    separator = separator ? separator : separator_of(lines.line());
    if (!separator || !split_cells(lines.line(), *separator, cells) || cells.size() < 5) {
      return refuse(source.file, lines.number(), "is no line of value, unit, event and run time",
                    kHint);
    }
    if (cells[2].empty()) {
      continue;  // a metric of the event above
    }
    const std::size_t running = cells[3].ends_with('%') ? 5 : 4;
    if (const auto reason =
            events.add(cells[0], cells[1], cells[2],
                       running < cells.size() ? parse_number(cells[running]) : std::nullopt)) {
      return refuse(source.file, lines.number(), *reason, kHint);
    }
  }
  if (events.empty()) {
    return refuse(source.file, lines.number(), "ends without an event", kHint);
  }
  return events.finish(source);
}

/// One object in each line: as the items of one array the lines keep their numbers.
std::string as_array(std::string_view text) {
  std::string array = "[";
  Lines lines(text);
  bool is_first = true;
  while (lines.next()) {
    const bool is_object = !is_comment(lines.line());
    array += is_object && !is_first ? "," : "";
    array += is_object ? lines.line() : "";
    array += "\n";
    is_first = is_first && !is_object;
  }
  return array + "]";
}

Result<Imported> read_json(const Source& source) {
  const std::string array = as_array(source.text);
  auto file = JsonFile::parse({array, source.file});
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  Events events;
  for (const serialize::Reader& item : (*file)->root().items()) {
    if (!item.find("interval").absent() || !item.find("cpu").absent() ||
        !item.find("core").absent()) {
      item.fail("is one interval or one CPU of several", kHint);
      break;
    }
    if (item.find("event").absent()) {
      continue;  // a metric of the event above
    }
    const auto running = optional_from(item.find("pcnt-running"), &serialize::Reader::real);
    const auto reason =
        events.add(item.at("counter-value").text(),
                   optional_from(item.find("unit"), &serialize::Reader::text).value_or(""),
                   item.at("event").text(), running);
    if (reason) {
      item.fail(*reason, kHint);
    }
    if (!item.ok()) {
      break;
    }
  }
  auto fine = (*file)->finish({});
  if (!fine) {
    return fine;
  }
  if (events.empty()) {
    return refuse(source.file, 0, "holds no event", kHint);
  }
  return events.finish(source);
}

std::string_view first_line(std::string_view text) {
  Lines lines(text);
  while (lines.next()) {
    if (!is_comment(lines.line())) {
      return lines.line();
    }
  }
  return {};
}

}  // namespace

bool sniff_perf_stat(std::string_view beginning) {
  const std::string_view line = first_line(beginning);
  if (line.starts_with('{')) {
    return line.find("\"counter-value\"") != std::string_view::npos;
  }
  return separator_of(line).has_value();
}

Result<Imported> read_perf_stat(const Source& source) {
  return first_line(source.text).starts_with('{') ? read_json(source) : read_csv(source);
}

}  // namespace ridge::imports
