// Any described value as bytes, for files that the same version of Ridge reads soon: of each value
// a bit for each member that is not what its type begins with, and then these members.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/describe/field.hpp"
#include "core/value/machine.hpp"
#include "serialize/compact/compact_bytes.hpp"
#include "serialize/described/kinds.hpp"

namespace ridge::serialize {

template <describe::Described T>
void put_object(CompactWriter& writer, const T& value);
template <describe::Described T>
void get_object(CompactReader& reader, T& value);

template <class T>
inline constexpr bool is_pair = false;
template <class First, class Second>
inline constexpr bool is_pair<std::pair<First, Second>> = true;

template <class T>
void put_value(CompactWriter& writer, const T& value) {
  if constexpr (std::is_same_v<T, Machine>) {
    // Not in these files: it is the same for many values.
  } else if constexpr (describe::is_optional<T>) {
    put_value(writer, *value);  // the bit of the member says that there is one
  } else if constexpr (Enumeration<T>) {
    const auto& all = describe::Enumerators<T>::values;
    writer.whole(
        static_cast<std::uint64_t>(std::find(all.begin(), all.end(), value) - all.begin()));
  } else if constexpr (std::is_same_v<T, bool>) {
    writer.whole(value ? 1 : 0);
  } else if constexpr (is_quantity<T>) {
    writer.real(value.value());
  } else if constexpr (std::is_same_v<T, double>) {
    writer.real(value);
  } else if constexpr (is_whole<T> && std::is_signed_v<T>) {
    const auto wide = static_cast<std::int64_t>(value);  // zigzag: small numbers of either sign
    writer.whole((static_cast<std::uint64_t>(wide) << 1U) ^ static_cast<std::uint64_t>(wide >> 63));
  } else if constexpr (is_whole<T>) {
    writer.whole(value);
  } else if constexpr (is_text<T>) {
    writer.text(value);
  } else if constexpr (is_pair<T>) {
    put_value(writer, value.first);
    put_value(writer, value.second);
  } else if constexpr (is_list<T> || is_map<T>) {
    writer.whole(value.size());
    for (const auto& item : value) {
      put_value(writer, item);
    }
  } else {
    put_object(writer, value);
  }
}

/// To be read into.
template <class T>
[[nodiscard]] T some_value() {
  if constexpr (Enumeration<T>) {
    return describe::Enumerators<T>::values.front();
  } else {
    return T{};
  }
}

template <class T>
void get_value(CompactReader& reader, T& value) {
  if constexpr (std::is_same_v<T, Machine>) {
  } else if constexpr (describe::is_optional<T>) {
    get_value(reader, value.emplace());
  } else if constexpr (Enumeration<T>) {
    const auto& all = describe::Enumerators<T>::values;
    const std::uint64_t index = reader.whole();
    if (index < all.size()) {
      value = all[index];
    } else {
      reader.fail();
    }
  } else if constexpr (std::is_same_v<T, bool>) {
    value = reader.whole() != 0;
  } else if constexpr (is_quantity<T>) {
    value = T(reader.real());
  } else if constexpr (std::is_same_v<T, double>) {
    value = reader.real();
  } else if constexpr (is_whole<T>) {
    const std::uint64_t number = reader.whole();
    const auto wide = std::is_signed_v<T>
                          ? static_cast<std::int64_t>((number >> 1U) ^ (~(number & 1U) + 1U))
                          : static_cast<std::int64_t>(number);
    value = static_cast<T>(wide);
    if (static_cast<std::int64_t>(value) != wide) {
      reader.fail();
    }
  } else if constexpr (is_text<T>) {
    value = reader.text();
  } else if constexpr (is_list<T>) {
    value.resize(reader.item_count());
    for (auto& item : value) {
      get_value(reader, item);
    }
  } else if constexpr (is_map<T>) {
    for (std::size_t left = reader.item_count(); left > 0 && !reader.failed(); --left) {
      auto key = some_value<typename T::key_type>();
      get_value(reader, key);
      get_value(reader, value[key]);
    }
  } else if constexpr (is_pair<T>) {
    get_value(reader, value.first);
    get_value(reader, value.second);
  } else {
    get_object(reader, value);
  }
}

/// Calls `visit` with the pointer to each member of its own that the list of fields has.
template <class Owner, class Visit, class Entry>
void visit_member(const Visit& visit, const Entry& entry) {
  if constexpr (requires { entry.member; }) {
    visit(entry.member);
  } else if constexpr (requires { entry.presence; }) {
    std::apply([&](const auto&... each) { (visit_member<Owner>(visit, each), ...); }, entry.fields);
  }
}

template <class Owner, class Base, class Visit>
void visit_base(const Visit& visit, const describe::Part<Base>& /*part*/) {
  visit(static_cast<Base*>(nullptr));
}
template <class Owner, class Visit, class Other>
void visit_base(const Visit& /*visit*/, const Other& /*entry*/) {}

template <class Owner, class Visit>
void for_each_member(const Visit& visit) {
  std::apply([&](const auto&... each) { (visit_member<Owner>(visit, each), ...); },
             describe::Description<Owner>::fields);
}

/// FNV-1a.
[[nodiscard]] constexpr std::uint64_t hashed(std::uint64_t hash, std::string_view text) {
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  }
  return hash;
}

/// A number that changes with the members of the type and of all that it holds: bytes can be read
/// by who has the same.
template <class T>
[[nodiscard]] std::uint64_t shape_of() {
  if constexpr (describe::is_optional<T> || is_list<T>) {
    return hashed(shape_of<typename T::value_type>(), "?");
  } else if constexpr (is_map<T>) {
    return hashed(shape_of<typename T::mapped_type>(), "{}");
  } else if constexpr (Enumeration<T>) {
    return hashed(std::size(describe::Enumerators<T>::values), "enumeration");
  } else if constexpr (describe::Described<T> && !std::is_same_v<T, Machine>) {
    std::uint64_t shape = hashed(sizeof(T), describe::Description<T>::name);
    std::apply(
        [&](const auto&... each) {
          (visit_base<T>(
               [&](auto* base) { shape = shape * 31 + shape_of<std::decay_t<decltype(*base)>>(); },
               each),
           ...);
        },
        describe::Description<T>::fields);
    for_each_member<T>([&](auto member) {
      using Member = std::decay_t<decltype(std::declval<T&>().*member)>;
      shape = shape * 31 + shape_of<Member>();
    });
    return shape;
  } else {
    return sizeof(T);
  }
}

template <describe::Described T>
void put_object(CompactWriter& writer, const T& value) {
  std::apply(
      [&](const auto&... each) {
        (visit_base<T>(
             [&](auto* base) { put_object<std::decay_t<decltype(*base)>>(writer, value); }, each),
         ...);
      },
      describe::Description<T>::fields);
  [[maybe_unused]] static const T kUsual{};
  std::uint64_t known = 0;
  unsigned index = 0;
  for_each_member<T>([&](auto member) {
    known |= static_cast<std::uint64_t>(!(value.*member == kUsual.*member)) << index++;
  });
  writer.whole(known);
  index = 0;
  for_each_member<T>([&](auto member) {
    if ((known >> index++ & 1U) != 0) {
      put_value(writer, value.*member);
    }
  });
}

template <describe::Described T>
void get_object(CompactReader& reader, T& value) {
  std::apply(
      [&](const auto&... each) {
        (visit_base<T>(
             [&](auto* base) { get_object<std::decay_t<decltype(*base)>>(reader, value); }, each),
         ...);
      },
      describe::Description<T>::fields);
  const std::uint64_t known = reader.whole();
  unsigned index = 0;
  for_each_member<T>([&](auto member) {
    if ((known >> index++ & 1U) != 0 && !reader.failed()) {
      get_value(reader, value.*member);
    }
  });
  if (index < 64 && known >> index != 0) {
    reader.fail();
  }
}

}  // namespace ridge::serialize
