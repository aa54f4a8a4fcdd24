/* What the simulation does with a whole set at once, in the widest vectors that the file which
 * includes this is compiled for. Internal to cachesim.
 *
 * A set is an array of words (cache.h), 0 where a way is empty and beyond the ways up to a multiple
 * of 8; it begins at a multiple of 64 bytes. `words`: of the set, at most 32. Results have one bit
 * per word. */
#ifndef RIDGE_CACHESIM_SET_VECTORS_H
#define RIDGE_CACHESIM_SET_VECTORS_H

#include <stdint.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* The lowest bits of a word say which line it is. */
enum { CACHESIM_TAG_BITS = 43, CACHESIM_REST = 64 - CACHESIM_TAG_BITS };

static inline uint64_t cachesim_lesser(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}
static inline uint64_t cachesim_least_of_8(const uint64_t* values) {
  const uint64_t a =
      cachesim_lesser(cachesim_lesser(values[0], values[1]), cachesim_lesser(values[2], values[3]));
  const uint64_t b =
      cachesim_lesser(cachesim_lesser(values[4], values[5]), cachesim_lesser(values[6], values[7]));
  return cachesim_lesser(a, b);
}

/* As a lane of a vector: bits, whatever the sign that the intrinsics give them. */
static inline long long cachesim_lane(uint64_t bits) {
  return (long long)bits;
}

#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__)

/* The bits of a mask in a general register. In assembler, because GCC 12 may keep the widened mask
 * in memory: it stores one byte there and reads back four. */
static inline uint32_t cachesim_bits(__mmask8 mask) {
  uint32_t bits;
  __asm__("kmovb %1, %0" : "=r"(bits) : "k"(mask));
  return bits;
}
static inline uint32_t cachesim_match8(const uint64_t* set, uint64_t tag) {
  return cachesim_bits(
      _mm512_cmpeq_epi64_mask(_mm512_slli_epi64(_mm512_load_si512(set), CACHESIM_REST),
                              _mm512_set1_epi64(cachesim_lane(tag << CACHESIM_REST))));
}
static inline uint32_t cachesim_filled8(const uint64_t* set) {
  const __m512i words = _mm512_load_si512(set);
  return cachesim_bits(_mm512_test_epi64_mask(words, words));
}
/* Of the 8 words or users at `into`, those where `moved` has bits become what lies one before. */
static inline void cachesim_shift8(uint64_t* into, uint64_t before, uint32_t moved) {
  const __m512i words = _mm512_load_si512(into);
  const __m512i first = _mm512_set1_epi64(cachesim_lane(before));
  _mm512_store_si512(into, __builtin_constant_p(moved) && moved == 255
                               ? _mm512_alignr_epi64(words, first, 7)
                               : _mm512_mask_alignr_epi64(words, (__mmask8)moved, words, first, 7));
}
static inline void cachesim_shift_users8(uint32_t* into, uint32_t before, uint32_t moved) {
  const __m256i users = _mm256_load_si256((const __m256i*)into);
  const __m256i first = _mm256_set1_epi32((int)before);
  _mm256_store_si256((__m256i*)into,
                     __builtin_constant_p(moved) && moved == 255
                         ? _mm256_alignr_epi32(users, first, 7)
                         : _mm256_mask_alignr_epi32(users, (__mmask8)moved, users, first, 7));
}
static inline uint64_t cachesim_least8(const uint64_t* values) {
  const __m512i all = _mm512_load_si512(values);
  const __m256i four =
      _mm256_min_epu64(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64(all, 1));
  const __m128i two =
      _mm_min_epu64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
  return (uint64_t)_mm_cvtsi128_si64(_mm_min_epu64(two, _mm_unpackhi_epi64(two, two)));
}

#elif defined(__AVX2__)

static inline uint32_t cachesim_match4(const uint64_t* set, __m256i tag) {
  const __m256i words = _mm256_slli_epi64(_mm256_load_si256((const __m256i*)set), CACHESIM_REST);
  return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(words, tag)));
}
static inline uint32_t cachesim_match8(const uint64_t* set, uint64_t tag) {
  const __m256i wanted = _mm256_set1_epi64x(cachesim_lane(tag << CACHESIM_REST));
  return cachesim_match4(set, wanted) | cachesim_match4(set + 4, wanted) << 4;
}
static inline uint32_t cachesim_filled4(const uint64_t* set) {
  const __m256i words = _mm256_load_si256((const __m256i*)set);
  return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_slli_epi64(words, CACHESIM_REST)));
}
static inline uint32_t cachesim_filled8(const uint64_t* set) {
  return cachesim_filled4(set) | cachesim_filled4(set + 4) << 4;
}
/* One of the lanes for each bit that is set. */
static inline __m256i cachesim_lanes4(uint32_t moved, long long first) {
  const __m256i bits = _mm256_setr_epi64x(first, 2 * first, 4 * first, 8 * first);
  return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(cachesim_lane(moved)), bits), bits);
}
static inline void cachesim_shift8(uint64_t* into, uint64_t before, uint32_t moved) {
  __m256i* place = (__m256i*)into;
  const __m256i low = _mm256_load_si256(place);
  const __m256i high = _mm256_load_si256(place + 1);
  const __m256i first = _mm256_set1_epi64x(cachesim_lane(before));
  __m256i next_low = _mm256_blend_epi32(_mm256_permute4x64_epi64(low, 0x90), first, 3);
  __m256i next_high = _mm256_loadu_si256((const __m256i*)(into + 3));
  if (!__builtin_constant_p(moved) || moved != 255) {
    next_low = _mm256_blendv_epi8(low, next_low, cachesim_lanes4(moved, 1));
    next_high = _mm256_blendv_epi8(high, next_high, cachesim_lanes4(moved, 16));
  }
  _mm256_store_si256(place, next_low);
  _mm256_store_si256(place + 1, next_high);
}
static inline void cachesim_shift_users8(uint32_t* into, uint32_t before, uint32_t moved) {
  const __m256i users = _mm256_load_si256((const __m256i*)into);
  const __m256i order = _mm256_setr_epi32(0, 0, 1, 2, 3, 4, 5, 6);
  __m256i next = _mm256_blend_epi32(_mm256_permutevar8x32_epi32(users, order),
                                    _mm256_set1_epi32((int)before), 1);
  if (!__builtin_constant_p(moved) || moved != 255) {
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i lanes =
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)moved), bits), bits);
    next = _mm256_blendv_epi8(users, next, lanes);
  }
  _mm256_store_si256((__m256i*)into, next);
}
static inline uint64_t cachesim_least8(const uint64_t* values) {
  return cachesim_least_of_8(values);
}

#else

static inline uint32_t cachesim_match8(const uint64_t* set, uint64_t tag) {
  uint32_t found = 0;
#ifdef __SSE2__
  const __m128i wanted = _mm_set1_epi64x(cachesim_lane(tag << CACHESIM_REST));
  for (int i = 0; i < 8; i += 4) {
    const __m128i* words = (const __m128i*)(set + i);
    const __m128 a = _mm_castsi128_ps(
        _mm_cmpeq_epi32(_mm_slli_epi64(_mm_load_si128(words), CACHESIM_REST), wanted));
    const __m128 b = _mm_castsi128_ps(
        _mm_cmpeq_epi32(_mm_slli_epi64(_mm_load_si128(words + 1), CACHESIM_REST), wanted));
    /* Both halves of each. */
    const __m128 both = _mm_and_ps(_mm_shuffle_ps(a, b, 0x88), _mm_shuffle_ps(a, b, 0xdd));
    found |= (uint32_t)_mm_movemask_ps(both) << i;
  }
#else
  for (uint32_t i = 0; i < 8; ++i) {
    found |= (uint32_t)(set[i] << CACHESIM_REST == tag << CACHESIM_REST) << i;
  }
#endif
  return found;
}
static inline uint32_t cachesim_filled8(const uint64_t* set) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < 8; ++i) {
    found |= (uint32_t)(set[i] != 0) << i;
  }
  return found;
}
static inline void cachesim_shift8(uint64_t* into, uint64_t before, uint32_t moved) {
  for (uint32_t i = 0; i < 8 && (moved >> i & 1) != 0; ++i) {
    const uint64_t here = into[i];
    into[i] = before;
    before = here;
  }
}
static inline void cachesim_shift_users8(uint32_t* into, uint32_t before, uint32_t moved) {
  for (uint32_t i = 0; i < 8 && (moved >> i & 1) != 0; ++i) {
    const uint32_t here = into[i];
    into[i] = before;
    before = here;
  }
}
static inline uint64_t cachesim_least8(const uint64_t* values) {
  return cachesim_least_of_8(values);
}

#endif

/* Those of this line. */
static inline __attribute__((always_inline)) uint32_t cachesim_match(const uint64_t* set,
                                                                     uint32_t words, uint64_t tag) {
  uint32_t found = cachesim_match8(set, tag);
  for (uint32_t first = 8; first < words; first += 8) {
    found |= cachesim_match8(set + first, tag) << first;
  }
  return found;
}

static inline __attribute__((always_inline)) uint32_t cachesim_filled(const uint64_t* set,
                                                                      uint32_t words) {
  uint32_t found = cachesim_filled8(set);
  for (uint32_t first = 8; first < words; first += 8) {
    found |= cachesim_filled8(set + first) << first;
  }
  return found;
}

/* The words where `moved` has bits, which are the first ones, move on by one; `word` becomes the
 * first. */
static inline __attribute__((always_inline)) void cachesim_push(uint64_t* set, uint32_t words,
                                                                uint64_t word, uint32_t moved) {
  for (uint32_t first = words - 8; first != 0; first -= 8) {
    cachesim_shift8(set + first, set[first - 1], moved >> first & 255);
  }
  cachesim_shift8(set, word, moved & 255);
}

static inline __attribute__((always_inline)) void cachesim_push_user(uint32_t* users,
                                                                     uint32_t words, uint32_t user,
                                                                     uint32_t moved) {
  for (uint32_t first = words - 8; first != 0; first -= 8) {
    cachesim_shift_users8(users + first, users[first - 1], moved >> first & 255);
  }
  cachesim_shift_users8(users, user, moved & 255);
}

static inline __attribute__((always_inline)) uint64_t cachesim_least(const uint64_t* values,
                                                                     uint32_t words) {
  uint64_t least = cachesim_least8(values);
  for (uint32_t first = 8; first < words; first += 8) {
    const uint64_t other = cachesim_least8(values + first);
    least = other < least ? other : least;
  }
  return least;
}

#endif
