// Levels of the memory hierarchy, by which bandwidths, latencies and traffic are told apart: text,
// place in the hierarchy and kind in one table.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge {

/// One byte. A text that names no level does not compile as one.
class Level {
 public:
  static const Level L1;
  static const Level L2;
  static const Level L3;
  static const Level L4;
  static const Level DRAM;
  static const Level HBM;  ///< MCDRAM of Knights Landing too
  static const Level CXL;
  static const Level NVRAM;

  /// Of a literal, where the type says that a level is meant.
  template <std::size_t N>
  consteval Level(const char (&text)[N]);  // NOLINT(google-explicit-constructor)

  /// In the order of the texts, as keys stand in files: DRAM before L1. InnermostFirst is the order
  /// of the hierarchy.
  friend constexpr auto operator<=>(const Level&, const Level&) = default;

 private:
  friend struct LevelTable;
  constexpr explicit Level(std::size_t row) : row_(static_cast<std::uint8_t>(row)) {}

  std::uint8_t row_;
};

struct LevelProperties {
  std::string_view text;  ///< in files, in ids of ceilings, in tables
  std::uint8_t place;     ///< in the hierarchy, 0: innermost
  bool is_memory;         ///< else a cache
};

/// What is known of each level, in the order of the texts.
struct LevelTable {
  static constexpr std::array<LevelProperties, 8> rows{{{"CXL", 6, true},
                                                        {"DRAM", 4, true},
                                                        {"HBM", 5, true},
                                                        {"L1", 0, false},
                                                        {"L2", 1, false},
                                                        {"L3", 2, false},
                                                        {"L4", 3, false},
                                                        {"NVRAM", 7, true}}};

  [[nodiscard]] static constexpr const LevelProperties& of(Level level) { return rows[level.row_]; }

  [[nodiscard]] static constexpr std::optional<Level> find(std::string_view text) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (rows[row].text == text) {
        return Level(row);
      }
    }
    return std::nullopt;
  }
};

/// Not constexpr: a literal that names no level ends the compilation here.
void no_such_level();

template <std::size_t N>
consteval Level::Level(const char (&text)[N]) : row_(0) {
  const std::optional<Level> known = LevelTable::find({text, N - 1});
  if (!known) {
    no_such_level();
  }
  row_ = known->row_;
}

inline constexpr Level Level::L1{"L1"};
inline constexpr Level Level::L2{"L2"};
inline constexpr Level Level::L3{"L3"};
inline constexpr Level Level::L4{"L4"};
inline constexpr Level Level::DRAM{"DRAM"};
inline constexpr Level Level::HBM{"HBM"};
inline constexpr Level Level::CXL{"CXL"};
inline constexpr Level Level::NVRAM{"NVRAM"};

/// All of them, innermost first; of memories the one first that a machine has before it has others.
inline constexpr std::array kLevels{Level::L1,   Level::L2,  Level::L3,  Level::L4,
                                    Level::DRAM, Level::HBM, Level::CXL, Level::NVRAM};
inline constexpr std::array kCacheLevels{Level::L1, Level::L2, Level::L3, Level::L4};

/// "DRAM": as files and ids of ceilings spell it.
[[nodiscard]] constexpr std::string_view to_string(Level level) {
  return LevelTable::of(level).text;
}

/// The reverse of to_string; nullopt for any other text.
[[nodiscard]] constexpr std::optional<Level> parse_level(std::string_view text) {
  return LevelTable::find(text);
}

/// Whether it is a memory, not a cache.
[[nodiscard]] constexpr bool is_memory_level(Level level) {
  return LevelTable::of(level).is_memory;
}

/// Of a resource, which may be no level at all: "DRAM", not "L2" or "PCIe".
[[nodiscard]] constexpr bool names_memory_level(std::string_view text) {
  const std::optional<Level> level = parse_level(text);
  return level && is_memory_level(*level);
}

/// The cache that is so many levels from the core, 1: L1; nullopt where no such cache is known.
[[nodiscard]] constexpr std::optional<Level> cache_level(std::size_t number) {
  return number >= 1 && number <= kCacheLevels.size() ? std::optional(kCacheLevels[number - 1])
                                                      : std::nullopt;
}

/// The order of the hierarchy.
struct InnermostFirst {
  [[nodiscard]] constexpr bool operator()(Level a, Level b) const {
    return LevelTable::of(a).place < LevelTable::of(b).place;
  }
};

}  // namespace ridge
