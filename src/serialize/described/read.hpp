// Reads any described value, and holds it against the limits of its fields and the rules of its
// type.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <tuple>

#include <fmt/core.h>

#include "core/describe/field.hpp"
#include "serialize/described/kinds.hpp"
#include "serialize/json_reader.hpp"

namespace ridge::serialize {

/// What members of a value have to do with each other: specialised where a type has such rules,
/// before the type is read. `check` calls fail() of the object, or of one of its members.
template <class T>
struct Rules {
  static void check(const Reader& /*object*/, const T& /*value*/) {}
};

template <describe::Described T>
[[nodiscard]] T read_object(const Reader& object);

/// Of a number, with the message that says which limit it breaks.
[[nodiscard]] double read_real(const Reader& value, const describe::Limits& limits);

template <class T>
[[nodiscard]] T read_whole(const Reader& value, const describe::Limits& limits) {
  constexpr auto kMost = std::numeric_limits<T>::max();
  constexpr auto kLeast = std::numeric_limits<T>::min();
  const T most = limits.most < static_cast<double>(kMost) ? static_cast<T>(limits.most) : kMost;
  const T least =
      limits.least > static_cast<double>(kLeast) ? static_cast<T>(limits.least) : kLeast;
  if constexpr (std::is_unsigned_v<T>) {
    return static_cast<T>(value.count_between(least, most));
  } else {
    return static_cast<T>(value.integer_between(least, most));
  }
}

template <class E>
[[nodiscard]] E read_choice(const Reader& value) {
  return value.choice(std::span<const E>(describe::Enumerators<E>::values));
}

template <class T>
[[nodiscard]] T read_value(const Reader& value, const describe::FieldOptions& options);

template <class T>
[[nodiscard]] std::vector<T> read_list(const Reader& array) {
  const std::vector<Reader> items = array.items();
  std::vector<T> values;
  values.reserve(items.size());
  for (const Reader& item : items) {
    values.push_back(read_value<T>(item, {}));
    if (!item.ok()) {
      break;  // what follows would be defaults
    }
  }
  return values;
}

template <class T>
[[nodiscard]] std::map<std::string, T> read_map(const Reader& object,
                                                const describe::FieldOptions& options) {
  std::map<std::string, T> values;
  for (const auto& [name, value] : object.members()) {
    values.emplace(name, read_value<T>(value, options));
  }
  return values;
}

template <class T>
T read_value(const Reader& value, const describe::FieldOptions& options) {
  if constexpr (WrittenByHand<T>) {
    return ByHand<T>::read(value);
  } else if constexpr (Enumeration<T>) {
    return read_choice<T>(value);
  } else if constexpr (is_quantity<T>) {
    return T(read_real(value, options.limits));
  } else if constexpr (std::is_same_v<T, double>) {
    return read_real(value, options.limits);
  } else if constexpr (is_whole<T>) {
    return read_whole<T>(value, options.limits);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value.flag();
  } else if constexpr (is_text<T>) {
    return options.non_empty ? value.non_empty_text() : value.text();
  } else if constexpr (is_list<T>) {
    return read_list<typename T::value_type>(value);
  } else if constexpr (is_map<T>) {
    return read_map<typename T::mapped_type>(value, options);
  } else {
    return read_object<T>(value);
  }
}

template <class Owner, class Member>
void read_field(const Reader& object, Owner& owner, const describe::Field<Owner, Member>& field) {
  const describe::FieldOptions& options = field.options;
  Reader value = object.find(field.key);
  if (value.absent() && !options.formerly.empty()) {
    value = object.find(options.formerly);
  }
  if (value.absent()) {
    if (options.absence == describe::Absence::refused) {
      (void)object.at(field.key);  // says so
    }
    return;
  }
  owner.*field.member = read_value<typename Known<Member>::Type>(value, options);
}

template <class Owner, class Base>
void read_field(const Reader& object, Owner& owner, const describe::Part<Base>& /*part*/) {
  Base& base = owner;
  std::apply([&](const auto&... each) { (read_field(object, base, each), ...); },
             describe::Description<Base>::fields);
}

template <class Owner, class... Fields>
void read_field(const Reader& object, Owner& owner, const describe::Group<Fields...>& group) {
  const Reader inner =
      describe::may_be_absent(group) ? object.find(group.key) : object.at(group.key);
  if (inner.absent()) {
    return;
  }
  std::apply([&](const auto&... each) { (read_field(inner, owner, each), ...); }, group.fields);
}

template <class Owner, class Member>
void read_field(const Reader& /*object*/, Owner& /*owner*/,
                const describe::Implied<Owner, Member>& /*field*/) {}

template <class Owner, class Result>
void read_field(const Reader& /*object*/, Owner& /*owner*/,
                const describe::Derived<Owner, Result>& /*field*/) {}

template <class Owner, class Result>
void read_field(const Reader& /*object*/, Owner& /*owner*/,
                const describe::Beside<Result>& /*field*/) {}

template <describe::Described T>
T read_object(const Reader& object) {
  T value{};
  std::apply([&](const auto&... each) { (read_field(object, value, each), ...); },
             describe::Description<T>::fields);
  if (object.ok()) {
    Rules<T>::check(object, value);
  }
  return value;
}

}  // namespace ridge::serialize
