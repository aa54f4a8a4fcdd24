#include "render/document/run/region_code_text.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/value/region_names.hpp"
#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/document/run/work_words.hpp"
#include "render/format/text/paint.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

constexpr unsigned kLinesBefore = 2;
constexpr unsigned kLinesAfter = 9;  ///< at least
constexpr unsigned kMostAfter = 37;  ///< as far as figures go
constexpr std::size_t kMostElsewhere = 8;
constexpr std::size_t kMostOfFile = 24;  ///< columns of a file's name
constexpr std::size_t kMostWithoutSource = 20;
constexpr std::size_t kMostInstructions = 40;
/// Lines that hold less of a figure than this, or more than 2 minus this, are said to.
constexpr double kWhole = 0.995;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Nothing for 0: most lines do not compute. "-" is unknown.
std::string figure(const std::optional<std::uint64_t>& value, std::string_view unit) {
  return value == std::uint64_t{0}
             ? ""
             : si(value ? std::optional(static_cast<double>(*value)) : std::nullopt, unit);
}

std::uint64_t weight(const LineWork& line) {
  return line.flops.value_or(0) + line.bytes_loaded.value_or(0) + line.bytes_stored.value_or(0);
}

TextColumn column(std::string title, std::size_t gap, bool left) {
  TextColumn made;
  made.title = std::move(title);
  made.gap = gap;
  made.left = left;
  return made;
}

/// Rows of lines with their figures. Columns of figures without a value in any row are left out.
class LineTable {
 public:
  explicit LineTable(const TextStyle& style) : style_(style) {}

  /// `work` null: nothing is known of the line, or it does nothing.
  void add(std::string place, const LineWork* work, std::string_view text) {
    place_.cells.push_back(std::move(place));
    samples_.cells.push_back(work != nullptr && work->samples ? grouped(*work->samples) : "");
    flops_.cells.push_back(work != nullptr ? figure(work->flops, "Flop") : "");
    loaded_.cells.push_back(work != nullptr ? figure(work->bytes_loaded, "B") : "");
    stored_.cells.push_back(work != nullptr ? figure(work->bytes_stored, "B") : "");
    texts_.push_back(clean(text, style_.unicode));
  }

  [[nodiscard]] std::string text() {
    dedent();
    std::vector<TextColumn> columns{place_};
    for (TextColumn* one : {&samples_, &flops_, &loaded_, &stored_}) {
      if (std::any_of(one->cells.begin(), one->cells.end(),
                      [](const std::string& cell) { return !cell.empty(); })) {
        columns.push_back(*one);
      }
    }
    if (std::any_of(texts_.begin(), texts_.end(),
                    [](const std::string& text) { return !text.empty(); })) {
      TextColumn code = column("", 2, true);
      code.cells = texts_;
      code.least_width = 20;
      code.fit = [this](std::size_t row, std::size_t width) {
        return shorten_end(texts_[row], width, style_.unicode);
      };
      columns.push_back(std::move(code));
    }
    return render_table(std::move(columns), usable_columns(style_), style_);
  }

 private:
  /// What all lines begin with tells nothing and takes room.
  void dedent() {
    std::size_t common = std::string::npos;
    for (const std::string& text : texts_) {
      if (const std::size_t first = text.find_first_not_of(' '); first != std::string::npos) {
        common = std::min(common, first);
      }
    }
    for (std::string& text : texts_) {
      text.erase(0, std::min(common, text.size()));
    }
  }

  const TextStyle& style_;
  TextColumn place_ = column("line", 2, false);
  TextColumn samples_ = column("samples", 2, false);
  TextColumn flops_ = column("work", 2, false);
  TextColumn loaded_ = column("loaded", 2, false);
  TextColumn stored_ = column("stored", 2, false);
  std::vector<std::string> texts_;
};

using OwnLines = std::map<unsigned, const LineWork*>;

OwnLines own_lines(const Region& region) {
  OwnLines own;
  for (const LineWork& line : region.lines) {
    if (!line.file) {
      own[line.line] = &line;
    }
  }
  return own;
}

struct Window {
  unsigned first = 1;
  unsigned last = 0;
};

Window window_of(unsigned line, const OwnLines& own, std::size_t lines_of_file) {
  Window window{line > kLinesBefore ? line - kLinesBefore : 1, line + kLinesAfter};
  for (const auto& [number, work] : own) {
    if (number > window.last && number <= line + kMostAfter) {
      window.last = number;
    }
  }
  window.last = static_cast<unsigned>(std::min<std::size_t>(window.last, lines_of_file));
  return window;
}

/// Those outside of `window`, most work first.
std::vector<const LineWork*> elsewhere(const Region& region, const Window& window) {
  std::vector<const LineWork*> lines;
  for (const LineWork& line : region.lines) {
    if (line.file || line.line < window.first || line.line > window.last) {
      lines.push_back(&line);
    }
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const LineWork* a, const LineWork* b) { return weight(*a) > weight(*b); });
  return lines;
}

std::string file_name(std::string_view path) {
  return std::string(path.substr(path.find_last_of('/') + 1));
}

std::string place_of(const Region& region, const LineWork& line, const TextStyle& style) {
  const std::string file =
      clean(file_name(line.file ? *line.file : region.file.value_or("")), style.unicode);
  return fmt::format("{}:{}", shorten_end(file, kMostOfFile, style.unicode), line.line);
}

std::string listed(const Region& region, std::vector<const LineWork*> lines, std::size_t most,
                   const std::vector<std::string_view>& source, const TextStyle& style) {
  const std::size_t left_out = lines.size() - std::min(lines.size(), most);
  lines.resize(std::min(lines.size(), most));
  LineTable table(style);
  for (const LineWork* line : lines) {
    const bool is_here = !line->file && line->line > 0 && line->line <= source.size();
    table.add(place_of(region, *line, style), line,
              is_here ? source[line->line - 1] : std::string_view{});
  }
  return table.text() + (left_out > 0 ? fmt::format("    and {} more line{} with less\n", left_out,
                                                    left_out == 1 ? "" : "s")
                                      : "");
}

/// "98.0 % of the loaded bytes"; empty where the lines hold all of it. `whole` 0: unknown, or none.
std::string part_held(const Region& region, std::uint64_t whole,
                      std::optional<std::uint64_t> LineWork::* figure, std::string_view what) {
  std::uint64_t sum = 0;
  for (const LineWork& line : region.lines) {
    sum += (line.*figure).value_or(0);
  }
  if (whole == 0) {
    return "";
  }
  const double part = static_cast<double>(sum) / static_cast<double>(whole);
  return part >= kWhole && part <= 2.0 - kWhole
             ? ""
             : fmt::format("{} of its {}", percent(part, 1), what);
}

std::string sums(const Region& region, const TextStyle& style) {
  std::string text;
  for (const std::string& part :
       {part_held(region, known_work(region).total(), &LineWork::flops, "flops"),
        part_held(region, region.bytes_loaded.value_or(0), &LineWork::bytes_loaded, "loaded bytes"),
        part_held(region, region.bytes_stored.value_or(0), &LineWork::bytes_stored,
                  "stored bytes")}) {
    text += part.empty() ? "" : fmt::format("{}{}", text.empty() ? "" : ", ", part);
  }
  // The lines of one rank do not hold the sum over all: nothing is missing.
  if (text.empty() || region.lines.empty() || !of_its_rank(region).empty()) {
    return "";
  }
  std::string lines;
  for (const std::string& part :
       wrap(fmt::format("The lines hold {}: they are read from the machine code.", text),
            usable_columns(style) - 6)) {
    lines += "    " + part + "\n";
  }
  return lines;
}

/// "274", "1.00 M".
std::string times(std::uint64_t executions) {
  constexpr std::uint64_t kInFull = 1000;
  return executions < kInFull ? grouped(executions) : si(static_cast<double>(executions), "");
}

/// " on rank 1"; empty as of_its_rank.
std::string on_its_rank(const Region& region) {
  const std::string of = of_its_rank(region);
  return of.empty() ? "" : " on" + of.substr(std::string_view(" of").size());
}

std::string heading(std::string_view title, std::string_view what, const TextStyle& style) {
  return fmt::format("\n  {} ({})\n", paint(title, kBold, style), what);
}

std::string without_source(const Region& region, const TextStyle& style) {
  if (region.lines.empty()) {
    return "";
  }
  return heading("Source lines", fmt::format("counted{}; most work first", on_its_rank(region)),
                 style) +
         listed(region, elsewhere(region, {}), kMostWithoutSource, {}, style) + sums(region, style);
}

}  // namespace

std::string source_text(const Region& region, const std::optional<std::string>& source,
                        const TextStyle& style) {
  const auto lines = lines_of(source ? std::string_view(*source) : std::string_view{});
  if (region.line.value_or(0) == 0 || *region.line > lines.size()) {
    return without_source(region, style);  // none, or not the file that was compiled
  }
  const OwnLines own = own_lines(region);
  const Window window = window_of(*region.line, own, lines.size());
  LineTable table(style);
  for (unsigned number = window.first; number <= window.last; ++number) {
    const auto work = own.find(number);
    table.add(fmt::format("{}{}", number == *region.line ? "> " : "", number),
              work != own.end() ? work->second : nullptr, lines[number - 1]);
  }
  std::string text =
      region.lines.empty()
          ? fmt::format("\n  {}\n", paint("Source", kBold, style))
          : heading("Source", "figures by line: counted, all threads" + of_its_rank(region), style);
  text += table.text();
  const auto others = elsewhere(region, window);
  if (!others.empty()) {
    text +=
        "    Its code also comes from:\n" + listed(region, others, kMostElsewhere, lines, style);
  }
  return text + sums(region, style);
}

std::string block_text(const Region& region, const TextStyle& style) {
  if (!region.hottest_block || region.hottest_block->instructions.empty()) {
    return "";
  }
  const CodeBlock& block = *region.hottest_block;
  const std::size_t shown = std::min(block.instructions.size(), kMostInstructions);
  TextColumn line = column("line", 4, false);
  TextColumn flops = column("flop", 2, false);
  TextColumn loaded = column("load B", 2, false);
  TextColumn stored = column("store B", 2, false);
  TextColumn text = column("instruction", 2, true);
  const auto once = [](std::uint64_t value) { return value == 0 ? "" : std::to_string(value); };
  for (std::size_t i = 0; i < shown; ++i) {
    const CodeInstruction& one = block.instructions[i];
    line.cells.push_back(one.line ? std::to_string(*one.line) : "");
    flops.cells.push_back(once(one.flops));
    loaded.cells.push_back(once(one.bytes_loaded));
    stored.cells.push_back(once(one.bytes_stored));
    text.cells.push_back(clean(one.text, style.unicode));
  }
  text.least_width = 20;
  const auto cells = text.cells;
  text.fit = [cells, &style](std::size_t row, std::size_t width) {
    return shorten_end(cells[row], width, style.unicode);
  };
  const std::size_t rest = block.instructions.size() - shown;
  return heading("Hottest block",
                 fmt::format("ran {} times{}; figures of one execution", times(block.executions),
                             on_its_rank(region)),
                 style) +
         render_table({line, flops, loaded, stored, text}, usable_columns(style), style) +
         (rest > 0
              ? fmt::format("    {} more stand{} in profile.json\n", rest, rest == 1 ? "s" : "")
              : "");
}

}  // namespace ridge::render
