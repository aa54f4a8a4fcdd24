// Seeded mutations of every format. Whatever comes in, a parser returns a value that it can write
// and read again, or an error that names the file.
#include <chrono>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "core/value/sparse_study_for_tests.hpp"
#include "serialize/machine.hpp"
#include "serialize/microarchitecture.hpp"
#include "serialize/profile.hpp"
#include "serialize/random_values.hpp"
#include "serialize/sparse_study.hpp"
#include "serialize/test_files.hpp"

namespace ridge::serialize {
namespace {

using Random = std::mt19937_64;

constexpr std::string_view kNasty[] = {"-1",
                                       "0",
                                       "1e999",
                                       "-0.0",
                                       "18446744073709551616",
                                       "1e308",
                                       "5e-324",
                                       "NaN",
                                       "null",
                                       "true",
                                       "\"\"",
                                       "[]",
                                       "{}",
                                       "[[[[[[",
                                       "\"\\ud800\"",
                                       "{\"a\":1,\"a\":2}",
                                       ",",
                                       ":",
                                       "\xff",
                                       "\n",
                                       "4294967296",
                                       "\"x\"",
                                       "0.5"};

/// Start and length of a random number, word or string of the text.
std::pair<std::size_t, std::size_t> random_token(Random& random, const std::string& text) {
  constexpr std::string_view kEnds = " ,:[]{}\n";
  std::size_t begin = random() % text.size();
  begin = text.find_first_not_of(kEnds, begin);
  if (begin == std::string::npos) {
    return {0, 1};
  }
  const std::size_t end = std::min(text.find_first_of(kEnds, begin), text.size());
  return {begin, end - begin};
}

void mutate_bytes(Random& random, std::string& text) {
  const std::size_t at = random() % text.size();
  switch (random() % 5) {
    case 0:
      text[at] = static_cast<char>(random());
      break;
    case 1:
      text.erase(at, 1 + random() % 40);
      break;
    case 2:
      text.insert(at, text.substr(random() % text.size(), random() % 60));
      break;
    case 3:
      text.resize(at + 1);
      break;
    default:
      text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
  }
}

std::string mutated(Random& random, std::string text) {
  for (std::size_t i = 1 + random() % 3; i > 0 && !text.empty(); --i) {
    if (random() % 3 != 0) {
      const auto [begin, length] = random_token(random, text);
      text.replace(begin, length, kNasty[random() % std::size(kNasty)]);
    } else {
      mutate_bytes(random, text);
    }
  }
  return text;
}

/// Calls `step` a fixed number of times, fewer where that takes long (sanitizers), never less than
/// 400.
template <class Step>
void repeat(int times, Step step) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  for (int i = 0; i < times && (i < 400 || std::chrono::steady_clock::now() < deadline); ++i) {
    step();
  }
}

void expect_clean(const Error& error) {
  EXPECT_EQ(error.code, ErrorCode::bad_input);
  EXPECT_EQ(error.message.substr(0, 7), "f.json:") << error.message;
  EXPECT_NE(error.hint, "") << error.message;
  EXPECT_LT(error.message.size(), 1000U);
  for (const char c : error.message) {
    EXPECT_GE(static_cast<unsigned char>(c), 0x20) << error.message;
  }
}

TEST(Fuzz, Machines) {
  Random random(101);
  int accepted = 0;
  repeat(8000, [&] {
    const auto machine =
        parse_machine(mutated(random, write_machine(random_machine(random))), "f.json");
    if (!machine) {
      expect_clean(machine.error());
      return;
    }
    ++accepted;
    const auto again = parse_machine(write_machine(*machine), "f.json");
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_TRUE(*again == *machine);
  });
  EXPECT_GT(accepted, 0);
}

TEST(Fuzz, Profiles) {
  Random random(102);
  int accepted = 0;
  repeat(3000, [&] {
    const Profile original = random_profile(random);
    const std::string text = write_profile(original, random_prediction(random, original));
    const auto profile = parse_profile(mutated(random, text), "f.json");
    if (!profile) {
      expect_clean(profile.error());
      return;
    }
    ++accepted;
    const auto again = parse_profile(write_profile(*profile, {}), "f.json");
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_TRUE(*again == *profile);
  });
  EXPECT_GT(accepted, 0);
}

TEST(Fuzz, SparseStudies) {
  Random random(104);
  int accepted = 0;
  const std::string text = write_sparse_study(sparse_study_for_tests());
  repeat(4000, [&] {
    const auto study = parse_sparse_study(mutated(random, text), "f.json");
    if (!study) {
      expect_clean(study.error());
      return;
    }
    ++accepted;
    const auto again = parse_sparse_study(write_sparse_study(*study), "f.json");
    ASSERT_TRUE(again.has_value()) << again.error().message;
    EXPECT_EQ(again->picture.densities.size(), study->picture.densities.size());
  });
  EXPECT_GT(accepted, 0);
}

TEST(Fuzz, Microarchitectures) {
  Random random(103);
  const std::string text = read_fixture("../../machines/microarchitectures.json");
  repeat(2500, [&] {
    const auto entries = parse_microarchitectures(mutated(random, text), "f.json");
    if (!entries) {
      expect_clean(entries.error());
    }
  });
}

}  // namespace
}  // namespace ridge::serialize
