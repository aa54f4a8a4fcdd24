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
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

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

/// Of the operating system.
inline constexpr Limits kSignal{.least = 1.0, .most = 1023.0};
/// Of an index into a list.
inline constexpr Limits kIndex{.least = 0.0, .most = 4294967295.0};

/// A number that is exact where it is a count, also beyond 2^53: to be written alone.
using ExactOrReal = std::variant<std::uint64_t, double>;

/// What an object without the key, or a value that is empty, means.
enum class Absence {
  refused,      ///< the key stands in every file
  unknown,      ///< std::optional without a value
  empty,        ///< text, list and map without anything, a flag that is false: no key
  usual,        ///< of a number or a flag, what the type begins with: no key
  not_in_past,  ///< written always; files of earlier versions lack it: what the type begins with
};

inline constexpr unsigned kAnyNumber = std::numeric_limits<unsigned>::max();

/// Limits, `non_empty`, `word`, `words` and `only` of a list or map are those of its items.
struct FieldOptions {
  Limits limits = kAny;
  Absence absence = Absence::refused;
  bool non_empty = false;                     ///< of text: "" is refused
  bool word = false;                          ///< of text: letters, digits and dashes, at most 64
  unsigned least_items = 0;                   ///< of a list, where it is there
  unsigned most_items = kAnyNumber;           ///< of a list
  unsigned multiple_of = 1;                   ///< of whole numbers
  std::span<const std::string_view> words{};  ///< of text that Ridge writes: one of these
  std::span<const std::string_view> only{};   ///< of text and enumerations: others are refused
  std::string_view formerly{};                ///< the key in files of earlier versions
  unsigned since = 1;                         ///< version of the format that has it first
};

[[nodiscard]] constexpr FieldOptions options_of_items(const FieldOptions& options) {
  return {.limits = options.limits,
          .non_empty = options.non_empty,
          .word = options.word,
          .words = options.words,
          .only = options.only};
}

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
  if (options.absence == Absence::usual && !std::is_arithmetic_v<Member>) {
    throw "only numbers and flags are left out for being usual";  // does not compile
  }
  return Field<Owner, Member>{key, member, unit, meaning, options, applies};
}

/// A member that files hold in another form: the fields of that type are described. `Stored` is
/// `Form`, or an optional one.
template <class Owner, class Member, class Stored, class Form>
struct StoredAs {
  static constexpr std::size_t members = 1;

  std::string_view key;
  Member Owner::* member;
  Stored (*to_file)(const Member&);
  Member (*from_file)(const Form&);
  std::string_view unit;
  std::string_view meaning;
  FieldOptions options;
};

/// An optional form that has no value: no key. Without the key the member is what the type begins
/// with.
template <class Owner, class Member, class Stored, class Form>
[[nodiscard]] consteval auto stored_as(std::string_view key, Member Owner::* member,
                                       Stored (*to_file)(const Member&),
                                       Member (*from_file)(const Form&), std::string_view unit,
                                       std::string_view meaning, FieldOptions options = {}) {
  if (is_optional<Stored> && options.absence == Absence::refused) {
    options.absence = Absence::unknown;
  }
  return StoredAs<Owner, Member, Stored, Form>{key,  member,  to_file, from_file,
                                               unit, meaning, options};
}

/// The key under which an object says the unit of its numbers: that of the field that holds it.
struct StatedUnit {
  static constexpr std::size_t members = 0;

  std::string_view key;
};

[[nodiscard]] consteval auto stated_unit(std::string_view key) {
  return StatedUnit{key};
}

template <Described T>
[[nodiscard]] consteval bool states_unit() {
  return std::apply(
      [](const auto&... each) {
        return (std::is_same_v<decltype(each), const StatedUnit&> || ...);
      },
      Description<T>::fields);
}

/// A member whose fields stand among the value's own.
template <class Owner, class Member>
struct Inlined {
  static constexpr std::size_t members = 1;

  Member Owner::* member;
  std::string_view unit;                      ///< which a StatedUnit of the member says
  std::string_view (*unit_of)(const Owner&);  ///< instead of `unit`, where it follows from others
  std::span<const std::string_view> units;    ///< all that `unit_of` gives
};

template <class Owner, Described Member>
[[nodiscard]] consteval auto inlined(Member Owner::* member, std::string_view unit = {}) {
  return Inlined<Owner, Member>{member, unit, nullptr, {}};
}

/// `unit_of` asks members of the value that stand before this one.
template <class Owner, Described Member>
[[nodiscard]] consteval auto inlined(
    Member Owner::* member, std::type_identity_t<std::string_view (*)(const Owner&)> unit_of,
    std::span<const std::string_view> units) {
  return Inlined<Owner, Member>{member, {}, unit_of, units};
}

template <class Owner, class Member>
[[nodiscard]] std::string_view unit_in(const Owner& owner, const Inlined<Owner, Member>& field) {
  return field.unit_of != nullptr ? field.unit_of(owner) : field.unit;
}

/// When the object of a group stands in the file.
enum class Presence {
  where_known,  ///< when one of its members is
  always,       ///< also without members
  all_or_none,  ///< its members are known together
};

/// Members of the value itself that stand in an object of their own.
template <class... Fields>
struct Group {
  static constexpr std::size_t members = (Fields::members + ... + 0);

  std::string_view key;
  std::string_view meaning;
  Presence presence;
  std::tuple<Fields...> fields;
};

template <class... Fields>
[[nodiscard]] consteval auto group(std::string_view key, std::string_view meaning,
                                   Fields... fields) {
  return Group<Fields...>{key, meaning, Presence::where_known, std::tuple{fields...}};
}

template <class... Fields>
[[nodiscard]] consteval auto group(std::string_view key, std::string_view meaning,
                                   Presence presence, Fields... fields) {
  return Group<Fields...>{key, meaning, presence, std::tuple{fields...}};
}

/// Only a field can be absent from a group: what is derived or stands inline is always there.
template <class Other>
[[nodiscard]] constexpr bool may_be_absent(const Other& /*field*/) {
  return false;
}
template <class Owner, class Member>
[[nodiscard]] constexpr bool may_be_absent(const Field<Owner, Member>& field) {
  return field.options.absence != Absence::refused;
}
/// Whether nothing of the group has to be known.
template <class... Fields>
[[nodiscard]] constexpr bool may_be_absent(const Group<Fields...>& group) {
  return group.presence != Presence::always &&
         std::apply([](const auto&... each) { return (may_be_absent(each) && ...); }, group.fields);
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
