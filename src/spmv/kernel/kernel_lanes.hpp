// Eight elements at once, in whatever registers the including file is compiled for. Everything here
// is internal to that file (an unnamed namespace on purpose): the three kernels_*.cpp must not
// share a function.
#pragma once

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "spmv/kernel/kernels.hpp"

namespace ridge::spmv {
namespace {  // NOLINT(*-anon-namespace*,*-build-namespaces)

using Place = std::int64_t;

inline constexpr int kLanes = 8;
#if defined(__AVX512F__) && defined(__AVX512VL__)
inline constexpr bool kHasMasks = true;
#else
inline constexpr bool kHasMasks = false;
#endif
#if defined(__AVX2__)
inline constexpr bool kHasGather = true;
#else
inline constexpr bool kHasGather = false;
#endif

template <class T>
struct LanesOf;
template <>
struct LanesOf<double> {
  using Type = double __attribute__((vector_size(64), may_alias));
};
template <>
struct LanesOf<float> {
  using Type = float __attribute__((vector_size(32), may_alias));
};
template <class T>
using Lanes = typename LanesOf<T>::Type;

/// Eight elements anywhere. A vector type with a smaller alignment would do for g++; clang forgets
/// the alignment of a type that a template names.
template <class T>
struct [[gnu::packed, gnu::may_alias]] AnywhereInMemory {
  Lanes<T> lanes;
};

template <class T>
[[gnu::always_inline]] inline Lanes<T> load(const T* from) {
  return reinterpret_cast<const AnywhereInMemory<T>*>(from)->lanes;
}
template <class T>
[[gnu::always_inline]] inline void store(T* to, Lanes<T> lanes) {
  reinterpret_cast<AnywhereInMemory<T>*>(to)->lanes = lanes;
}
/// Values as the numbers of the vectors.
template <class Vector, class Value>
[[gnu::always_inline]] inline Lanes<Vector> load_as(const Value* from) {
  if constexpr (sizeof(Value) == sizeof(Vector)) {
    return load(from);
  } else {
    return __builtin_convertvector(load(from), Lanes<Vector>);
  }
}

template <class T>
[[gnu::always_inline]] inline T sum(Lanes<T> a) {
  return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

/// Those of the eight elements whose bit is set, 0 for the others, which are not read.
template <class T>
[[gnu::always_inline]] inline Lanes<T> load_some(const T* from, std::uint32_t bits) {
#if defined(__AVX512F__) && defined(__AVX512VL__)
  const auto mask = static_cast<__mmask8>(bits);
  if constexpr (sizeof(T) == 8) {
    return (Lanes<T>)_mm512_maskz_loadu_pd(mask, from);
  } else {
    return (Lanes<T>)_mm256_maskz_loadu_ps(mask, from);
  }
#else
  Lanes<T> lanes{};
  for (int i = 0; i < kLanes; ++i) {
    if ((bits >> i & 1) != 0) {
      lanes[i] = from[i];
    }
  }
  return lanes;
#endif
}

template <class T>
[[gnu::always_inline]] inline Lanes<T> lanes_of(T a, T b, T c, T d, T e, T f, T g, T h) {
  return Lanes<T>{a, b, c, d, e, f, g, h};
}

/// Eight elements of x by eight loads; indices are read two or four at a time.
template <class T>
[[gnu::always_inline]] inline Lanes<T> pick(const T* x, const std::int64_t* at) {
  return lanes_of(x[at[0]], x[at[1]], x[at[2]], x[at[3]], x[at[4]], x[at[5]], x[at[6]], x[at[7]]);
}
template <class T>
[[gnu::always_inline]] inline Lanes<T> pick(const T* x, const std::int32_t* at) {
  std::uint64_t p[4];
  __builtin_memcpy(p, at, sizeof p);
  const auto low = [](std::uint64_t pair) { return static_cast<std::uint32_t>(pair); };
  return lanes_of(x[low(p[0])], x[p[0] >> 32], x[low(p[1])], x[p[1] >> 32], x[low(p[2])],
                  x[p[2] >> 32], x[low(p[3])], x[p[3] >> 32]);
}
template <class T>
[[gnu::always_inline]] inline Lanes<T> pick(const T* x, const std::uint16_t* at) {
  std::uint64_t p[2];
  __builtin_memcpy(p, at, sizeof p);
  const auto part = [](std::uint64_t word, int i) {
    return static_cast<std::uint16_t>(word >> (16 * i));
  };
  return lanes_of(x[part(p[0], 0)], x[part(p[0], 1)], x[part(p[0], 2)], x[part(p[0], 3)],
                  x[part(p[1], 0)], x[part(p[1], 1)], x[part(p[1], 2)], x[part(p[1], 3)]);
}

/// The same by the gather instruction, where there is one.
template <class T, class Index>
[[gnu::always_inline]] inline Lanes<T> gather(const T* x, const Index* at) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 8 && sizeof(Index) == 4) {
    return (Lanes<T>)_mm512_i32gather_pd(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)),
                                         x, 8);
  } else if constexpr (sizeof(T) == 8 && sizeof(Index) == 8) {
    return (Lanes<T>)_mm512_i64gather_pd(_mm512_loadu_si512(at), x, 8);
  } else if constexpr (sizeof(T) == 4 && sizeof(Index) == 4) {
    return (Lanes<T>)_mm256_i32gather_ps(
        x, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)), 4);
  } else if constexpr (sizeof(T) == 4 && sizeof(Index) == 8) {
    return (Lanes<T>)_mm512_i64gather_ps(_mm512_loadu_si512(at), x, 4);
  }
#elif defined(__AVX2__)
  if constexpr (sizeof(T) == 8 && sizeof(Index) == 4) {
    union {
      __m256d half[2];
      Lanes<T> all;
    } both;
    both.half[0] = _mm256_i32gather_pd(x, _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)), 8);
    both.half[1] =
        _mm256_i32gather_pd(x, _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 4)), 8);
    return both.all;
  } else if constexpr (sizeof(T) == 4 && sizeof(Index) == 4) {
    return (Lanes<T>)_mm256_i32gather_ps(
        x, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)), 4);
  }
#endif
  return pick(x, at);
}

template <Gather kind, class T, class Index>
[[gnu::always_inline]] inline Lanes<T> elements(const T* x, const Index* at) {
  if constexpr (kind == Gather::hardware) {
    return gather(x, at);
  } else {
    return pick(x, at);
  }
}

[[gnu::always_inline]] inline void prefetch(const void* place) {
  __builtin_prefetch(place, 0, 3);
}
/// The lines of `count` elements.
template <class T>
[[gnu::always_inline]] inline void prefetch_stream(const T* from, int count) {
  for (int i = 0; i < count; i += static_cast<int>(64 / sizeof(T))) {
    prefetch(from + i);
  }
}

/// y = alpha sums + beta y.
template <class T>
[[gnu::always_inline]] inline void finish(const Operands<T>& operands, T* y, Lanes<T> sums) {
  sums *= operands.alpha;
  if (operands.beta != 0) {
    sums += operands.beta * load(y);
  }
  store(y, sums);
}
/// Past the caches, to a place whose address is a multiple of the vector's size.
template <class T>
[[gnu::always_inline]] inline void store_past_caches(T* to, Lanes<T> lanes) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 8) {
    return _mm512_stream_pd(to, (__m512d)lanes);
  }
#endif
#if defined(__AVX2__)
  for (int half = 0; half < static_cast<int>(sizeof lanes) / 32; ++half) {
    __m256i part;
    __builtin_memcpy(&part, reinterpret_cast<const char*>(&lanes) + half * 32, sizeof part);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to) + half, part);
  }
#else
  store(to, lanes);
#endif
}
/// What store_past_caches() wrote is seen by all threads after this.
[[gnu::always_inline]] inline void end_of_streams() {
#if defined(__AVX2__)
  _mm_sfence();
#endif
}
/// y = alpha sums of eight rows from y on.
template <class T>
[[gnu::always_inline]] inline void finish_past_caches(const Operands<T>& operands, T* y,
                                                      Lanes<T> sums) {
  store_past_caches(y, Lanes<T>(sums * operands.alpha));
}
template <class T>
[[gnu::always_inline]] inline void finish_one(const Operands<T>& operands, T* y, T result) {
  result *= operands.alpha;
  *y = operands.beta != 0 ? result + operands.beta * *y : result;
}

}  // namespace
}  // namespace ridge::spmv
