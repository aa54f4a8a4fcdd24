// What the engines over the lists of fields tell apart: the kinds of members.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
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
template <class T>
inline constexpr bool is_map<std::map<std::string, T>> = true;

template <class T>
inline constexpr bool is_whole = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class T>
inline constexpr bool is_text = std::is_same_v<T, std::string>;

template <class T>
concept Enumeration = std::is_enum_v<T> && requires { describe::Enumerators<T>::values; };

/// A value that is a file of its own, or is written by hand: specialised with
/// `static void write(Writer&, std::string_view key, const T&)`, `static T read(const Reader&)`,
/// and for its documents `schema` (a reference) and `name` (of the type in TypeScript).
template <class T>
struct ByHand;

template <class T>
concept WrittenByHand = requires { ByHand<T>::schema; };

/// What std::optional holds; else the type itself.
template <class T>
struct Known {
  using Type = T;
};
template <class T>
struct Known<std::optional<T>> {
  using Type = T;
};

}  // namespace ridge::serialize
