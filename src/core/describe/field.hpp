// One list of fields for each stored value: name, unit, meaning and limits of every member. What
// writes files, reads them, documents them and makes random ones follows these lists
// (docs/decisions/0189-a-value-is-described-once.md).
//
//   template <>
//   struct Description<Traffic> {
//     static constexpr std::string_view name = "Traffic";
//     static constexpr std::string_view meaning = "bytes that cross one boundary";
//     static constexpr auto fields = std::tuple{
//         field("read", &Traffic::read, "byte", ""),
//         field("written", &Traffic::written, "byte", "")};
//   };
//   static_assert(is_complete<Traffic>());
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/describe/arity.hpp"

namespace ridge::describe {

/// The list of fields of a stored value: specialised beside others of its kind in this folder.
template <class T>
struct Description;

template <class T>
concept Described = requires { Description<T>::fields; };

/// All values of an enumeration that files hold, in the order in which messages and schemas name
/// them: `static constexpr std::array values`. Their text is that of to_string.
template <class E>
struct Enumerators;

/// What a number may be. Whole numbers have those of their type besides.
struct Limits {
  double least = -std::numeric_limits<double>::infinity();
  bool least_is_excluded = false;
  double most = std::numeric_limits<double>::infinity();
};
inline constexpr Limits kAny{};
inline constexpr Limits kNotNegative{.least = 0.0};
inline constexpr Limits kPositive{.least = 0.0, .least_is_excluded = true};
inline constexpr Limits kAtLeastOne{.least = 1.0};
inline constexpr Limits kShare{.least = 0.0, .most = 1.0};

/// What an object without the key, or a value that is empty, means.
enum class Absence {
  refused,      ///< the key stands in every file
  unknown,      ///< std::optional without a value
  empty,        ///< text, list and map without anything, a flag that is false: no key
  not_in_past,  ///< written always; files of earlier versions lack it: what the type begins with
};

struct FieldOptions {
  Limits limits = kAny;
  Absence absence = Absence::refused;
  bool non_empty = false;                     ///< of text: "" is refused
  unsigned least_items = 0;                   ///< of a list, where it is there
  unsigned multiple_of = 1;                   ///< of whole numbers
  std::span<const std::string_view> words{};  ///< of text that Ridge writes: one of these
  std::string_view formerly{};                ///< the key in files of earlier versions
  unsigned since = 1;                         ///< version of the format that has it first
};

template <class T>
inline constexpr bool is_optional = requires(const T& value) {
  value.has_value();
  *value;
};

/// One member of `Owner` under one key.
template <class Owner, class Member>
struct Field {
  using Type = Member;
  static constexpr std::size_t members = 1;

  std::string_view key;
  Member Owner::* member;
  std::string_view unit;     ///< "byte", "s", "flop" ...; empty: none
  std::string_view meaning;  ///< part of a sentence; empty: key and unit say it
  FieldOptions options;
  /// Else the member does not apply to this value: not written, and read where it stands.
  bool (*applies)(const Owner&);
};

template <class Owner, class Member>
[[nodiscard]] consteval auto field(std::string_view key, Member Owner::* member,
                                   std::string_view unit, std::string_view meaning,
                                   FieldOptions options = {},
                                   std::type_identity_t<bool (*)(const Owner&)> applies = nullptr) {
  if (is_optional<Member> && options.absence == Absence::refused) {
    options.absence = Absence::unknown;
  }
  return Field<Owner, Member>{key, member, unit, meaning, options, applies};
}

/// Members of the value itself that stand in an object of their own.
template <class... Fields>
struct Group {
  static constexpr std::size_t members = (Fields::members + ... + 0);

  std::string_view key;
  std::string_view meaning;
  std::tuple<Fields...> fields;
};

template <class... Fields>
[[nodiscard]] consteval auto group(std::string_view key, std::string_view meaning,
                                   Fields... fields) {
  return Group<Fields...>{key, meaning, std::tuple{fields...}};
}

/// Whether nothing of the group has to be known.
template <class... Fields>
[[nodiscard]] constexpr bool may_be_absent(const Group<Fields...>& group) {
  return std::apply(
      [](const auto&... each) { return ((each.options.absence != Absence::refused) && ...); },
      group.fields);
}

/// A base class of the value: its fields stand among the value's own.
template <class Base>
struct Part {
  static constexpr std::size_t members = 1;
};

template <Described Base>
[[nodiscard]] consteval auto part() {
  return Part<Base>{};
}

/// A member that a file says in another way: by the place of the value, or not at all.
template <class Owner, class Member>
struct Implied {
  static constexpr std::size_t members = 1;

  Member Owner::* member;
};

template <class Owner, class Member>
[[nodiscard]] consteval auto implied(Member Owner::* member) {
  return Implied<Owner, Member>{member};
}

/// Computed from the value whenever it is written, for readers of the file; ignored on reading.
/// Nothing is written where `compute` gives an optional without a value.
template <class Owner, class Result>
struct Derived {
  using Type = Result;
  static constexpr std::size_t members = 0;

  std::string_view key;
  Result (*compute)(const Owner&);
  std::string_view unit;
  std::string_view meaning;
  Limits limits;
  bool left_out_when_empty;
};

template <class Owner, class Result>
[[nodiscard]] consteval auto derived(std::string_view key, Result (*compute)(const Owner&),
                                     std::string_view unit, std::string_view meaning,
                                     Limits limits = kAny, bool left_out_when_empty = false) {
  return Derived<Owner, Result>{key, compute, unit, meaning, limits, left_out_when_empty};
}

/// Derived from more than the value: whoever writes the value writes it by hand, at this place.
template <class Result>
struct Beside {
  using Type = Result;
  static constexpr std::size_t members = 0;

  std::string_view key;
  std::string_view unit;
  std::string_view meaning;
  Limits limits;
};

template <class Result>
[[nodiscard]] consteval auto beside(std::string_view key, std::string_view unit,
                                    std::string_view meaning, Limits limits = kAny) {
  return Beside<Result>{key, unit, meaning, limits};
}

/// Whether every member of the aggregate `T` is described: a member that is added and not described
/// does not compile.
template <Described T>
[[nodiscard]] consteval bool is_complete() {
  return std::apply([](const auto&... each) { return (each.members + ... + std::size_t{0}); },
                    Description<T>::fields) == arity<T>();
}

}  // namespace ridge::describe
