// How many members an aggregate has: a list of its fields is held against that.
#pragma once

#include <cstddef>

namespace ridge::describe {

/// Stands for any initialiser; never evaluated.
struct AnyInitialiser {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): that is its use
};

/// Non-static data members of the aggregate `T`, none of which may be a C array or a base class.
template <class T, class... Initialisers>
[[nodiscard]] consteval std::size_t arity() {
  if constexpr (requires { T{Initialisers{}..., AnyInitialiser{}}; }) {
    return arity<T, Initialisers..., AnyInitialiser>();
  } else {
    return sizeof...(Initialisers);
  }
}

}  // namespace ridge::describe
