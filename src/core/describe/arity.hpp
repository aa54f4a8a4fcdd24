// How many members an aggregate has: a list of its fields is held against that.
#pragma once

#include <cstddef>

namespace ridge::describe {

/// Stands for any initialiser; never evaluated.
struct AnyInitialiser {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): that is its use
};

/// Base classes and non-static data members of the aggregate `T`, none of them a C array.
template <class T, class... Initialisers>
[[nodiscard]] consteval std::size_t arity() {
  if constexpr (requires { T{Initialisers{}..., AnyInitialiser{}}; }) {
    return arity<T, Initialisers..., AnyInitialiser>();
  } else {
    return sizeof...(Initialisers);
  }
}

}  // namespace ridge::describe
