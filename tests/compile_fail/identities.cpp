// Each case holds one line that must not compile, and the line beside it that must. The file is
// compiled as CASE with and without MUST_FAIL.
#include "predict/roof/ceilings.hpp"

using namespace ridge;
using namespace ridge::predict;

#if CASE == 1  // a key of a bandwidth with the text of an instruction set
#ifdef MUST_FAIL
const BandwidthKey value{"L1", Pattern::gather, "avx521", 1};
#else
const BandwidthKey value{"L1", Pattern::gather, Isa::avx512, 1};
#endif
#elif CASE == 2  // an instruction set that there is none of
#ifdef MUST_FAIL
const ComputeKey value{"fp64", Isa::avx521, Operation::fma, 1};
#else
const ComputeKey value{"fp64", Isa::avx512, Operation::fma, 1};
#endif
#elif CASE == 3  // a ceiling compared with text
#ifdef MUST_FAIL
bool is_wide(const Ceiling& ceiling) {
  return ceiling.isa == "avx512";
}
#else
bool is_wide(const Ceiling& ceiling) {
  return ceiling.isa == Isa::avx512;
}
#endif
#elif CASE == 4  // a key with the text of a pattern
#ifdef MUST_FAIL
const BandwidthKey value{"L1", "gather", Isa::avx512, 1};
#else
const BandwidthKey value{"L1", Pattern::gather, Isa::avx512, 1};
#endif
#elif CASE == 5  // an operation where a pattern belongs
#ifdef MUST_FAIL
const BandwidthKey value{"L1", Operation::fma, Isa::avx512, 1};
#else
const BandwidthKey value{"L1", Pattern::load, Isa::avx512, 1};
#endif
#elif CASE == 6  // a level that there is none of
#ifdef MUST_FAIL
const BandwidthKey value{"L5", Pattern::load, Isa::avx512, 1};
#else
const BandwidthKey value{"L4", Pattern::load, Isa::avx512, 1};
#endif
#elif CASE == 7  // a level by a misspelt text
#ifdef MUST_FAIL
bool is_innermost(const Ceiling& ceiling) {
  return ceiling.level == Level("l1");
}
#else
bool is_innermost(const Ceiling& ceiling) {
  return ceiling.level == Level("L1");
}
#endif
#elif CASE == 8  // a level compared with a text that is only known when the program runs
#ifdef MUST_FAIL
bool is_bound(Level level, const std::string& resource) {
  return level == resource;
}
#else
bool is_bound(Level level, const std::string& resource) {
  return level == parse_level(resource);
}
#endif
#elif CASE == 9  // a level without a name
#ifdef MUST_FAIL
const LatencyKey value{};
#else
const LatencyKey value{.level = Level::DRAM};
#endif
#endif
