#include "core/value/widest_ceiling.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace ridge {
namespace {

struct Case {
  std::vector<Ceiling> ceilings;
  std::string wanted;
};

/// Of an id of compute ceilings: "compute.fp64.avx512.fma.t1".
Ceiling ceiling_of_row(const std::string& id, double low, double p90, double high) {
  std::istringstream parts(id);
  std::string kind;
  std::string precision;
  std::string isa;
  std::string operation;
  std::getline(parts, kind, '.');
  std::getline(parts, precision, '.');
  std::getline(parts, isa, '.');
  std::getline(parts, operation, '.');
  Ceiling ceiling =
      ceiling_of({ComputeKey{precision, parse_isa(isa), *parse_operation(operation), 1}});
  ceiling.id = id;
  ceiling.value = Estimate<FlopsPerSecond>{.median = FlopsPerSecond(p90),
                                           .p90 = FlopsPerSecond(p90),
                                           .low = FlopsPerSecond(low),
                                           .high = FlopsPerSecond(high)};
  return ceiling;
}

/// Columns: case, id, low, p90, high, whether it is the one.
std::map<std::string, Case> cases() {
  std::ifstream file("testdata/widest_ceiling.tsv");
  std::map<std::string, Case> all;
  for (std::string line; std::getline(file, line);) {
    std::istringstream columns(line);
    std::string name;
    std::string id;
    std::getline(columns, name, '\t');
    std::getline(columns, id, '\t');
    double low = 0.0;
    double p90 = 0.0;
    double high = 0.0;
    bool wanted = false;
    columns >> low >> p90 >> high >> wanted;
    all[name].ceilings.push_back(ceiling_of_row(id, low, p90, high));
    all[name].wanted = wanted ? id : all[name].wanted;
  }
  return all;
}

TEST(WidestCeiling, WhateverTheOrder) {
  const auto all = cases();
  ASSERT_EQ(all.size(), 10U);
  for (const auto& [name, each] : all) {
    std::vector<const Ceiling*> candidates;
    for (const Ceiling& ceiling : each.ceilings) {
      candidates.push_back(&ceiling);
    }
    std::sort(candidates.begin(), candidates.end());
    do {
      EXPECT_EQ(widest_within_noise(candidates)->id, each.wanted) << name;
    } while (std::next_permutation(candidates.begin(), candidates.end()));
  }
}

TEST(WidestCeiling, OfNoneThereIsNone) {
  EXPECT_EQ(widest_within_noise({}), nullptr);
}

}  // namespace
}  // namespace ridge
