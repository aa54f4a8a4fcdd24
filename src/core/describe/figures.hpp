// Every published number of a value, wherever its list of fields has one: a field that is added is
// counted.
#pragma once

#include <tuple>
#include <type_traits>

#include "core/describe/field.hpp"
#include "core/value/specification.hpp"

namespace ridge::describe {

template <class T, class Visit>
void for_each_figure(const T& value, const Visit& visit);

template <class Owner, class Field, class Visit>
void visit_field(const Owner& owner, const Field& field, const Visit& visit) {
  if constexpr (requires { field.member; }) {
    for_each_figure(owner.*field.member, visit);
  } else if constexpr (requires { field.fields; }) {
    std::apply([&](const auto&... each) { (visit_field(owner, each, visit), ...); }, field.fields);
  }
}

template <class Owner, class Base, class Visit>
void visit_field(const Owner& owner, const Part<Base>& /*part*/, const Visit& visit) {
  for_each_figure<Base>(owner, visit);
}

template <class T, class Visit>
void for_each_figure(const T& value, const Visit& visit) {
  if constexpr (std::is_same_v<T, Figure>) {
    visit(value);
  } else if constexpr (Described<T>) {
    std::apply([&](const auto&... each) { (visit_field(value, each, visit), ...); },
               Description<T>::fields);
  } else if constexpr (is_optional<T>) {
    if (value) {
      for_each_figure(*value, visit);
    }
  } else if constexpr (requires { typename T::mapped_type; }) {
    for (const auto& [key, mapped] : value) {
      for_each_figure(mapped, visit);
    }
  } else if constexpr (requires { value.begin(); } && !requires { value.substr(0); }) {
    for (const auto& item : value) {
      for_each_figure(item, visit);
    }
  }
}

}  // namespace ridge::describe
