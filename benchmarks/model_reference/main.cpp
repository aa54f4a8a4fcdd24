// Traffic of loop nests beside the predictions of another tool: model_reference TABLE
#include <ctime>

#include <fmt/format.h>

#include "analyze/traffic/model_reference_for_tests.hpp"
#include "reference_rules.hpp"

namespace {

using namespace ridge::analyze::testing_reference;

struct Count {
  unsigned cases = 0;
  unsigned agree = 0;
  unsigned replayed = 0;  ///< the reference's own rules give its figures
  double slowest = 0.0;
};

std::string text(const std::optional<Figures>& figures) {
  if (!figures) {
    return "none";
  }
  const Figures& all = *figures;
  return fmt::format("{:.1f}/{:.1f} {:.1f}/{:.1f} {:.1f}/{:.1f}", all[0], all[1], all[2], all[3],
                     all[4], all[5]);
}

void compare(const Row& row, Count& count) {
  constexpr double kClose = 0.02;
  const bool is_simulation = row.predictor == "SIM";
  const std::clock_t begin = std::clock();
  const auto mine = ours(row);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const double apart = mine ? difference(*row.figures, *mine) : INFINITY;
  const bool agrees = apart <= (is_simulation ? kClose : 0.0);
  count.cases += row.cases;
  count.agree += agrees ? row.cases : 0;
  count.slowest = std::max(count.slowest, seconds);
  const auto replayed = is_simulation ? ridge::benchmarks::by_reference_rules(row) : std::nullopt;
  const bool is_replayed = replayed && difference(*row.figures, *replayed) <= kClose;
  count.replayed += is_replayed ? row.cases : 0;
  if (!agrees || (is_simulation && !is_replayed)) {
    fmt::print("{} {} {} N {} M {}: {:.1f} %\n  theirs {}\n  ours   {}\n", row.predictor,
               row.machine, row.kernel, row.values.at("N"),
               row.values.contains("M") ? row.values.at("M") : 0, 100.0 * apart, text(row.figures),
               text(mine));
    if (is_simulation) {
      fmt::print("  by their rules {}\n", text(replayed));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: model_reference TABLE\n");
    return 2;
  }
  std::map<std::string, Count> counts;
  for (const Row& row : rows(argv[1])) {
    if (row.figures) {
      compare(row, counts[row.predictor]);
    }
  }
  for (const auto& [predictor, count] : counts) {
    fmt::print("{}: {} of {} agree ({:.1f} %), slowest {:.2f} s of CPU time\n", predictor,
               count.agree, count.cases, 100.0 * count.agree / count.cases, count.slowest);
    if (count.replayed > 0) {
      fmt::print("{}: {} of {} are what the reference's own rules give\n", predictor,
                 count.replayed, count.cases);
    }
  }
  return 0;
}
