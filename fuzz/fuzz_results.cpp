// RESULT arguments (profiles, machine files, studies) through the reader, the predictions and every
// renderer: what `ridge report`, `compare`, `predict RESULT` and `run --explain` do with a file
// that somebody else wrote.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <variant>

#include "cli/output/compare_formats.hpp"
#include "cli/output/compare_results.hpp"
#include "cli/output/output_format.hpp"
#include "cli/output/report_formats.hpp"
#include "cli/output/study_formats.hpp"
#include "core/value/sparse_study_for_tests.hpp"
#include "fuzz/json_mutation.hpp"
#include "predict/compare/machines.hpp"
#include "predict/projection/project.hpp"
#include "predict/projection/target_machine.hpp"
#include "render/document/bench/bench_summary.hpp"
#include "render/document/compare/comparison_table.hpp"
#include "render/document/projection/projection_svg.hpp"
#include "render/document/projection/projection_table.hpp"
#include "render/document/run/region_report.hpp"
#include "render/document/run/run_summary.hpp"
#include "render/document/spmv/sparse_study_table.hpp"
#include "serialize/machine.hpp"
#include "serialize/profile.hpp"
#include "serialize/projection.hpp"
#include "serialize/random_values.hpp"
#include "serialize/schema_name.hpp"
#include "serialize/sparse_study.hpp"
#include "serialize/specification.hpp"

namespace ridge::fuzz {
namespace {

void require(bool promise, const char* what) {
  if (!promise) {
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
  }
}

/// What a terminal gets holds no control character but line ends.
void check_terminal(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool c1 =
        c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    require((c >= 0x20 || c == '\n') && c != 0x7f && !c1, "no control characters on the terminal");
  }
}

/// A drawing holds numbers, none of them without a value, and is of a sane size.
void check_drawing(std::string_view text) {
  constexpr std::size_t kSane = 16U << 20U;
  require(text.size() < kSane, "a drawing of less than 16 MiB");
  for (const std::string_view bad : {"=\"nan", "=\"-nan", "=\"inf", "=\"-inf", ",nan ", " nan,"}) {
    require(text.find(bad) == std::string_view::npos, "coordinates are finite");
  }
}

render::TextStyle style_for(std::size_t size) {
  render::TextStyle style;
  style.columns = size % 2 == 0 ? 80 : 120;
  style.unicode = size % 3 != 0;
  return style;
}

template <class Document>
void make_all(cli::DocumentKind<Document> kind, const Document& document) {
  for (const cli::OutputFormat& format : cli::output_formats()) {
    const auto make = (format.*kind).make;
    if (make == nullptr || format.ending == ".pdf" || format.ending == ".png") {
      continue;  // not offered; another program, from the SVG
    }
    const auto made = make(document);
    require(made.has_value() || !made.error().message.empty(), "an error says what it is");
    if (made && format.ending == ".svg") {
      check_drawing(*made);
    }
  }
}

void compare_with(const cli::StoredResult& before, const cli::StoredResult& after,
                  const render::TextStyle& style) {
  cli::CompareContent content;
  content.results = {before, after};
  content.comparison = cli::compare_results(content.results);
  for (const char* name : {"x.svg", "x.html", "x.json", "x.csv", "x.md"}) {
    const auto made = cli::format_of_ending(name)->comparison.make(content);
    require(made.has_value(), "results compare in every format");
  }
  check_terminal(render::comparison_table(content.comparison, style));
}

void project_everywhere(const Profile& profile, const render::TextStyle& style) {
  static const std::vector<predict::ProjectionTarget> targets = [] {
    std::vector<predict::ProjectionTarget> some;
    for (const Specification& machine : serialize::known_specifications()) {
      if (some.size() < 3) {
        some.push_back({predict::target_from(machine), std::nullopt});
      }
    }
    return some;
  }();
  const Projection projection = predict::project(profile, nullptr, targets);
  require(!serialize::write_projection(profile, projection).empty(), "a projection is written");
  check_drawing(render::projection_svg(profile, projection));
  check_terminal(render::projection_table(profile, projection, style));
}

void show(cli::StoredResult result, const render::TextStyle& style) {
  static const cli::StoredResult baseline = [] {
    std::mt19937_64 random(7);
    return cli::evaluate("baseline", serialize::random_profile(random));
  }();
  check_terminal(render::run_summary(result.profile, result.prediction, style));
  for (const Region& region : result.profile.regions) {
    check_terminal(render::region_report(result.profile, result.prediction, region, {}, style));
  }
  compare_with(baseline, result, style);
  compare_with(result, result, style);
  project_everywhere(result.profile, style);
  const std::string written = serialize::write_profile(result.profile, result.prediction);
  require(serialize::parse_profile(written, "again.json").has_value(),
          "what is written can be read again");
  cli::ReportContent content;
  content.results.push_back(std::move(result));
  make_all(&cli::OutputFormat::report, content);
}

void show(cli::StoredMachine machine, const render::TextStyle& style) {
  check_terminal(render::bench_summary(machine.machine, style));
  require(
      serialize::parse_machine(serialize::write_machine(machine.machine), "again.json").has_value(),
      "what is written can be read again");
  const MachineComparison comparison =
      predict::compare_machines({{"a", &machine.machine}, {"b", &machine.machine}});
  check_terminal(render::machine_comparison_table(comparison, style));
  cli::ReportContent content;
  content.machine = std::move(machine);
  make_all(&cli::OutputFormat::report, content);
}

void show(const cli::StoredStudy& stored, const render::TextStyle& style) {
  check_terminal(render::sparse_study_text(stored.study, style));
  require(serialize::parse_sparse_study(serialize::write_sparse_study(stored.study), "again.json")
              .has_value(),
          "what is written can be read again");
  make_all(&cli::OutputFormat::study, cli::StudyReport{stored.study, std::nullopt, false});
}

bool accepts(std::string_view text) {
  const auto schema = serialize::schema_name(text, "fuzzed.json");
  if (!schema) {
    return false;
  }
  if (*schema == "ridge.machine/1") {
    return serialize::parse_machine(text, "fuzzed.json").has_value();
  }
  if (*schema == "ridge.spmv/1") {
    return serialize::parse_sparse_study(text, "fuzzed.json").has_value();
  }
  return serialize::parse_profile(text, "fuzzed.json").has_value();
}

/// Something to begin with, so that no corpus is needed.
std::string fresh(unsigned seed) {
  std::mt19937_64 random(seed);
  switch (seed % 4) {
    case 0:
      return serialize::write_machine(serialize::random_machine(random));
    case 1:
      return serialize::write_sparse_study(sparse_study_for_tests());
    default:
      const Profile profile = serialize::random_profile(random);
      return serialize::write_profile(profile, serialize::random_prediction(random, profile));
  }
}

}  // namespace
}  // namespace ridge::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  using namespace ridge::fuzz;
  const std::string text(reinterpret_cast<const char*>(data), size);
  return hand_over(mutate_json(size < 8 || seed % 64 == 0 ? fresh(seed) : text, seed, accepts),
                   data, max_size);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ridge;
  static fuzz::Acceptance acceptance;
  auto stored =
      cli::parse_stored({reinterpret_cast<const char*>(data), size}, "fuzzed.json", "fuzzed");
  if (!stored) {
    fuzz::require(!stored.error().message.empty(), "an error says what it is");
    return acceptance.count(false);
  }
  const render::TextStyle style = fuzz::style_for(size);
  std::visit([&](auto& one) { fuzz::show(std::move(one), style); }, *stored);
  return acceptance.count(true);
}
