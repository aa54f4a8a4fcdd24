#include "render/document/spmv/text_formats.hpp"

#include <algorithm>

#include "render/document/spmv/study_entries.hpp"
#include "render/document/spmv/study_tables.hpp"
#include "render/format/csv/csv_row.hpp"
#include "render/format/markdown/markdown_table.hpp"
#include "render/format/markdown/markdown_text.hpp"

namespace ridge::render {
namespace {

template <class Q>
void add_interval(CsvRow& row, const std::optional<Estimate<Q>>& estimate) {
  row.number(estimate ? std::optional(estimate->median.value()) : std::nullopt);
  row.number(estimate ? std::optional(estimate->low.value()) : std::nullopt);
  row.number(estimate ? std::optional(estimate->high.value()) : std::nullopt);
}

template <class Q>
void add_interval(CsvRow& row, const Estimate<Q>& estimate) {
  add_interval(row, std::optional(estimate));
}

/// What a row is about: a format, alone and in the given order, unless these say more.
struct What {
  std::string_view order = "given";
  unsigned vectors = 1;
  unsigned powers = 1;
};

void begin(CsvRow& row, const SparseStudy& study, std::optional<unsigned> number,
           const What& what) {
  row.text(study.matrix.name);
  row.count(number);
  row.text(what.order);
  row.count(what.vectors);
  row.count(what.powers);
}

std::string heading() {
  CsvRow row;
  for (const char* title : {"matrix",
                            "number",
                            "order",
                            "vectors",
                            "powers",
                            "format",
                            "threads",
                            "schedule",
                            "gather",
                            "prefetch of the matrix [entries]",
                            "prefetch of x [entries]",
                            "y past the caches",
                            "time [s]",
                            "time low [s]",
                            "time high [s]",
                            "samples",
                            "performance [flop/s]",
                            "performance low [flop/s]",
                            "performance high [flop/s]",
                            "b_S [byte/s]",
                            "b_S low [byte/s]",
                            "b_S high [byte/s]",
                            "fraction of own roof",
                            "fraction of own roof low",
                            "fraction of own roof high",
                            "fraction of CSR roof",
                            "fraction of CSR roof low",
                            "fraction of CSR roof high",
                            "speed-up",
                            "speed-up low",
                            "speed-up high",
                            "intensity [flop/byte]",
                            "code balance at most [byte/flop]",
                            "conversion [products]",
                            "pays from [products]",
                            "gain",
                            "paired ratio",
                            "paired ratio low",
                            "paired ratio high",
                            "confidence",
                            "verdict"}) {
    row.text(title);
  }
  return row.line();
}

/// What the row is ranked by: over CSR, or, of another order and of several at once, the gain.
void add_paired(CsvRow& row, const std::optional<MedianInterval>& ratio) {
  row.number(ratio ? std::optional(ratio->median) : std::nullopt);
  row.number(ratio ? std::optional(ratio->low) : std::nullopt);
  row.number(ratio ? std::optional(ratio->high) : std::nullopt);
  row.number(ratio ? std::optional(ratio->confidence) : std::nullopt);
  row.text(ratio ? to_string(standing_of(*ratio)) : "");
}

std::string timing_row(const SparseStudy& study, const StudyEntry& entry,
                       const SparseTiming& timing, const SparseReordering* reordering) {
  CsvRow row;
  begin(row, study, entry.number, {reordering != nullptr ? reordering->method : "given"});
  row.text(timing.format);
  row.count(timing.threads);
  row.text(timing.schedule);
  row.text(timing.gather);
  row.number(timing.stream_ahead);
  row.number(timing.x_ahead);
  row.text(timing.streamed_y ? "yes" : "no");
  add_interval(row, timing.time);
  row.count(timing.time.samples);
  add_interval(row, timing.performance);
  add_interval(row, timing.bandwidth);
  add_interval(row, timing.of_own_roof);
  add_interval(row, timing.of_csr_roof);
  add_interval(row, timing.speedup);
  row.number(intensity_of(study, timing));
  row.number(timing.code_balance_bound);
  row.number(timing.conversion_products);
  row.number(reordering != nullptr ? reordering->break_even : timing.break_even);
  row.number(reordering != nullptr ? std::optional(reordering->gain) : std::nullopt);
  add_paired(row, reordering != nullptr ? reordering->paired_gain : timing.paired_speedup);
  return row.line();
}

std::string multiple_row(const SparseStudy& study, const SparseMultiple& multiple) {
  CsvRow row;
  const bool vectors = multiple.kind == "vectors";
  begin(row, study, std::nullopt,
        {"given", vectors ? multiple.count : 1, vectors ? 1 : multiple.count});
  row.text("");
  row.count(multiple.threads);
  for (int i = 0; i < 5; ++i) {
    row.text("");
  }
  add_interval(row, multiple.time);
  row.count(multiple.time.samples);
  add_interval(row, multiple.performance);
  for (int i = 0; i < 16; ++i) {
    row.text("");
  }
  row.number(multiple.gain);
  add_paired(row, multiple.paired_gain);
  return row.line();
}

std::vector<std::string> escaped(std::vector<std::string> cells) {
  std::transform(cells.begin(), cells.end(), cells.begin(),
                 [](const std::string& cell) { return markdown_text(cell); });
  return cells;
}

std::string facts_of(const StudyFacts& facts) {
  MarkdownTable table({"", ""}, 2);
  for (const auto& [name, value] : facts) {
    table.add({markdown_text(name), markdown_text(value)});
  }
  return table.text();
}

std::string list_of(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) {
    out += "- " + markdown_text(item) + "\n";
  }
  return out.empty() ? out : out + "\n";
}

}  // namespace

std::string study_csv(const SparseStudy& study) {
  std::string out = heading();
  const auto entries = entries_of(study);
  const std::size_t given = entries.size() - study.reorderings.size();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (const SparseTiming* timing : entries[i].timings) {
      out += timing_row(study, entries[i], *timing,
                        i < given ? nullptr : &study.reorderings[i - given]);
    }
  }
  for (const SparseMultiple& multiple : study.multiples) {
    out += multiple_row(study, multiple);
  }
  return out;
}

std::string study_markdown(const SparseStudy& study, const std::string& title) {
  std::string out = "# " + markdown_text(study_title(study, title)) + "\n\n";
  out += facts_of(matrix_facts(study));
  std::vector<std::string> advice;
  for (const SparseFinding& finding : study.findings) {
    advice.push_back(finding.text);
  }
  out += list_of(advice);
  for (const StudyTable& table : study_tables(study)) {
    MarkdownTable shown(escaped(table.heading), table.words);
    for (const auto& row : table.rows) {
      shown.add(escaped(row));
    }
    out += "**" + markdown_text(table.title) + "**\n\n" + shown.text();
  }
  out += list_of(study_legend(study)) + list_of(study_remarks(study));
  out += facts_of(provenance(study));
  while (out.ends_with("\n\n")) {
    out.pop_back();
  }
  return out;
}

}  // namespace ridge::render
