// What the engines over the lists of fields tell apart: the kinds of members.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/describe/field.hpp"
#include "core/quantity/units.hpp"

namespace ridge::serialize {

template <class T>
inline constexpr bool is_quantity = false;
template <Dimension D>
inline constexpr bool is_quantity<Quantity<D>> = true;

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

template <class T>
inline constexpr bool is_map = false;
template <class Key, class T>
inline constexpr bool is_map<std::map<Key, T>> = true;

/// Of names in an order of their own: an object in the file, as a map is.
template <class T>
inline constexpr bool is_named_list = false;
template <class T>
inline constexpr bool is_named_list<std::vector<std::pair<std::string, T>>> = true;

template <class T>
inline constexpr bool is_whole = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class T>
inline constexpr bool is_text = std::is_same_v<T, std::string>;

template <class T>
concept Enumeration = requires { describe::Enumerators<T>::values; };

/// A value that is a file of its own, or is written by hand: specialised with
/// `static void write(Writer&, std::string_view key, const T&)`, `static T read(const Reader&)`,
/// and for its documents `schema` (a reference) and `name` (of the type in TypeScript). For lists
/// of it `static void write_members(Writer&, const T&)`.
template <class T>
struct ByHand;

template <class T>
concept WrittenByHand = requires { ByHand<T>::schema; };

/// One whose file says a unit, which the field gives: `write` has a last parameter
/// `std::string_view unit`, and `read` has `const FieldOptions&` and the unit.
template <class T>
concept WrittenInUnit = WrittenByHand<T> && requires { ByHand<T>::in_unit; };

/// What std::optional holds; else the type itself.
template <class T>
struct Known {
  using Type = T;
};
template <class T>
struct Known<std::optional<T>> {
  using Type = T;
};

template <class Owner, class Member>
[[nodiscard]] bool is_known(const Owner& owner, const describe::Field<Owner, Member>& field) {
  if constexpr (describe::is_optional<Member>) {
    return (owner.*field.member).has_value();
  }
  return true;
}
template <class Owner, class Other>
[[nodiscard]] bool is_known(const Owner& /*owner*/, const Other& /*field*/) {
  return true;
}

}  // namespace ridge::serialize
