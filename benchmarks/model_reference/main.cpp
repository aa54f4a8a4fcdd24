// Traffic of loop nests beside the predictions of another tool: model_reference TABLE
#include <ctime>

#include <fmt/format.h>

#include "analyze/traffic/model_reference_for_tests.hpp"

namespace {

using namespace ridge::analyze::testing_reference;

struct Count {
  unsigned cases = 0;
  unsigned agree = 0;
  double slowest = 0.0;
};

std::string text(const Figures& figures) {
  return fmt::format("{:.1f}/{:.1f} {:.1f}/{:.1f} {:.1f}/{:.1f}", figures[0], figures[1],
                     figures[2], figures[3], figures[4], figures[5]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: model_reference TABLE\n");
    return 2;
  }
  std::map<std::string, Count> counts;
  for (const Row& row : rows(argv[1])) {
    if (!row.figures) {
      continue;
    }
    const std::clock_t begin = std::clock();
    const auto mine = ours(row);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    Count& count = counts[row.predictor];
    const double apart = mine ? difference(*row.figures, *mine) : INFINITY;
    const bool agrees = apart <= (row.predictor == "LC" ? 0.0 : 0.02);
    count.cases += row.cases;
    count.agree += agrees ? row.cases : 0;
    count.slowest = std::max(count.slowest, seconds);
    if (!agrees) {
      fmt::print("{} {} {} N {} M {}: {:.1f} %\n  theirs {}\n  ours   {}\n", row.predictor,
                 row.machine, row.kernel, row.values.at("N"),
                 row.values.contains("M") ? row.values.at("M") : 0, 100.0 * apart,
                 text(*row.figures), mine ? text(*mine) : "none");
    }
  }
  for (const auto& [predictor, count] : counts) {
    fmt::print("{}: {} of {} agree ({:.1f} %), slowest {:.2f} s of CPU time\n", predictor,
               count.agree, count.cases, 100.0 * count.agree / count.cases, count.slowest);
  }
  return 0;
}
