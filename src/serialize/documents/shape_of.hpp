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
Shape shape_of_object(Format& format);

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

/// Of every quantity: the unit tells them apart.
void add_estimate(Format& format);

template <class T>
[[nodiscard]] Shape shape_of(Format& format, const describe::FieldOptions& options) {
  const bool never_empty = options.absence == describe::Absence::empty;
  if constexpr (WrittenByHand<T>) {
    if (ByHand<T>::schema == kEstimateSchema) {
      add_estimate(format);
    }
    Shape shape{.kind = Shape::Kind::elsewhere,
                .name = std::string(ByHand<T>::name),
                .schema = std::string(ByHand<T>::schema)};
    if constexpr (requires { ByHand<T>::unit; }) {
      shape.unit = ByHand<T>::unit;
    }
    return shape;
  } else if constexpr (Enumeration<T>) {
    Shape shape{.kind = Shape::Kind::choice};
    for (const T value : describe::Enumerators<T>::values) {
      shape.choices.emplace_back(to_string(value));
    }
    return shape;
  } else if constexpr (is_quantity<T> || std::is_same_v<T, double>) {
    return {.kind = Shape::Kind::number, .limits = options.limits};
  } else if constexpr (is_whole<T>) {
    return shape_of_whole<T>(options);
  } else if constexpr (std::is_same_v<T, bool>) {
    return {.kind = never_empty ? Shape::Kind::only_true : Shape::Kind::flag};
  } else if constexpr (is_text<T>) {
    if (!options.words.empty()) {
      return {.kind = Shape::Kind::choice, .choices = {options.words.begin(), options.words.end()}};
    }
    return {.kind = Shape::Kind::text, .non_empty = options.non_empty || never_empty};
  } else if constexpr (is_list<T>) {
    return {.kind = Shape::Kind::list,
            .least_items = std::max(options.least_items, never_empty ? 1U : 0U),
            .element = {shape_of<typename T::value_type>(format, {})}};
  } else if constexpr (is_map<T>) {
    return {.kind = Shape::Kind::map,
            .non_empty = never_empty,
            .element = {shape_of<typename T::mapped_type>(format, {.limits = options.limits})}};
  } else {
    return shape_of_object<T>(format);
  }
}

template <class Owner, class Member>
void add_field(Format& format, ObjectShape& object, const describe::Field<Owner, Member>& field) {
  using Value = typename Known<Member>::Type;
  object.fields.push_back(
      {.key = std::string(field.key),
       .unit = std::string(field.unit),
       .meaning = std::string(field.meaning),
       .required = field.options.absence == describe::Absence::refused && field.applies == nullptr,
       .formerly = std::string(field.options.formerly),
       .since = field.options.since,
       .shape = shape_of<Value>(format, field.options)});
}

template <class... Fields>
void add_field(Format& format, ObjectShape& object, const describe::Group<Fields...>& group) {
  std::string name = object.name + std::string(group.key);
  name[object.name.size()] = static_cast<char>(name[object.name.size()] - 'a' + 'A');
  ObjectShape inner{name, std::string(group.meaning), {}};
  std::apply([&](const auto&... each) { (add_field(format, inner, each), ...); }, group.fields);
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
                           .is_derived = true,
                           .shape = shape_of<Value>(format, options)});
}

template <class Result>
void add_field(Format& format, ObjectShape& object, const describe::Beside<Result>& field) {
  using Value = typename Known<Result>::Type;
  object.fields.push_back({.key = std::string(field.key),
                           .unit = std::string(field.unit),
                           .meaning = std::string(field.meaning),
                           .required = !describe::is_optional<Result>,
                           .is_derived = true,
                           .shape = shape_of<Value>(format, {.limits = field.limits})});
}

template <class Base>
void add_field(Format& format, ObjectShape& object, const describe::Part<Base>& /*part*/) {
  std::apply([&](const auto&... each) { (add_field(format, object, each), ...); },
             describe::Description<Base>::fields);
}

/// Adds the type and those of its members, each once; the type stands before what it names.
template <describe::Described T>
Shape shape_of_object(Format& format) {
  const std::string name(describe::Description<T>::name);
  const auto is_it = [&](const ObjectShape& object) { return object.name == name; };
  if (std::none_of(format.objects.begin(), format.objects.end(), is_it)) {
    format.objects.push_back({name, {}, {}});
    ObjectShape object{name, std::string(describe::Description<T>::meaning), {}};
    std::apply([&](const auto&... each) { (add_field(format, object, each), ...); },
               describe::Description<T>::fields);
    *std::find_if(format.objects.begin(), format.objects.end(), is_it) = std::move(object);
  }
  return {.kind = Shape::Kind::object, .name = name};
}

}  // namespace ridge::serialize
