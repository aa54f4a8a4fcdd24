// Each case holds one line that must not compile, and the line beside it that must. The file is
// compiled as CASE with and without MUST_FAIL.
#include <string>
#include <tuple>

#include "core/describe/field.hpp"

namespace ridge::describe {

struct Part1 {
  int first = 0;
  std::string second;
};

struct Whole : Part1 {
  double third = 0.0;
};

#if CASE == 1  // a member that the list leaves out
template <>
struct Description<Part1> {
#ifdef MUST_FAIL
  static constexpr auto fields = std::tuple{field("first", &Part1::first, "", "")};
#else
  static constexpr auto fields =
      std::tuple{field("first", &Part1::first, "", ""), field("second", &Part1::second, "", "")};
#endif
};
static_assert(is_complete<Part1>());
#elif CASE == 2  // a base class that the list leaves out
template <>
struct Description<Part1> {
  static constexpr auto fields =
      std::tuple{field("first", &Part1::first, "", ""), field("second", &Part1::second, "", "")};
};
template <>
struct Description<Whole> {
#ifdef MUST_FAIL
  static constexpr auto fields = std::tuple{field("third", &Whole::third, "", "")};
#else
  static constexpr auto fields = std::tuple{part<Part1>(), field("third", &Whole::third, "", "")};
#endif
};
static_assert(is_complete<Whole>());
#elif CASE == 3  // a part that has no list
#ifdef MUST_FAIL
constexpr auto kPart = part<Part1>();
#else
template <>
struct Description<Part1> {
  static constexpr auto fields =
      std::tuple{field("first", &Part1::first, "", ""), field("second", &Part1::second, "", "")};
};
constexpr auto kPart = part<Part1>();
#endif
#endif

}  // namespace ridge::describe
