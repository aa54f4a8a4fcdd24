// Reads any described value, and holds it against the limits of its fields and the rules of its
// type.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

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

/// Whether the unit that an object states is that of its field: specialised where the type has more
/// to say, before the type is read.
template <class T>
struct Units {
  static void check(const Reader& object, std::string_view key, const T& /*value*/,
                    std::string_view unit) {
    const Reader stated = object.at(key);
    if (stated.text() != unit) {
      stated.fail(fmt::format("must be {}, is {}", unit, quote_for_message(stated.text())));
    }
  }
};

template <describe::Described T>
[[nodiscard]] T read_object(const Reader& object, std::string_view unit = {});

/// Of a number, with the message that says which limit it breaks.
[[nodiscard]] double read_real(const Reader& value, const describe::Limits& limits);

/// Of a text, as its options have it.
[[nodiscard]] std::string read_text(const Reader& value, const describe::FieldOptions& options);

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

/// `only`: the words of these values; empty: of all.
template <class E>
[[nodiscard]] E read_choice(const Reader& value, std::span<const std::string_view> only = {}) {
  if (only.empty()) {
    return value.choice(std::span<const E>(describe::Enumerators<E>::values));
  }
  std::vector<E> allowed;
  for (const std::string_view word : only) {
    for (const E each : describe::Enumerators<E>::values) {
      if (to_string(each) == word) {
        allowed.push_back(each);
      }
    }
  }
  return value.choice(std::span<const E>(allowed));
}

template <class T>
[[nodiscard]] T read_value(const Reader& value, const describe::FieldOptions& options,
                           std::string_view unit = {});

template <class T>
[[nodiscard]] std::vector<T> read_list(const Reader& array,
                                       const describe::FieldOptions& options = {},
                                       std::string_view unit = {}) {
  const std::vector<Reader> items = array.items();
  std::vector<T> values;
  values.reserve(items.size());
  for (const Reader& item : items) {
    values.push_back(read_value<T>(item, options, unit));
    if (!item.ok()) {
      break;  // what follows would be defaults
    }
  }
  return values;
}

template <class Map>
[[nodiscard]] Map read_map(const Reader& object, const describe::FieldOptions& options) {
  using Key = typename Map::key_type;
  Map values;
  for (const auto& [name, value] : object.members()) {
    auto item = read_value<typename Map::mapped_type>(value, options);
    if constexpr (Enumeration<Key>) {
      if (const auto key =
              value.key_choice(std::span<const Key>(describe::Enumerators<Key>::values), name)) {
        values.emplace(*key, std::move(item));
      }
    } else {
      values.emplace(name, std::move(item));
    }
  }
  return values;
}

template <class T>
T read_value(const Reader& value, const describe::FieldOptions& options, std::string_view unit) {
  if constexpr (WrittenInUnit<T>) {
    return ByHand<T>::read(value, options, unit);
  } else if constexpr (WrittenByHand<T>) {
    return ByHand<T>::read(value);
  } else if constexpr (Enumeration<T>) {
    return read_choice<T>(value, options.only);
  } else if constexpr (is_quantity<T>) {
    return T(read_real(value, options.limits));
  } else if constexpr (std::is_same_v<T, double>) {
    return read_real(value, options.limits);
  } else if constexpr (is_whole<T>) {
    return read_whole<T>(value, options.limits);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value.flag();
  } else if constexpr (is_text<T>) {
    return read_text(value, options);
  } else if constexpr (is_list<T>) {
    return read_list<typename T::value_type>(value, describe::options_of_items(options), unit);
  } else if constexpr (is_map<T>) {
    return read_map<T>(value, describe::options_of_items(options));
  } else {
    return read_object<T>(value, unit);
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
  owner.*field.member = read_value<typename Known<Member>::Type>(value, options, field.unit);
}

template <class Owner, class Member, class Stored, class Form>
void read_field(const Reader& object, Owner& owner,
                const describe::StoredAs<Owner, Member, Stored, Form>& field) {
  const bool may_be_absent = field.options.absence != describe::Absence::refused;
  const Reader value = may_be_absent ? object.find(field.key) : object.at(field.key);
  if (!value.absent()) {
    const Form stored = read_value<Form>(value, field.options, field.unit);
    if (value.ok()) {
      owner.*field.member = field.from_file(stored);
    }
  }
}

template <describe::Described T>
void read_members(const Reader& object, T& value, std::string_view unit);

template <class Owner, class Member>
void read_field(const Reader& object, Owner& owner, const describe::Inlined<Owner, Member>& field) {
  Member& member = owner.*field.member;
  read_members(object, member, unit_in(owner, field));
  if (object.ok()) {
    Rules<Member>::check(object, member);
  }
}

template <class Owner, class Base>
void read_field(const Reader& object, Owner& owner, const describe::Part<Base>& /*part*/) {
  read_members<Base>(object, owner, {});
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
void read_members(const Reader& object, T& value, std::string_view unit) {
  const auto read = [&](const auto& field) {
    if constexpr (std::is_same_v<decltype(field), const describe::StatedUnit&>) {
      Units<T>::check(object, field.key, value, unit);
    } else {
      read_field(object, value, field);
    }
  };
  std::apply([&](const auto&... each) { (read(each), ...); }, describe::Description<T>::fields);
}

template <describe::Described T>
T read_object(const Reader& object, std::string_view unit) {
  T value{};
  read_members(object, value, unit);
  if (object.ok()) {
    Rules<T>::check(object, value);
  }
  return value;
}

}  // namespace ridge::serialize
