// `ridge compare`: what changed between results, loop by loop; a gate for CI.
#include <algorithm>
#include <cstdio>
#include <future>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "cli/common/command.hpp"
#include "cli/common/result_file.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/compare/compare_options.hpp"
#include "cli/output/compare_formats.hpp"
#include "cli/output/compare_results.hpp"
#include "cli/output/output_format.hpp"
#include "predict/compare/gate.hpp"
#include "predict/compare/machines.hpp"
#include "render/chart/text.hpp"
#include "render/document/compare/cells.hpp"
#include "render/document/compare/comparison_table.hpp"

namespace ridge::cli {
namespace {

/// As many side by side as there are CPUs: of long results, reading is most of the work.
std::vector<Result<Stored>> read_side_by_side(const std::vector<std::string>& names) {
  const std::vector<std::string> labels = labels_of(names);
  const std::size_t cpus = std::max(1U, std::thread::hardware_concurrency());
  std::vector<Result<Stored>> results;
  while (results.size() < names.size()) {
    std::vector<std::future<Result<Stored>>> reading;
    for (std::size_t i = results.size(); i < names.size() && reading.size() < cpus; ++i) {
      reading.push_back(
          std::async([&, i] { return read_stored(names[i], labels[i], Derive::bounds); }));
    }
    for (auto& result : reading) {
      results.push_back(result.get());
    }
  }
  return results;
}

Result<CompareContent> read_content(const CompareOptions& options) {
  std::vector<Result<Stored>> all = read_side_by_side(options.results);
  CompareContent content;
  for (std::size_t i = 0; i < options.results.size(); ++i) {
    Result<Stored>& stored = all[i];
    if (!stored) {
      return tl::make_unexpected(stored.error());
    }
    if (auto* result = std::get_if<StoredResult>(&*stored)) {
      content.results.push_back(std::move(*result));
    } else if (auto* machine = std::get_if<StoredMachine>(&*stored)) {
      content.machines.push_back(std::move(*machine));
    } else {
      return fail(ErrorCode::usage,
                  fmt::format("compare: {} is a study of a matrix", options.results[i]),
                  "`ridge report` shows one; two of them are compared by hand yet.");
    }
  }
  if (!content.results.empty() && !content.machines.empty()) {
    return fail(ErrorCode::usage,
                fmt::format("compare: {} is a machine file, {} a result", content.machines[0].label,
                            content.results[0].label),
                "Results compare with results, machines with machines.");
  }
  return content;
}

void compare_content(CompareContent& content) {
  if (content.of_machines()) {
    std::vector<predict::MachineToCompare> machines;
    for (const StoredMachine& machine : content.machines) {
      machines.push_back({machine.label, &machine.machine});
    }
    content.machine_comparison = predict::compare_machines(machines);
    return;
  }
  content.comparison = compare_results(content.results);
}

OutputRequest request_of(const CompareOptions& options) {
  return {.command = "compare", .file = options.output, .force = options.force};
}

Result<void> check_rules(const CompareOptions& options, const CompareContent& content) {
  if (!options.rules.empty() && content.of_machines()) {
    return fail(ErrorCode::usage, "compare: --fail-on is for results, not for machines");
  }
  for (const predict::GateRule& rule : options.rules) {
    if (auto fine = predict::check_gate_rule(rule, content.comparison); !fine) {
      return fine;
    }
  }
  return {};
}

/// In full: gates may be about the last digit.
std::string figure_words(const std::optional<FigureValue>& figure, const std::string& of) {
  if (!figure) {
    return "unknown";
  }
  const std::string value =
      figure->count ? fmt::format("{}", *figure->count) : fmt::format("{}", figure->value);
  const std::string unit = of.empty() ? "" : " " + of;
  return figure->low && figure->high
             ? fmt::format("{}{} ({} to {})", value, unit, *figure->low, *figure->high)
             : value + unit;
}

std::string failure_line(const predict::GateFailure& failure, const CompareOptions& options,
                         const ComparedStep& step) {
  constexpr std::size_t kWidth = 60;
  if (!failure.rule) {
    return fmt::format("  {} (`--allow {}` lets it pass)\n", render::clean(failure.reason),
                       failure.allowance);
  }
  std::string line = fmt::format("  {}: ", render::clean(options.rules[*failure.rule].text));
  if (failure.loop == nullptr) {
    return line + render::clean(failure.reason) + "\n";
  }
  const Place* place = find_place(*failure.loop, step.to);
  const std::string where = failure.loop->kind == RegionKind::program
                                ? std::string("whole program")
                                : render::loop_text(*failure.loop, *place, kWidth);
  line += fmt::format("{}: {} before, {} after", where, figure_words(failure.before, failure.unit),
                      figure_words(failure.after, failure.unit));
  if (failure.change) {
    line += fmt::format(" ({:+.3g} %)", *failure.change * 100.0);
  }
  return line + (failure.reason.empty() ? "" : ": " + render::clean(failure.reason)) + "\n";
}

/// What --allow let pass and would have failed.
std::string allowed_words(const CompareOptions& options, const ComparedStep& step) {
  std::string text;
  for (const predict::GateCondition& condition : predict::kGateConditions) {
    const bool met = std::any_of(step.notes.begin(), step.notes.end(),
                                 [&](const Note& note) { return note.code == condition.note; });
    const auto& words = options.allowed;
    if (met && std::find(words.begin(), words.end(), condition.word) != words.end()) {
      text += fmt::format("{}{}", text.empty() ? ", allowed: " : ", ", condition.what);
    }
  }
  return text;
}

/// Failures go to standard error: standard output is the comparison.
int report_gate(const CompareOptions& options, const Comparison& comparison) {
  const ComparedStep& step = overall_step(comparison);
  const auto failures = predict::judge(comparison, options.rules, options.allowed);
  if (failures.empty()) {
    if (!options.rules.empty()) {
      say(fmt::format("the gate is passed: {} rule{}{}", options.rules.size(),
                      options.rules.size() == 1 ? "" : "s", allowed_words(options, step)));
    }
    return 0;
  }
  say(fmt::format("the gate failed ({} against {}):", comparison.results.back().label,
                  comparison.results.front().label));
  for (const predict::GateFailure& failure : failures) {
    say_lines(failure_line(failure, options, step));
  }
  return static_cast<int>(ErrorCode::gate_failed);
}

Result<void> print_compared(const CompareOptions& options, const CompareContent& content) {
  if (options.json) {
    return to_json(content).and_then([](const std::string& text) { return print(text); });
  }
  const render::TextStyle style = text_style(stdout, options.ascii);
  return print_screen(content.of_machines()
                          ? render::machine_comparison_table(content.machine_comparison, style)
                          : render::comparison_table(content.comparison, style));
}

}  // namespace

Result<int> run_compare(const std::vector<std::string>& arguments) {
  const auto parsed = parse_compare_options(arguments);
  if (!parsed) {
    return tl::make_unexpected(parsed.error());
  }
  if (!*parsed) {
    return 0;
  }
  const CompareOptions& options = **parsed;
  const OutputRequest request = request_of(options);
  if (auto fine = check_output(&OutputFormat::comparison, request); !fine) {
    return tl::make_unexpected(fine.error());
  }
  auto content = read_content(options);
  if (!content) {
    return tl::make_unexpected(content.error());
  }
  compare_content(*content);
  if (auto fine = check_rules(options, *content); !fine) {
    return tl::make_unexpected(fine.error());
  }
  if (auto written = write_output(&OutputFormat::comparison, request, *content); !written) {
    return tl::make_unexpected(written.error());
  }
  const auto printed = print_compared(options, *content);
  const int code = content->of_machines() ? 0 : report_gate(options, content->comparison);
  // A gate that failed has failed whether or not the table can be read.
  return printed || code != 0 ? Result<int>(code) : tl::make_unexpected(printed.error());
}

}  // namespace ridge::cli
