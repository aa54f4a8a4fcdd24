// Test helper: writes random values as files into the folder given, for validate_samples.py.
#include <cstdio>
#include <fstream>
#include <random>
#include <string>

#include <fmt/core.h>

#include "core/value/sparse_study_for_tests.hpp"
#include "serialize/comparison.hpp"
#include "serialize/comparison_for_tests.hpp"
#include "serialize/machine.hpp"
#include "serialize/page.hpp"
#include "serialize/profile.hpp"
#include "serialize/random_values.hpp"
#include "serialize/sparse_study.hpp"
#include "serialize/specification.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: serialize_write_samples DIR\n", stderr);
    return 2;
  }
  constexpr int kSamples = 40;
  std::mt19937_64 random(20260131);
  for (int i = 0; i < kSamples; ++i) {
    std::ofstream(fmt::format("{}/machine-{}.json", argv[1], i))
        << ridge::serialize::write_machine(ridge::serialize::random_machine(random));
    const auto profile = ridge::serialize::random_profile(random);
    const auto prediction = ridge::serialize::random_prediction(random, profile);
    std::ofstream(fmt::format("{}/profile-{}.json", argv[1], i))
        << ridge::serialize::write_profile(profile, prediction);
    std::ofstream(fmt::format("{}/page-{}.json", argv[1], i))
        << ridge::serialize::write_page(ridge::serialize::random_page(random));
  }
  for (const ridge::Specification& known : ridge::serialize::known_specifications()) {
    std::ofstream(fmt::format("{}/{}.json", argv[1], known.key))
        << ridge::serialize::write_specification(known);
  }
  std::ofstream(fmt::format("{}/machines.json", argv[1]))
      << ridge::serialize::write_specifications(ridge::serialize::known_specifications());
  std::ofstream(fmt::format("{}/comparison.json", argv[1]))
      << ridge::serialize::write_comparison(ridge::serialize::comparison_for_tests());
  std::ofstream(fmt::format("{}/machine-comparison.json", argv[1]))
      << ridge::serialize::write_machine_comparison(
             ridge::serialize::machine_comparison_for_tests());
  std::ofstream(fmt::format("{}/spmv.json", argv[1]))
      << ridge::serialize::write_sparse_study(ridge::sparse_study_for_tests());
  return 0;
}
