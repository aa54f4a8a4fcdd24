// Every colour of a picture or page, on white and on black. Hues that tell things apart are those
// of Okabe & Ito (2008), safe for colour-blind readers; chart/level_style.hpp says which level has
// which.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace ridge::render {

enum class Theme { light, dark };

struct Colour {
  std::string_view name;  ///< as sheets name it, after `$`
  std::string_view light;
  std::string_view dark;

  [[nodiscard]] constexpr std::string_view in(Theme theme) const {
    return theme == Theme::dark ? dark : light;
  }
};

namespace palette {

// Hues.
inline constexpr Colour kBlue{"blue", "#0072b2", "#56b4e9"};
inline constexpr Colour kGreen{"green", "#009e73", "#2fc79b"};
inline constexpr Colour kGold{"gold", "#b8860b", "#e6b422"};
inline constexpr Colour kVermilion{"vermilion", "#d55e00", "#ff8c42"};
inline constexpr Colour kPink{"pink", "#cc79a7", "#e39bc3"};
inline constexpr Colour kSky{"sky", "#56b4e9", "#8accf3"};
inline constexpr Colour kGrey{"grey", "#7a7a7a", "#b0b0b0"};

// What is written and drawn, and what it stands on.
inline constexpr Colour kInk{"ink", "#1d2328", "#e4e8eb"};
inline constexpr Colour kQuiet{"quiet", "#5b6570", "#9aa4ad"};
inline constexpr Colour kPage{"page", "#fff", "#15191d"};
inline constexpr Colour kPrint{"print", "#000", "#000"};  ///< text of a printed page
inline constexpr Colour kError{"error", "#b3261e", "#ff8a80"};

// Lines.
inline constexpr Colour kFrame{"frame", kInk.light, kQuiet.dark};
inline constexpr Colour kCeiling{"ceiling", kInk.light, "#c3cad0"};  ///< below the roof
inline constexpr Colour kMajor{"major", "#d3d8dc", "#343c43"};       ///< of a grid, and of tables
inline constexpr Colour kMinor{"minor", "#eceff1", "#20262b"};
inline constexpr Colour kJoin{"join", "#7a858e", "#77828b"};  ///< between dots of one loop
inline constexpr Colour kLeader{"leader", "#8a949d", kJoin.dark};
inline constexpr Colour kFaint{"faint", "#8884", "#8884"};  ///< between rows, on any ground

// Behind everything: left of all ridge points, and right of all of them.
inline constexpr Colour kMemoryZone{"memoryzone", "#edf4fa", "#16202b"};
inline constexpr Colour kComputeZone{"computezone", "#fdf3e9", "#231c15"};

// Directions of a change. Slower is dashed besides.
inline constexpr Colour kFaster{"faster", kBlue.light, kBlue.dark};
inline constexpr Colour kSlower{"slower", kVermilion.light, kVermilion.light};
inline constexpr Colour kSteady{"steady", "#6b757d", kQuiet.dark};

inline constexpr std::array kAll{kBlue,  kGreen,   kGold,   kVermilion, kPink,       kSky,
                                 kGrey,  kInk,     kQuiet,  kPage,      kPrint,      kError,
                                 kFrame, kCeiling, kMajor,  kMinor,     kJoin,       kLeader,
                                 kFaint, kFaster,  kSlower, kSteady,    kMemoryZone, kComputeZone};

}  // namespace palette

/// Of screens, as in a sheet.
inline constexpr std::string_view kScreenFonts =
    R"(system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif)";

/// A style sheet whose `$ink` is the colour of that name, and `$fonts` those of screens. Another
/// name is a bug.
[[nodiscard]] std::string coloured(std::string_view sheet, Theme theme);

/// Rules of a sheet for dark screens, to stand behind those for light ones.
[[nodiscard]] std::string on_dark_screens(std::string_view rules);

}  // namespace ridge::render
