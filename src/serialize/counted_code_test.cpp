#include "serialize/counted_code.hpp"

#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "serialize/compact/packed_file.hpp"
#include "serialize/rank_record.hpp"

namespace ridge::serialize {
namespace {

CountedFile random_file(std::mt19937_64& random, std::string path) {
  CountedFile file{std::move(path), fmt::format("{:016x}", random()), {}};
  std::uint64_t at = random() % 0x100000;
  for (std::size_t left = random() % 40; left > 0; --left) {
    const std::uint64_t bytes = 1 + random() % 5000;
    file.code.push_back({at, bytes});
    at += bytes + random() % 3 * (random() % 10000);
  }
  return file;
}

CountedCode random_code(std::mt19937_64& random) {
  CountedCode code{"1.2.3", {}};
  for (unsigned i = 0; i < random() % 6; ++i) {
    code.files.push_back(random_file(random, fmt::format("/lib/lib{}.so", i)));
  }
  return code;
}

TEST(CountedCode, ComesBackAsItWas) {
  std::mt19937_64 random(250);
  for (int i = 0; i < 300; ++i) {
    const CountedCode code = random_code(random);
    const auto back = parse_counted_code(write_counted_code(code), "code");
    ASSERT_TRUE(back) << back.error().message;
    ASSERT_EQ(*back, code) << i;
  }
}

TEST(CountedCode, RefusesEveryPart) {
  std::mt19937_64 random(251);
  const std::string bytes = write_counted_code({"1.2.3", {random_file(random, "/bin/program")}});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto part = parse_counted_code(std::string_view(bytes).substr(0, size), "code");
    ASSERT_FALSE(part) << size;
    ASSERT_EQ(part.error().code, ErrorCode::bad_input);
    ASSERT_NE(part.error().hint.find("--only-counts"), std::string::npos);
  }
  EXPECT_FALSE(parse_counted_code(bytes + "x", "code"));
}

TEST(CountedCode, SurvivesBytesThatWereChanged) {
  std::mt19937_64 random(252);
  for (int round = 0; round < 40; ++round) {
    const std::string bytes = write_counted_code(random_code(random));
    for (int i = 0; i < 50; ++i) {
      std::string changed = bytes;
      changed[random() % changed.size()] = static_cast<char>(random());
      if (const auto read = parse_counted_code(changed, "of-this-file"); !read) {
        EXPECT_NE(read.error().message.find("of-this-file"), std::string::npos);
      }
    }
  }
}

/// Packed anew, so that no sum of zlib gives it away.
TEST(CountedCode, SurvivesContentThatWasChanged) {
  constexpr std::string_view magic = "RIDGE-CODE\n";
  std::mt19937_64 random(253);
  for (int round = 0; round < 40; ++round) {
    const auto content = unpacked_file(magic, write_counted_code(random_code(random)));
    ASSERT_TRUE(content);
    for (int i = 0; i < 50; ++i) {
      std::string changed = *content;
      changed[random() % changed.size()] = static_cast<char>(random());
      if (const auto read = parse_counted_code(packed_file(magic, changed), "f")) {
        EXPECT_EQ(write_counted_code(*read).substr(0, magic.size()), magic);
      }
    }
  }
}

TEST(CountedCode, RefusesWhatIsNotInOrder) {
  const CountedFile file{"/bin/b", "1", {{16, 4}, {20, 4}}};
  EXPECT_TRUE(parse_counted_code(write_counted_code({"", {file}}), "code"));
  const std::vector<CountedCode> wrong{
      {"", {{"/bin/b", "1", {{16, 8}, {20, 4}}}}},
      {"", {{"/bin/b", "1", {{20, 4}, {16, 4}}}}},
      {"", {{"/bin/b", "1", {{16, 0}}}}},
      {"", {{"/bin/b", "1", {{16, ~std::uint64_t{0}}}}}},
      {"", {file, file}},
      {"", {file, {"/bin/a", "1", {}}}},
  };
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_FALSE(parse_counted_code(write_counted_code(wrong[i]), "code")) << i;
  }
}

TEST(CountedCode, IsNoRecordOfARank) {
  EXPECT_FALSE(parse_counted_code(write_rank_record({}), "code"));
  EXPECT_FALSE(parse_rank_record(write_counted_code({}), "record"));
}

}  // namespace
}  // namespace ridge::serialize
