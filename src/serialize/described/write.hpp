// Writes any described value: its members in the order of the list, only what is known.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

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
void write_members(Writer& writer, const T& value, const Aside& aside = {},
                   std::string_view unit = {});

/// A list of values that have a text each.
template <class T>
[[nodiscard]] std::vector<std::string> texts_of(const std::vector<T>& items) {
  std::vector<std::string> texts;
  texts.reserve(items.size());
  for (const T& item : items) {
    texts.emplace_back(to_string(item));
  }
  return texts;
}

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
                const Aside& aside, std::string_view unit) {
  if constexpr (is_text<T>) {
    writer.strings(key, items);
  } else if constexpr (is_whole<T>) {
    writer.numbers(key, items);
  } else if constexpr (Enumeration<T>) {
    writer.strings(key, texts_of(items));
  } else if constexpr (is_list<T>) {
    std::vector<std::vector<std::string>> lists;
    for (const T& item : items) {
      lists.push_back(texts_of(item));
    }
    writer.string_lists(key, lists);
  } else if constexpr (WrittenByHand<T>) {
    writer.objects(key, items, [&](const T& item) { ByHand<T>::write_members(writer, item); });
  } else {
    writer.objects(key, items, [&](const T& item) { write_members(writer, item, aside, unit); });
  }
}

/// One known value under one key. `unit`: that of its field.
template <class T, class Aside>
void write_value(Writer& writer, std::string_view key, const T& value, const Aside& aside,
                 std::string_view unit = {}) {
  if constexpr (WrittenInUnit<T>) {
    ByHand<T>::write(writer, key, value, unit);
  } else if constexpr (WrittenByHand<T>) {
    ByHand<T>::write(writer, key, value);
  } else if constexpr (Enumeration<T>) {
    writer.member(key, to_string(value));
  } else if constexpr (is_quantity<T>) {
    writer.member(key, value.value());
  } else if constexpr (describe::Described<T>) {
    writer.object(key, [&] { write_members(writer, value, aside, unit); });
  } else if constexpr (is_named_list<T>) {
    writer.object(key, [&] {
      for (const auto& [name, item] : value) {
        write_value(writer, name, item, aside);
      }
    });
  } else if constexpr (is_list<T>) {
    write_list(writer, key, value, aside, unit);
  } else if constexpr (is_map<T>) {
    writer.object(key, [&] {
      if constexpr (Enumeration<typename T::key_type>) {
        for (const auto& [name, item] : value) {
          write_value(writer, to_string(name), item, aside);
        }
      } else {
        for (const auto& [name, item] : with_printable_keys(value)) {
          write_value(writer, name, item, aside);
        }
      }
    });
  } else if constexpr (std::is_same_v<T, describe::ExactOrReal>) {
    std::visit([&](const auto number) { writer.member(key, number); }, value);
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
  } else if constexpr (describe::Described<T>) {
    return std::apply([&](const auto&... each) { return (!is_known(value, each) && ...); },
                      describe::Description<T>::fields);
  } else {
    return false;
  }
}

template <class T, class Aside>
void write_if_known(Writer& writer, std::string_view key, const T& value, const Aside& aside,
                    bool left_out_when_empty, std::string_view unit = {}) {
  if constexpr (describe::is_optional<T>) {
    if (value) {
      write_value(writer, key, *value, aside, unit);
    }
  } else if (!left_out_when_empty || !is_empty(value)) {
    write_value(writer, key, value, aside, unit);
  }
}

/// Left out for being what the type begins with.
template <class Owner, class Member>
[[nodiscard]] bool is_usual(const Owner& owner, const describe::Field<Owner, Member>& field) {
  if constexpr (std::is_arithmetic_v<Member>) {
    return field.options.absence == describe::Absence::usual &&
           owner.*field.member == Owner{}.*field.member;
  }
  return false;
}

template <class Owner, class Member, class Aside>
void write_field(Writer& writer, const Owner& owner, const describe::Field<Owner, Member>& field,
                 const Aside& aside) {
  if ((field.applies == nullptr || field.applies(owner)) && !is_usual(owner, field)) {
    write_if_known(writer, field.key, owner.*field.member, aside,
                   field.options.absence == describe::Absence::empty, field.unit);
  }
}

template <class Owner, class Member, class Stored, class Form, class Aside>
void write_field(Writer& writer, const Owner& owner,
                 const describe::StoredAs<Owner, Member, Stored, Form>& field, const Aside& aside) {
  write_if_known(writer, field.key, field.to_file(owner.*field.member), aside,
                 field.options.absence == describe::Absence::empty, field.unit);
}

template <class Owner, class Member, class Aside>
void write_field(Writer& writer, const Owner& owner, const describe::Inlined<Owner, Member>& field,
                 const Aside& aside) {
  write_members(writer, owner.*field.member, aside, unit_in(owner, field));
}

template <class Owner, class Base, class Aside>
void write_field(Writer& writer, const Owner& owner, const describe::Part<Base>& /*part*/,
                 const Aside& aside) {
  write_members<Base>(writer, owner, aside);
}

/// A group of which nothing is known is not there, unless it is always.
template <class Owner, class... Fields, class Aside>
void write_field(Writer& writer, const Owner& owner, const describe::Group<Fields...>& group,
                 const Aside& aside) {
  const bool any =
      std::apply([&](const auto&... each) { return (is_known(owner, each) || ...); }, group.fields);
  if (!any && group.presence != describe::Presence::always) {
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
void write_members(Writer& writer, const T& value, const Aside& aside, std::string_view unit) {
  const auto write = [&](const auto& field) {
    if constexpr (std::is_same_v<decltype(field), const describe::StatedUnit&>) {
      writer.member(field.key, unit);
    } else {
      write_field(writer, value, field, aside);
    }
  };
  std::apply([&](const auto&... each) { (write(each), ...); }, describe::Description<T>::fields);
}

}  // namespace ridge::serialize
