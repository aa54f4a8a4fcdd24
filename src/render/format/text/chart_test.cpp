// Properties of the terminal chart, whatever its width.
#include "render/chart/chart.hpp"

#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/chart/text.hpp"
#include "render/fixture_for_tests.hpp"
#include "render/format/text/roofline_chart.hpp"
#include "render/golden_for_tests.hpp"

namespace ridge::render {
namespace {

std::vector<Chart> charts() {
  std::vector<Chart> all;
  for (const unsigned loops : {1U, 7U, 24U, 40U}) {
    const Profile profile = fixture::many_loops(loops);
    all.push_back(chart_of(profile, fixture::prediction(profile)));
  }
  const Profile usual = fixture::profile();
  all.push_back(chart_of(usual, fixture::prediction(usual)));
  all.push_back(chart_of(fixture::characterised()));
  Profile hostile = fixture::profile();
  for (Region& region : hostile.regions) {
    region.name = kHostile;
  }
  hostile.machine.name = kHostile;
  all.push_back(chart_of(hostile, fixture::prediction(hostile)));
  all.back().levels.push_back(std::string(kHostile) + kHostile);
  all.emplace_back();
  return all;
}

/// All numbers lie on one spot: there is no room for every one of them.
Chart crowded() {
  const Profile profile = fixture::many_loops(24);
  Chart chart = chart_of(profile, fixture::prediction(profile));
  for (ChartRegion& region : chart.regions) {
    region.flops_per_second = chart.regions.front().flops_per_second;
    region.dots = chart.regions.front().dots;
    region.rank += 300;
  }
  return chart;
}

std::string without_colour(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
      continue;
    }
    plain += text[i];
  }
  return plain;
}

/// Numbers of three digits: in ASCII the join of two dots may stand between two of them.
std::set<unsigned> numbers_in(const std::string& text) {
  std::set<unsigned> found;
  std::string digits;
  for (const char c : text + " ") {
    if (c >= '0' && c <= '9') {
      digits += c;
      continue;
    }
    if (digits.size() == 3) {
      found.insert(static_cast<unsigned>(std::stoul(digits)));
    }
    digits.clear();
  }
  return found;
}

TEST(TerminalChart, NoLineIsLongerThanTheTerminal) {
  for (const Chart& chart : charts()) {
    for (int columns = 60; columns <= 200; columns += 7) {
      for (const auto& [unicode, colour] :
           {std::pair{true, false}, std::pair{false, false}, std::pair{true, true}}) {
        const std::string text = chart_text(chart, {columns, unicode, colour});
        for (const std::string& line : lines_of(without_colour(text))) {
          ASSERT_LE(display_width(line), static_cast<std::size_t>(columns)) << columns << line;
        }
      }
    }
  }
}

TEST(TerminalChart, EveryNumberStandsThereOrIsTold) {
  for (const unsigned loops : {1U, 9U, 24U, 40U}) {
    const Profile profile = fixture::many_loops(loops);
    Chart chart = chart_of(profile, fixture::prediction(profile));
    for (ChartRegion& region : chart.regions) {
      region.rank += 300;  // numbers that no axis has
    }
    for (int columns = 60; columns <= 200; columns += 10) {
      const auto found = numbers_in(chart_text(chart, {columns, false, false}));
      for (const ChartRegion& region : chart.regions) {
        EXPECT_TRUE(found.count(region.rank)) << region.rank << " at " << columns;
      }
    }
  }
}

TEST(TerminalChart, WhatFindsNoRoomIsTold) {
  const Chart chart = crowded();
  const std::string text = chart_text(chart, {60, false, false});
  const auto found = numbers_in(text);
  for (const ChartRegion& region : chart.regions) {
    EXPECT_TRUE(found.count(region.rank)) << region.rank;
  }
}

TEST(TerminalChart, AsciiIsAsciiAndPlainHasNoEscapes) {
  for (const Chart& chart : charts()) {
    for (const char c : chart_text(chart, {80, false, false})) {
      ASSERT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f));
    }
    EXPECT_EQ(chart_text(chart, {80, true, false}).find('\x1b'), std::string::npos);
  }
}

TEST(TerminalChart, ColoursEndWhereTheyBegin) {
  for (const Chart& chart : charts()) {
    for (const std::string& line : lines_of(chart_text(chart, {100, true, true}))) {
      const std::size_t last = line.rfind("\x1b[");
      if (last != std::string::npos) {
        EXPECT_EQ(line.substr(last, 4), "\x1b[0m") << line;
      }
    }
  }
}

}  // namespace
}  // namespace ridge::render
