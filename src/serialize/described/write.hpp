// Writes any described value: its members in the order of the list, only what is known.
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "core/describe/field.hpp"
#include "serialize/described/kinds.hpp"
#include "serialize/json_writer.hpp"
#include "serialize/utf8.hpp"

namespace ridge::serialize {

/// For values without members that are written by hand. Others need
/// `void write(Writer&, std::string_view key, const Owner&) const`, which is called at the place of
/// each such member.
struct NothingBeside {
  template <class Owner>
  void write(Writer& /*writer*/, std::string_view /*key*/, const Owner& /*owner*/) const {}
};

template <describe::Described T, class Aside = NothingBeside>
void write_members(Writer& writer, const T& value, const Aside& aside = {});

/// Names that differ only in invalid bytes become one key: counts are added, else the first stays.
template <class T>
[[nodiscard]] std::map<std::string, T> with_printable_keys(const std::map<std::string, T>& map) {
  std::map<std::string, T> printable;
  for (const auto& [name, value] : map) {
    const auto [at, is_new] = printable.try_emplace(replace_invalid_utf8(name), value);
    if constexpr (is_whole<T>) {
      at->second += is_new ? T{} : value;
    }
  }
  return printable;
}

template <class T, class Aside>
void write_list(Writer& writer, std::string_view key, const std::vector<T>& items,
                const Aside& aside) {
  if constexpr (is_text<T>) {
    writer.strings(key, items);
  } else if constexpr (is_whole<T>) {
    writer.numbers(key, items);
  } else {
    writer.objects(key, items, [&](const T& item) { write_members(writer, item, aside); });
  }
}

/// One known value under one key.
template <class T, class Aside>
void write_value(Writer& writer, std::string_view key, const T& value, const Aside& aside) {
  if constexpr (WrittenByHand<T>) {
    ByHand<T>::write(writer, key, value);
  } else if constexpr (Enumeration<T>) {
    writer.member(key, to_string(value));
  } else if constexpr (is_quantity<T>) {
    writer.member(key, value.value());
  } else if constexpr (describe::Described<T>) {
    writer.object(key, [&] { write_members(writer, value, aside); });
  } else if constexpr (is_list<T>) {
    write_list(writer, key, value, aside);
  } else if constexpr (is_map<T>) {
    writer.object(key, [&] {
      for (const auto& [name, item] : with_printable_keys(value)) {
        write_value(writer, name, item, aside);
      }
    });
  } else {
    writer.member(key, value);
  }
}

template <class T>
[[nodiscard]] bool is_empty(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return !value;
  } else if constexpr (requires { value.empty(); }) {
    return value.empty();
  } else {
    return false;
  }
}

template <class T, class Aside>
void write_if_known(Writer& writer, std::string_view key, const T& value, const Aside& aside,
                    bool left_out_when_empty) {
  if constexpr (describe::is_optional<T>) {
    if (value) {
      write_value(writer, key, *value, aside);
    }
  } else if (!left_out_when_empty || !is_empty(value)) {
    write_value(writer, key, value, aside);
  }
}

template <class Owner, class Member, class Aside>
void write_field(Writer& writer, const Owner& owner, const describe::Field<Owner, Member>& field,
                 const Aside& aside) {
  if (field.applies == nullptr || field.applies(owner)) {
    write_if_known(writer, field.key, owner.*field.member, aside,
                   field.options.absence == describe::Absence::empty);
  }
}

template <class Owner, class Base, class Aside>
void write_field(Writer& writer, const Owner& owner, const describe::Part<Base>& /*part*/,
                 const Aside& aside) {
  write_members<Base>(writer, owner, aside);
}

template <class Owner, class Member>
[[nodiscard]] bool is_known(const Owner& owner, const describe::Field<Owner, Member>& field) {
  if constexpr (describe::is_optional<Member>) {
    return (owner.*field.member).has_value();
  }
  return true;
}

/// A group of which nothing is known is not there.
template <class Owner, class... Fields, class Aside>
void write_field(Writer& writer, const Owner& owner, const describe::Group<Fields...>& group,
                 const Aside& aside) {
  const bool any =
      std::apply([&](const auto&... each) { return (is_known(owner, each) || ...); }, group.fields);
  if (!any) {
    return;
  }
  writer.object(group.key, [&] {
    std::apply([&](const auto&... each) { (write_field(writer, owner, each, aside), ...); },
               group.fields);
  });
}

template <class Owner, class Member, class Aside>
void write_field(Writer& /*writer*/, const Owner& /*owner*/,
                 const describe::Implied<Owner, Member>& /*field*/, const Aside& /*aside*/) {}

template <class Owner, class Result, class Aside>
void write_field(Writer& writer, const Owner& owner, const describe::Derived<Owner, Result>& field,
                 const Aside& aside) {
  write_if_known(writer, field.key, field.compute(owner), aside, field.left_out_when_empty);
}

template <class Owner, class Result, class Aside>
void write_field(Writer& writer, const Owner& owner, const describe::Beside<Result>& field,
                 const Aside& aside) {
  aside.write(writer, field.key, owner);
}

template <describe::Described T, class Aside>
void write_members(Writer& writer, const T& value, const Aside& aside) {
  std::apply([&](const auto&... each) { (write_field(writer, value, each, aside), ...); },
             describe::Description<T>::fields);
}

}  // namespace ridge::serialize
