#include "serialize/microarchitecture.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serialize/random_values.hpp"
#include "serialize/sentences_for_tests.hpp"
#include "serialize/test_files.hpp"

namespace ridge::serialize {
namespace {

using testing::UnorderedElementsAre;

const Microarchitecture* find(std::string_view vendor, unsigned family, unsigned model) {
  return find_microarchitecture(known_microarchitectures(),
                                CpuIdentity{std::string(vendor), "", family, model, 0});
}

/// Those that Ridge measures on: the others serve published machines alone, and have what a text
/// states.
std::vector<Microarchitecture> matched() {
  std::vector<Microarchitecture> entries = known_microarchitectures();
  std::erase_if(entries, [](const Microarchitecture& entry) { return entry.matches.empty(); });
  return entries;
}

const Microarchitecture& called(std::string_view name) {
  const auto& known = known_microarchitectures();
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const Microarchitecture& each) { return each.name == name; });
  EXPECT_NE(found, known.end()) << name;
  return *found;
}

const Microarchitecture::IsaLimits* limits(const Microarchitecture& entry, Isa isa) {
  for (const auto& candidate : entry.isas) {
    if (candidate.isa == isa) {
      return &candidate;
    }
  }
  return nullptr;
}

double bytes_of(const Microarchitecture::IsaLimits& isa) {
  return 8.0 * lanes_of(isa, 64).value();
}

TEST(Microarchitectures, TheTableIsTheFileOfTheRepository) {
  const auto parsed =
      parse_microarchitectures(read_fixture("../../machines/microarchitectures.json"), "m.json");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_EQ(parsed->size(), known_microarchitectures().size());
  EXPECT_EQ(parsed->size(), 15U);
  EXPECT_EQ(matched().size(), 9U);
}

TEST(Microarchitectures, CpusAreFoundByFamilyAndModel) {
  struct Known {
    const char* vendor;
    unsigned family;
    unsigned model;
    const char* name;
  };
  for (const Known& cpu :
       std::vector<Known>{{"AuthenticAMD", 0x17, 0x31, "Zen 2"},                      // EPYC 7002
                          {"AuthenticAMD", 0x19, 0x01, "Zen 3"},                      // EPYC 7003
                          {"AuthenticAMD", 0x19, 0x21, "Zen 3"},                      // Ryzen 5000
                          {"AuthenticAMD", 25, 17, "Zen 4"},                          // EPYC 9004
                          {"AuthenticAMD", 0x19, 0x61, "Zen 4"},                      // Ryzen 7000
                          {"AuthenticAMD", 0x19, 0xA0, "Zen 4"},                      // EPYC 97x4
                          {"AuthenticAMD", 0x1A, 0x02, "Zen 5 (512-bit data path)"},  // EPYC 9005
                          {"AuthenticAMD", 0x1A, 0x44, "Zen 5 (512-bit data path)"},  // Ryzen 9000
                          {"GenuineIntel", 6, 0x3F, "Haswell"},
                          {"GenuineIntel", 6, 0x4F, "Broadwell"},
                          {"GenuineIntel", 6, 85, "Skylake-X / Cascade Lake"},
                          {"GenuineIntel", 6, 106, "Ice Lake server"},
                          {"GenuineIntel", 6, 143, "Sapphire Rapids / Emerald Rapids"},
                          {"GenuineIntel", 6, 207, "Sapphire Rapids / Emerald Rapids"}}) {
    const auto* entry = find(cpu.vendor, cpu.family, cpu.model);
    ASSERT_NE(entry, nullptr) << cpu.name;
    EXPECT_EQ(entry->name, cpu.name);
  }
  EXPECT_EQ(find("AuthenticAMD", 0x17, 0x01), nullptr);  // Zen 1: not in the table
  EXPECT_EQ(find("AuthenticAMD", 0x1A, 0x24), nullptr);  // Zen 5 with the narrow data path
  EXPECT_EQ(find("GenuineIntel", 25, 17), nullptr);
}

TEST(Microarchitectures, EveryListedModelIsFoundAndNoOther) {
  using Cpu = std::tuple<std::string, unsigned, unsigned>;
  std::map<Cpu, std::string> listed;
  std::set<std::pair<std::string, unsigned>> families;
  for (const auto& entry : known_microarchitectures()) {
    for (const auto& match : entry.matches) {
      families.insert({match.vendor, match.family});
      for (const unsigned model : match.models) {
        const bool is_new =
            listed.emplace(Cpu{match.vendor, match.family, model}, entry.name).second;
        EXPECT_TRUE(is_new) << entry.name << " repeats model " << model;
      }
    }
  }
  for (const auto& [vendor, family] : families) {
    for (unsigned model = 0; model < 256; ++model) {
      SCOPED_TRACE(vendor + " " + std::to_string(family) + "/" + std::to_string(model));
      const auto expected = listed.find({vendor, family, model});
      const auto* found = find(vendor, family, model);
      ASSERT_EQ(found != nullptr, expected != listed.end());
      if (found != nullptr) {
        EXPECT_EQ(found->name, expected->second);
      }
    }
  }
}

TEST(Microarchitectures, EveryEntryIsCompleteAndPlausible) {
  for (const auto& entry : matched()) {
    SCOPED_TRACE(entry.name);
    std::set<Operation> operations;
    for (const auto& group : entry.pipe_groups) {
      operations.insert(group.begin(), group.end());
    }
    EXPECT_THAT(operations, UnorderedElementsAre(Operation::add, Operation::mul, Operation::fma,
                                                 Operation::div, Operation::sqrt));
    EXPECT_GE(entry.sources.size(), 3U);
    EXPECT_EQ(entry.policies.size(), 3U);
    std::set<Isa> isas;
    for (const auto& isa : entry.isas) {
      SCOPED_TRACE(to_string(isa.isa));
      EXPECT_TRUE(isas.insert(isa.isa).second);
      const double width = bytes_of(isa);
      EXPECT_GE(isa.load_bytes_per_cycle.value(), width);
      EXPECT_LE(isa.load_bytes_per_cycle.value(), 3 * width);
      EXPECT_GE(isa.store_bytes_per_cycle.value(), width / 2);
      EXPECT_LE(isa.store_bytes_per_cycle.value(), isa.load_bytes_per_cycle.value());
      if (isa.copy_bytes_per_cycle) {  // as many bytes stored as loaded
        EXPECT_LE(*isa.copy_bytes_per_cycle, 2 * *isa.store_bytes_per_cycle);
        EXPECT_LE(*isa.copy_bytes_per_cycle, 2 * *isa.load_bytes_per_cycle);
      }
      EXPECT_GE(isa.fma_units.value(), 1.0);
      EXPECT_LE(isa.fma_units.value(), 2.0);
      if (isa.fma_add_units) {
        EXPECT_LE(*isa.fma_add_units, *isa.fma_units + *isa.add_units);
        EXPECT_GE(*isa.fma_add_units, *isa.fma_units);
      }
    }
    EXPECT_THAT(isas, testing::IsSupersetOf({Isa::scalar, Isa::sse, Isa::avx2}));
  }
}

TEST(Microarchitectures, Only512BitCoresHave512BitLimits) {
  std::set<std::string> wide;
  std::set<std::string> narrow;
  for (const auto& entry : matched()) {
    (limits(entry, Isa::avx512) == nullptr ? narrow : wide).insert(entry.name);
  }
  EXPECT_THAT(narrow, UnorderedElementsAre("Zen 2", "Zen 3", "Haswell", "Broadwell"));
  EXPECT_THAT(wide,
              UnorderedElementsAre("Zen 4", "Zen 5 (512-bit data path)", "Skylake-X / Cascade Lake",
                                   "Ice Lake server", "Sapphire Rapids / Emerald Rapids"));
}

TEST(Microarchitectures, WiderInstructionsDoNoLessPerCycle) {
  for (const auto& entry : matched()) {
    for (std::size_t i = 1; i < entry.isas.size(); ++i) {
      const auto& narrow = entry.isas[i - 1];
      const auto& wide = entry.isas[i];
      SCOPED_TRACE(
          fmt::format("{}: {}, {}", entry.name, to_string(narrow.isa), to_string(wide.isa)));
      const double ratio = bytes_of(wide) / bytes_of(narrow);
      ASSERT_EQ(ratio, 2.0);  // the table lists them in this order
      EXPECT_GE(wide.fma_units.value() * ratio, narrow.fma_units.value());
      EXPECT_GE(wide.add_units.value() * ratio, narrow.add_units.value());
      EXPECT_GE(wide.mul_units.value() * ratio, narrow.mul_units.value());
      EXPECT_GE(wide.load_bytes_per_cycle.value(), narrow.load_bytes_per_cycle.value());
      EXPECT_GE(wide.store_bytes_per_cycle.value(), narrow.store_bytes_per_cycle.value());
      // A packed operation of twice the width takes no fewer cycles and at most twice as many (for
      // fp32 the scalar one has a quarter of the 128-bit one's lanes).
      for (const auto of : {&Microarchitecture::IsaLimits::div_cycles,
                            &Microarchitecture::IsaLimits::sqrt_cycles}) {
        EXPECT_GE((wide.*of).fp64.value(), (narrow.*of).fp64.value());
        EXPECT_LE((wide.*of).fp64.value(), ratio * (narrow.*of).fp64.value());
        EXPECT_GE((wide.*of).fp32.value(), (narrow.*of).fp32.value());
        EXPECT_LE((wide.*of).fp32.value(), ratio * (narrow.*of).fp32.value());
      }
    }
  }
}

TEST(Microarchitectures, DividersAndLatenciesArePlausible) {
  for (const auto& entry : matched()) {
    for (const auto& isa : entry.isas) {
      SCOPED_TRACE(fmt::format("{}: {}", entry.name, to_string(isa.isa)));
      EXPECT_LE(isa.div_cycles.fp32.value(), isa.div_cycles.fp64.value());
      EXPECT_LE(isa.sqrt_cycles.fp32.value(), isa.sqrt_cycles.fp64.value());
      EXPECT_GE(isa.sqrt_cycles.fp64.value(), isa.div_cycles.fp64.value());
      EXPECT_GE(isa.div_cycles.fp32.value(), 1.0);
      EXPECT_LE(isa.sqrt_cycles.fp64.value(), 32.0);
      EXPECT_LE(isa.latency_cycles.add.value(), isa.latency_cycles.fma.value());
      EXPECT_LE(isa.latency_cycles.mul.value(), isa.latency_cycles.fma.value());
      EXPECT_GE(isa.latency_cycles.add.value(), 2.0);
      EXPECT_LE(isa.latency_cycles.fma.value(), 5.0);
    }
  }
}

TEST(Microarchitectures, CoresOfPublishedMachinesHaveWhatATextStates) {
  for (const auto& entry : known_microarchitectures()) {
    SCOPED_TRACE(entry.name);
    EXPECT_GE(entry.sources.size(), 3U);
    double last = 0.0;
    for (const auto& isa : entry.isas) {
      SCOPED_TRACE(to_string(isa.isa));
      const double lanes = lanes_of(isa, 64).value();
      EXPECT_GE(isa.fma_units.value() * lanes, last) << "from narrow to wide";
      last = *isa.fma_units * lanes;
      EXPECT_EQ(isa.add_units.has_value(), isa.mul_units.has_value());
      if (isa.load_bytes_per_cycle) {
        EXPECT_LE(*isa.load_bytes_per_cycle, 3 * 8 * lanes);
        EXPECT_LE(isa.store_bytes_per_cycle.value_or(0), *isa.load_bytes_per_cycle);
      }
    }
  }
}

/// 2 x fma per cycle x lanes of fp64, by the vendors' peaks: Arm's Neoverse N1 8, V1 and V2 16,
/// Fujitsu's A64FX 32 (3.38 TF of 48 cores at 2.2 GHz), IBM's Power10 32.
TEST(Microarchitectures, CoresOfOtherFamiliesHaveTheFlopsOfTheirVendors) {
  const auto flops = [](std::string_view name, Isa isa) {
    const auto* found = limits(called(name), isa);
    EXPECT_NE(found, nullptr) << name;
    return 2 * found->fma_units.value() * lanes_of(*found, 64).value();
  };
  EXPECT_EQ(flops("Neoverse N1", Isa::neon), 8.0);
  EXPECT_EQ(flops("Neoverse V1", Isa::neon), 16.0);
  EXPECT_EQ(flops("Neoverse V1", Isa::sve), 16.0);
  EXPECT_EQ(flops("Neoverse V2", Isa::sve), 16.0);
  EXPECT_EQ(flops("A64FX", Isa::sve), 32.0);
  EXPECT_EQ(flops("A64FX", Isa::neon), 8.0);
  EXPECT_EQ(flops("Power10 (SMT8 core)", Isa::vsx), 32.0);
  EXPECT_EQ(flops("Granite Rapids (Redwood Cove)", Isa::avx512), 32.0);
}

TEST(Microarchitectures, NumbersThatWereMeasuredHere) {
  const auto* zen4 = find("AuthenticAMD", 25, 17);
  ASSERT_NE(zen4, nullptr);
  EXPECT_EQ(limits(*zen4, Isa::avx512)->fma_units, 1.0);
  EXPECT_EQ(limits(*zen4, Isa::avx512)->load_bytes_per_cycle, 64.0);
  EXPECT_EQ(limits(*zen4, Isa::avx512)->store_bytes_per_cycle, 32.0);
  EXPECT_EQ(limits(*zen4, Isa::avx2)->div_cycles.fp32, 3.0);
  EXPECT_EQ(limits(*zen4, Isa::avx512)->div_cycles.fp64, 9.0);
  EXPECT_EQ(limits(*zen4, Isa::avx512)->sqrt_cycles.fp64, 16.0);
  EXPECT_EQ(limits(*zen4, Isa::avx512)->sqrt_cycles.fp32, 10.0);
  EXPECT_EQ(limits(*zen4, Isa::avx512)->latency_cycles.fma, 4.0);
  EXPECT_EQ(limits(*zen4, Isa::scalar)->latency_cycles.add, 3.0);
  const auto* zen5 = find("AuthenticAMD", 26, 2);
  ASSERT_NE(zen5, nullptr);
  const auto* wide = limits(*zen5, Isa::avx512);
  // FMA and add 1:1, 8 lanes of fp64: half of the instructions carry 2 flop, half 1.
  EXPECT_DOUBLE_EQ(wide->fma_add_units.value() / 2 * 8 * (2 + 1), 48.0);
  EXPECT_EQ(limits(*zen5, Isa::avx2)->fma_add_units, 4.0);
  EXPECT_EQ(wide->load_bytes_per_cycle, 128.0);
  EXPECT_EQ(zen5->levels.at(0).read_bytes_per_cycle, 64.0);
}

constexpr std::string_view kOne = R"({
  "schema": "ridge.microarchitectures/1",
  "microarchitectures": [
    {"name": "A",
     "matches": [{"vendor": "V", "family": 1, "models": [1, 2]}],
     "pipe_groups": [["mul", "fma"], ["add"]],
     "isas": [{"isa": "scalar", "fma_units": 2, "div_cycles": {"fp64": 4.5}}],
     "levels": [{"level": "L2"}],
     "policies": [{"level": "L3", "policy": "victim", "write_allocate": "always"}],
     "sources": ["s"]}
  ]
})";

struct Hostile {
  const char* from;
  const char* to;
  int line;
  const char* key;        ///< below microarchitectures[0]
  const char* word;       ///< of the message, tells what is wrong with it
  const char* also = "";  ///< the same
};

constexpr Hostile kHostile[] = {
    {"\"add\"", "\"sub\"", 6, "pipe_groups[1][0]", "sqrt", "is \"sub\""},
    {"\"add\"", "\"fma\"", 6, "pipe_groups[1][0]", "fma", "two pipe groups"},
    {"[\"add\"]", "[]", 6, "pipe_groups[1]", "at least one"},
    {"[1, 2]", "[1, 1]", 5, "matches", "\"V\" family 1 model 1", "\"A\""},
    {"[1, 2]", "[]", 5, "matches[0].models", "at least one"},
    {"\"scalar\"", "\"vector\"", 7, "isas[0].isa", "sve", "is \"vector\""},
    {"\"fma_units\": 2", "\"fma_units\": 0", 7, "isas[0].fma_units", "positive", "is 0"},
    {"4.5", "0", 7, "isas[0].div_cycles.fp64", "positive", "is 0"},
    {"{\"fp64\": 4.5}", "4.5", 7, "isas[0].div_cycles", "an object", "is a number"},
    {"[\"s\"]", "[]", 10, "sources", "at least one"},
    {"victim", "hidden", 9, "policies[0].policy", "victim", "is \"hidden\""},
    {"\"scalar\"", "\"sve\"", 7, "isas[0]", "vector_bits", "each core"},
    {"\"fma_units\": 2", "\"vector_bits\": 256", 7, "isas[0].vector_bits", "scalar", "its own"},
    {"\"scalar\"", "\"sve\", \"vector_bits\": 200", 7, "isas[0].vector_bits", "128", "multiple"},
};

auto parse_changed(const Hostile& example) {
  return parse_microarchitectures(replaced(std::string(kOne), example.from, example.to), "m");
}

TEST(MicroarchitectureFile, HostileValuesAreRefused) {
  for (const Hostile& example : kHostile) {
    const auto parsed = parse_changed(example);
    ASSERT_FALSE(parsed.has_value()) << example.to;
    EXPECT_THAT(parsed.error().message,
                testing::StartsWith(
                    fmt::format("m:{}: microarchitectures[0].{} ", example.line, example.key)));
    EXPECT_THAT(parsed.error().message, testing::HasSubstr(example.word));
    EXPECT_THAT(parsed.error().message, testing::HasSubstr(example.also));
  }
}

TEST(MicroarchitectureFile, RandomTablesComeBack) {
  std::mt19937_64 random(13);
  for (int i = 0; i < 200; ++i) {
    const std::string text = write_microarchitectures(random_microarchitectures(random));
    const auto parsed = parse_microarchitectures(text, "m");
    ASSERT_TRUE(parsed) << parsed.error().message << text;
    EXPECT_EQ(write_microarchitectures(*parsed), text);
  }
}

TEST(MicroarchitectureFile, ModelsAreThoseOfCpuid) {
  const auto parsed =
      parse_microarchitectures(replaced(std::string(kOne), "[1, 2]", "[1, 256]"), "m");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().message,
            "m:5: microarchitectures[0].matches[0].models[1] must be 0 to 255, is 256");
}

TEST(MicroarchitectureFile, ACoreNeedNotBeOneThatACpuidNames) {
  const auto parsed = parse_microarchitectures(
      replaced(std::string(kOne),
               "\"matches\": [{\"vendor\": \"V\", \"family\": 1, \"models\": [1, 2]}],", ""),
      "m");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_TRUE(parsed->at(0).matches.empty());
  EXPECT_EQ(find_microarchitecture(*parsed, CpuIdentity{"V", "", 1, 1, 0}), nullptr);
}

TEST(MicroarchitectureFile, WhatNoSourceStatesIsAbsent) {
  const auto parsed = parse_microarchitectures(kOne, "m");
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  const auto& entry = parsed->at(0);
  EXPECT_EQ(entry.isas.at(0).fma_units, 2.0);
  EXPECT_FALSE(entry.isas.at(0).add_units.has_value());
  EXPECT_EQ(entry.isas.at(0).div_cycles.fp64, 4.5);
  EXPECT_FALSE(entry.isas.at(0).div_cycles.fp32.has_value());
  EXPECT_FALSE(entry.isas.at(0).sqrt_cycles.fp64.has_value());
  EXPECT_FALSE(entry.isas.at(0).latency_cycles.fma.has_value());
  EXPECT_FALSE(entry.levels.at(0).read_bytes_per_cycle.has_value());
  EXPECT_TRUE(entry.notes.empty());
}

}  // namespace

void microarchitecture_sentences(tests::Sentences& sentences) {
  for (const Hostile& example : kHostile) {
    sentences.add("microarchitectures, " + change(example.from, example.to),
                  parse_changed(example));
  }
}

}  // namespace ridge::serialize
