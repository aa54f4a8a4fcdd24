// Makes the shape of a described type.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>

#include <fmt/core.h>

#include "core/describe/field.hpp"
#include "serialize/described/by_hand.hpp"
#include "serialize/documents/shape.hpp"

namespace ridge::serialize {

template <describe::Described T>
Shape shape_of_object(Format& format, std::string_view unit = {});

template <class T>
[[nodiscard]] Shape shape_of_whole(const describe::FieldOptions& options) {
  const describe::Limits& limits = options.limits;
  constexpr auto kMost = std::numeric_limits<T>::max();
  constexpr auto kLeast = std::numeric_limits<T>::min();
  Shape shape{.kind = Shape::Kind::whole, .multiple_of = options.multiple_of};
  shape.least = limits.least > static_cast<double>(kLeast)
                    ? fmt::format("{}", static_cast<T>(limits.least))
                    : fmt::format("{}", kLeast);
  shape.most = limits.most < static_cast<double>(kMost)
                   ? fmt::format("{}", static_cast<T>(limits.most))
                   : fmt::format("{}", kMost);
  shape.beyond_doubles = sizeof(T) == 8 && shape.most.size() > 15;
  return shape;
}

inline constexpr const char* kWordPattern = "^[A-Za-z0-9-]{1,64}$";

/// Of every quantity: the unit tells them apart.
void add_estimate(Format& format);

/// `unit`: that of the field.
template <class T>
[[nodiscard]] Shape shape_of(Format& format, const describe::FieldOptions& options,
                             std::string_view unit = {}) {
  const bool never_empty = options.absence == describe::Absence::empty && !format.by_people;
  if constexpr (WrittenByHand<T>) {
    if (ByHand<T>::schema == kEstimateSchema) {
      add_estimate(format);
    }
    Shape shape{.kind = Shape::Kind::elsewhere,
                .name = std::string(ByHand<T>::name),
                .schema = std::string(ByHand<T>::schema)};
    if constexpr (WrittenInUnit<T>) {
      shape.unit = unit;
    }
    return shape;
  } else if constexpr (Enumeration<T>) {
    Shape shape{.kind = Shape::Kind::choice};
    shape.choices.assign(options.only.begin(), options.only.end());
    for (const T value : describe::Enumerators<T>::values) {
      if (options.only.empty()) {
        shape.choices.emplace_back(to_string(value));
      }
    }
    return shape;
  } else if constexpr (is_quantity<T> || std::is_same_v<T, double>) {
    return {.kind = Shape::Kind::number, .limits = options.limits};
  } else if constexpr (std::is_same_v<T, describe::ExactOrReal>) {
    return {.kind = Shape::Kind::number, .limits = options.limits, .beyond_doubles = true};
  } else if constexpr (is_whole<T>) {
    return shape_of_whole<T>(options);
  } else if constexpr (std::is_same_v<T, bool>) {
    return {.kind = never_empty ? Shape::Kind::only_true : Shape::Kind::flag};
  } else if constexpr (is_text<T>) {
    if (!options.words.empty()) {
      return {.kind = Shape::Kind::choice, .choices = {options.words.begin(), options.words.end()}};
    }
    if (!options.only.empty()) {
      return {.kind = Shape::Kind::choice, .choices = {options.only.begin(), options.only.end()}};
    }
    return {.kind = Shape::Kind::text,
            .non_empty = options.non_empty || never_empty,
            .pattern = options.word ? kWordPattern : ""};
  } else if constexpr (is_named_list<T>) {
    using Item = typename T::value_type::second_type;
    return {.kind = Shape::Kind::map,
            .non_empty = never_empty,
            .element = {shape_of<Item>(format, describe::options_of_items(options))}};
  } else if constexpr (is_list<T>) {
    return {.kind = Shape::Kind::list,
            .least_items = std::max(options.least_items, never_empty ? 1U : 0U),
            .most_items = options.most_items,
            .element = {shape_of<typename T::value_type>(
                format, describe::options_of_items(options), unit)}};
  } else if constexpr (is_map<T>) {
    return {.kind = Shape::Kind::map,
            .non_empty = never_empty,
            .choices = shape_of<typename T::key_type>(format, {}).choices,
            .element = {
                shape_of<typename T::mapped_type>(format, describe::options_of_items(options))}};
  } else {
    return shape_of_object<T>(format, unit);
  }
}

/// Whether the key stands in every file: what Ridge alone writes has no past.
[[nodiscard]] inline bool is_required(const Format& format, describe::Absence absence) {
  return absence == describe::Absence::refused ||
         (absence == describe::Absence::not_in_past && !format.is_read);
}

template <class Owner, class Member>
void add_field(Format& format, ObjectShape& object, const describe::Field<Owner, Member>& field) {
  using Value = typename Known<Member>::Type;
  Shape shape = shape_of<Value>(format, field.options, field.unit);
  if constexpr (std::is_same_v<Member, bool>) {
    if (field.options.absence == describe::Absence::usual && !format.by_people) {
      shape.kind = Owner{}.*field.member ? Shape::Kind::only_false : Shape::Kind::only_true;
    }
  }
  object.fields.push_back(
      {.key = std::string(field.key),
       .unit = std::string(field.unit),
       .meaning = std::string(field.meaning),
       .required = is_required(format, field.options.absence) && field.applies == nullptr,
       .formerly = std::string(field.options.formerly),
       .since = field.options.since,
       .shape = std::move(shape)});
}

template <class Owner, class Member, class Stored, class Form>
void add_field(Format& format, ObjectShape& object,
               const describe::StoredAs<Owner, Member, Stored, Form>& field) {
  object.fields.push_back({.key = std::string(field.key),
                           .unit = std::string(field.unit),
                           .meaning = std::string(field.meaning),
                           .required = is_required(format, field.options.absence),
                           .shape = shape_of<Form>(format, field.options, field.unit)});
}

/// In an object of its own: each field that holds it says which unit.
inline void add_field(Format& /*format*/, ObjectShape& object, const describe::StatedUnit& field) {
  object.fields.push_back({.key = std::string(field.key),
                           .meaning = "that of the field",
                           .shape = {.kind = Shape::Kind::text, .non_empty = true}});
}

template <class Owner, class Member>
void add_field(Format& format, ObjectShape& object,
               const describe::Inlined<Owner, Member>& inlined) {
  const auto add = [&](const auto& field) {
    if constexpr (std::is_same_v<decltype(field), const describe::StatedUnit&>) {
      Shape shape{.kind = Shape::Kind::choice, .choices = {std::string(inlined.unit)}};
      if (!inlined.units.empty()) {
        shape.choices.assign(inlined.units.begin(), inlined.units.end());
      }
      object.fields.push_back({.key = std::string(field.key), .shape = std::move(shape)});
    } else {
      add_field(format, object, field);
    }
  };
  std::apply([&](const auto&... each) { (add(each), ...); }, describe::Description<Member>::fields);
}

template <class... Fields>
void add_field(Format& format, ObjectShape& object, const describe::Group<Fields...>& group) {
  std::string name = object.name + std::string(group.key);
  name[object.name.size()] = static_cast<char>(name[object.name.size()] - 'a' + 'A');
  ObjectShape inner{name, std::string(group.meaning), {}};
  std::apply([&](const auto&... each) { (add_field(format, inner, each), ...); }, group.fields);
  for (FieldShape& field : inner.fields) {
    field.required |= group.presence == describe::Presence::all_or_none;
  }
  format.objects.push_back(inner);
  object.fields.push_back({.key = std::string(group.key),
                           .meaning = std::string(group.meaning),
                           .required = !describe::may_be_absent(group),
                           .shape = {.kind = Shape::Kind::object, .name = name}});
}

template <class Owner, class Member>
void add_field(Format& /*format*/, ObjectShape& /*object*/,
               const describe::Implied<Owner, Member>& /*field*/) {}

template <class Owner, class Result>
void add_field(Format& format, ObjectShape& object, const describe::Derived<Owner, Result>& field) {
  using Value = typename Known<Result>::Type;
  const describe::FieldOptions options{
      .limits = field.limits,
      .absence = field.left_out_when_empty ? describe::Absence::empty : describe::Absence::refused};
  object.fields.push_back({.key = std::string(field.key),
                           .unit = std::string(field.unit),
                           .meaning = std::string(field.meaning),
                           .required = !describe::is_optional<Result> && !field.left_out_when_empty,
                           .is_derived = format.is_read,
                           .shape = shape_of<Value>(format, options, field.unit)});
}

template <class Result>
void add_field(Format& format, ObjectShape& object, const describe::Beside<Result>& field) {
  using Value = typename Known<Result>::Type;
  object.fields.push_back({.key = std::string(field.key),
                           .unit = std::string(field.unit),
                           .meaning = std::string(field.meaning),
                           .required = !describe::is_optional<Result>,
                           .is_derived = format.is_read,
                           .shape = shape_of<Value>(format, {.limits = field.limits}, field.unit)});
}

template <class Base>
void add_field(Format& format, ObjectShape& object, const describe::Part<Base>& /*part*/) {
  std::apply([&](const auto&... each) { (add_field(format, object, each), ...); },
             describe::Description<Base>::fields);
}

/// Adds the type and those of its members, each once; the type stands before what it names.
template <describe::Described T>
Shape shape_of_object(Format& format, std::string_view unit) {
  const std::string name(describe::Description<T>::name);
  const auto is_it = [&](const ObjectShape& object) { return object.name == name; };
  if (std::none_of(format.objects.begin(), format.objects.end(), is_it)) {
    format.objects.push_back({name, {}, {}});
    ObjectShape object{name, std::string(describe::Description<T>::meaning), {}};
    std::apply([&](const auto&... each) { (add_field(format, object, each), ...); },
               describe::Description<T>::fields);
    *std::find_if(format.objects.begin(), format.objects.end(), is_it) = std::move(object);
  }
  return {.kind = Shape::Kind::object,
          .name = name,
          .unit = std::string(describe::states_unit<T>() ? unit : std::string_view())};
}

}  // namespace ridge::serialize
