// Random values of any described type: for property tests of its format.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>

#include "core/describe/field.hpp"
#include "serialize/described/kinds.hpp"
#include "serialize/random_pieces.hpp"

namespace ridge::serialize {

/// Makes what each member is by itself obey the rules of the type: specialised beside them.
template <class T>
struct Mend {
  static void mend(Random& /*random*/, T& /*value*/) {}
};

/// For types that are written by hand: specialised with `static T make(Random&)`.
template <class T>
struct RandomByHand;

template <describe::Described T>
[[nodiscard]] T random_object(Random& random);

[[nodiscard]] inline double random_real(Random& random, const describe::Limits& limits) {
  if (limits.most <= 1.0) {
    return static_cast<double>(random() >> 11U) * 0x1p-53;
  }
  if (limits.least >= 1.0) {
    return limits.least + plain_double(random);
  }
  const double value = any_size(random);
  return limits.least < 0.0 && chance(random, 2) ? -value : value;
}

template <class T>
[[nodiscard]] T random_whole(Random& random, const describe::Limits& limits) {
  constexpr auto kMost = std::numeric_limits<T>::max();
  constexpr auto kLeast = std::numeric_limits<T>::min();
  const T most = limits.most < static_cast<double>(kMost) ? static_cast<T>(limits.most) : kMost;
  const T least =
      limits.least > static_cast<double>(kLeast) ? static_cast<T>(limits.least) : kLeast;
  const auto value = static_cast<T>(count(random));
  return value >= least && value <= most ? value : least;
}

template <class T>
[[nodiscard]] T random_value(Random& random, const describe::FieldOptions& options) {
  if constexpr (WrittenByHand<T>) {
    return RandomByHand<T>::make(random);
  } else if constexpr (Enumeration<T>) {
    for (;;) {
      const T value = one_of(random, describe::Enumerators<T>::values);
      if (options.only.empty() || std::find(options.only.begin(), options.only.end(),
                                            to_string(value)) != options.only.end()) {
        return value;
      }
    }
  } else if constexpr (is_quantity<T>) {
    return T(random_real(random, options.limits));
  } else if constexpr (std::is_same_v<T, double>) {
    return random_real(random, options.limits);
  } else if constexpr (std::is_same_v<T, bool>) {
    return chance(random, 2);
  } else if constexpr (is_whole<T>) {
    return random_whole<T>(random, options.limits);
  } else if constexpr (is_text<T>) {
    if (!options.words.empty()) {
      return std::string(options.words[random() % options.words.size()]);
    }
    if (!options.only.empty()) {
      return std::string(options.only[random() % options.only.size()]);
    }
    if (options.word) {
      return fmt::format("w-{}", random() % 1000);
    }
    return options.non_empty ? non_empty_text(random) : text(random);
  } else if constexpr (is_list<T>) {
    const std::size_t most = std::min(3U, options.most_items);
    const auto make = [&](Random& r) {
      return random_value<typename T::value_type>(r, describe::options_of_items(options));
    };
    T items = list(random, most, make);
    while ((!items.empty() || options.absence == describe::Absence::refused) &&
           items.size() < options.least_items) {
      items.push_back(make(random));
    }
    return items;
  } else if constexpr (is_map<T>) {
    T map;
    for (std::size_t i = random() % 4; i > 0; --i) {
      const auto key = random_value<typename T::key_type>(random, {});
      map.insert_or_assign(
          key, random_value<typename T::mapped_type>(random, describe::options_of_items(options)));
    }
    return map;
  } else {
    return random_object<T>(random);
  }
}

template <class Owner, class Member>
void fill(Random& random, Owner& owner, const describe::Field<Owner, Member>& field) {
  using Value = typename Known<Member>::Type;
  const bool may_lack =
      describe::is_optional<Member> || field.options.absence == describe::Absence::usual;
  if (!may_lack || chance(random, 2)) {
    owner.*field.member = random_value<Value>(random, field.options);
  }
}

template <class Owner, class Member, class Stored, class Form>
void fill(Random& random, Owner& owner,
          const describe::StoredAs<Owner, Member, Stored, Form>& field) {
  if (!describe::is_optional<Stored> || chance(random, 2)) {
    owner.*field.member = field.from_file(random_value<Form>(random, field.options));
  }
}

template <class Owner, class NotStored>
void fill(Random& /*random*/, Owner& /*owner*/, const NotStored& /*field*/) {}

template <class Owner, class Base>
void fill(Random& random, Owner& owner, const describe::Part<Base>& /*part*/) {
  Base& base = owner;
  std::apply([&](const auto&... each) { (fill(random, base, each), ...); },
             describe::Description<Base>::fields);
}

template <class Owner, class Member>
void fill(Random& random, Owner& owner, const describe::Inlined<Owner, Member>& field) {
  owner.*field.member = random_object<Member>(random);
}

template <class Owner, class Member>
void forget(Owner& owner, const describe::Field<Owner, Member>& field) {
  owner.*field.member = Member{};
}

template <class Owner, class Other>
void forget(Owner& /*owner*/, const Other& /*field*/) {}

template <class Owner, class... Fields>
void fill(Random& random, Owner& owner, const describe::Group<Fields...>& group) {
  std::apply([&](const auto&... each) { (fill(random, owner, each), ...); }, group.fields);
  if (group.presence == describe::Presence::all_or_none) {
    std::apply(
        [&](const auto&... each) {
          if (!(is_known(owner, each) && ...)) {
            (forget(owner, each), ...);
          }
        },
        group.fields);
  }
}

/// A member that does not apply is not stored: it comes back as it begins.
template <class Owner, class Member>
void drop_unless_it_applies(Owner& owner, const describe::Field<Owner, Member>& field) {
  if (field.applies != nullptr && !field.applies(owner)) {
    owner.*field.member = Owner{}.*field.member;
  }
}
template <class Owner, class Other>
void drop_unless_it_applies(Owner& /*owner*/, const Other& /*field*/) {}

template <describe::Described T>
T random_object(Random& random) {
  T value{};
  std::apply(
      [&](const auto&... each) {
        (fill(random, value, each), ...);
        (drop_unless_it_applies(value, each), ...);
      },
      describe::Description<T>::fields);
  Mend<T>::mend(random, value);
  return value;
}

}  // namespace ridge::serialize
