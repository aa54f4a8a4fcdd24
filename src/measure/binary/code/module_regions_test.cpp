// Libraries that GCC, Clang and gfortran made of the sources in testdata/, and what strangers could
// make of them.
#include "measure/binary/code/module_regions.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "machine_code/elf_image.hpp"
#include "machine_code/function_ranges.hpp"
#include "measure/code/program_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

FileBytes file_of(const std::string& name) {
  std::ifstream stream("binary/testdata/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Where functions begin.
std::vector<std::uint64_t> all_functions(const FileBytes& file) {
  std::vector<std::uint64_t> begins;
  const auto image = machine_code::ElfImage::read(file);
  if (image) {
    for (const auto& range : machine_code::function_ranges(*image).value_or(
             std::vector<machine_code::FunctionRange>{})) {
      begins.push_back(range.begin);
    }
  }
  return begins;
}

ModuleRegions regions_of(const std::string& name) {
  const FileBytes file = file_of(name);
  return module_regions({"/lib/" + name, file, {}}, {}, all_functions(file));
}

/// Of loops and functions: name, line, and line of the parent (0: none).
using Place = std::tuple<std::string, unsigned, unsigned>;

std::multiset<Place> places(const ModuleRegions& found, RegionKind kind) {
  std::multiset<Place> all;
  for (const ModuleRegion& region : found.regions) {
    if (region.kind == kind) {
      const unsigned above = region.parent ? found.regions[*region.parent].line.value_or(0) : 0;
      all.emplace(region.name, region.line.value_or(0), above);
    }
  }
  return all;
}

const ModuleRegion* loop_at(const ModuleRegions& found, unsigned line) {
  const auto loop = std::ranges::find_if(found.regions, [&](const ModuleRegion& region) {
    return region.kind == RegionKind::loop && region.line == line;
  });
  return loop != found.regions.end() ? &*loop : nullptr;
}

/// What holds for all results: owners and ranges are in order and apart, parents come first,
/// identities are told apart.
void expect_sound(const ModuleRegions& found) {
  std::set<std::string> identities;
  std::vector<ModuleRegions::Owner> from_regions;
  for (std::uint32_t i = 0; i < found.regions.size(); ++i) {
    const ModuleRegion& region = found.regions[i];
    EXPECT_FALSE(region.name.empty());
    EXPECT_TRUE(identities.insert(region.identity).second) << region.identity;
    EXPECT_LT(region.parent.value_or(0), std::max(i, 1U));
    for (const MachineLoop& loop : region.loops) {
      ASSERT_LT(loop.function, found.functions.size());
      EXPECT_LT(loop.loop, found.functions[loop.function].loops.size());
    }
    for (const auto& range : region.ranges) {
      from_regions.push_back({range, i});
    }
  }
  std::ranges::sort(from_regions, {}, [](const auto& owner) { return owner.range.begin; });
  ASSERT_EQ(from_regions.size(), found.owners.size());
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < found.owners.size(); ++i) {
    EXPECT_EQ(found.owners[i].range, from_regions[i].range);
    EXPECT_EQ(found.owners[i].region, from_regions[i].region);
    EXPECT_LE(last, found.owners[i].range.begin);
    EXPECT_LT(found.owners[i].range.begin, found.owners[i].range.end);
    last = found.owners[i].range.end;
  }
}

TEST(ModuleRegions, AreTheLoopsOfTheSourceWhicheverCompilerMadeThem) {
  for (const char* name : {"loops-gcc.so", "loops-clang.so", "loops-compressed.so"}) {
    SCOPED_TRACE(name);
    const ModuleRegions found = regions_of(name);
    expect_sound(found);
    EXPECT_EQ(
        places(found, RegionKind::function),
        (std::multiset<Place>{{"add", 2, 0}, {"twice", 16, 0}, {"walk", 26, 0}, {"line", 41, 0}}));
    auto loops = places(found, RegionKind::loop);
    // GCC says of `do` where its first statement is.
    EXPECT_EQ(loops.erase({"walk", 34, 26}) + loops.erase({"walk", 35, 26}), 1U);
    EXPECT_EQ(loops, (std::multiset<Place>{{"add", 4, 2},
                                           {"dot", 11, 16},
                                           {"twice", 20, 16},
                                           {"dot", 11, 20},
                                           {"walk", 29, 26},
                                           {"line", 43, 41},
                                           {"line", 43, 43}}));
  }
}

TEST(ModuleRegions, VectorBodyAndRemainderAreOneLoop) {
  const ModuleRegions found = regions_of("loops-clang.so");
  const ModuleRegion* add = loop_at(found, 4);
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(add->loops.size(), 2U);
  EXPECT_EQ(add->function, "add");
  EXPECT_EQ(add->file, "/src/loops.c");
}

TEST(ModuleRegions, ARemainderWithoutALoopBelongsToItsLoop) {
  const ModuleRegions found = regions_of("loops-gcc.so");
  const ModuleRegion* add = loop_at(found, 4);
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(add->loops.size(), 1U);
  EXPECT_GT(add->ranges.size(), 1U);
}

TEST(ModuleRegions, BodiesOfOpenMpCarryTheNameOfTheirFunction) {
  for (const char* name : {"openmp-gcc.so", "openmp-clang.so"}) {
    SCOPED_TRACE(name);
    const ModuleRegions found = regions_of(name);
    expect_sound(found);
    EXPECT_EQ(places(found, RegionKind::function),
              (std::multiset<Place>{{"kernels::jacobi", 4, 0}, {"kernels::jacobi", 5, 4}}));
    EXPECT_EQ(places(found, RegionKind::loop),
              (std::multiset<Place>{{"kernels::jacobi", 6, 5}, {"kernels::jacobi", 7, 6}}));
  }
}

TEST(ModuleRegions, ProceduresOfFortranCarryTheirModule) {
  const ModuleRegions found = regions_of("heat-gfortran.so");
  expect_sound(found);
  EXPECT_EQ(
      places(found, RegionKind::function),
      (std::multiset<Place>{{"heat::step", 5, 0}, {"heat::total", 14, 0}, {"scale_all", 30, 0}}));
  EXPECT_EQ(places(found, RegionKind::loop),
            (std::multiset<Place>{
                {"heat::step", 10, 5}, {"heat::halve", 24, 14}, {"scale_all", 33, 30}}));
}

TEST(ModuleRegions, WithoutDebugInformationLoopsCarryAddresses) {
  const ModuleRegions found = regions_of("loops-stripped.so");  // .dynsym names its functions
  expect_sound(found);
  unsigned loops = 0;
  for (const ModuleRegion& region : found.regions) {
    EXPECT_FALSE(region.line);
    if (region.kind == RegionKind::loop) {
      ++loops;
      EXPECT_TRUE(region.name.starts_with(region.function + "+0x")) << region.name;
    }
  }
  EXPECT_EQ(loops, 8U);
}

TEST(ModuleRegions, WithoutSymbolsFunctionsCarryAddressesToo) {
  FileBytes code{0x90, 0xEB, 0xFD};  // 1: nop; jmp 1b
  const FileBytes file = elf_file({{".text", 0x401000, code, true}});
  const auto found = module_regions({"/bin/p", file, {}}, {}, std::vector<std::uint64_t>{0x401000});
  expect_sound(found);
  ASSERT_EQ(found.regions.size(), 2U);
  EXPECT_EQ(found.regions[0].name, "p+0x401000");
  EXPECT_EQ(found.regions[1].name, "p+0x401000");
  EXPECT_EQ(found.regions[1].kind, RegionKind::loop);
  EXPECT_EQ(found.find(0x401001), 1U);
}

TEST(ModuleRegions, DebugInformationMayLieInAnotherFile) {
  const FileBytes file = file_of("loops-stripped.so");
  const FileBytes debug = file_of("loops-stripped.debug");
  const auto apart = module_regions({"/lib/a.so", file, debug}, {}, all_functions(file));
  EXPECT_EQ(places(apart, RegionKind::loop), places(regions_of("loops-gcc.so"), RegionKind::loop));
}

TEST(ModuleRegions, AreThoseOfCodeThatWasSeen) {
  const FileBytes file = file_of("loops-gcc.so");
  const auto begins = all_functions(file);
  ASSERT_GE(begins.size(), 2U);
  const std::vector<std::uint64_t> sampled{begins[1]};
  ExecutedModule executed;
  executed.instructions.push_back({begins[0], 2, {}, 1, {}});
  const auto found = module_regions({"/lib/loops-gcc.so", file, {}}, executed, sampled);
  EXPECT_EQ(found.functions.size(), 2U);
  EXPECT_TRUE(found.find(begins[0]));
  EXPECT_TRUE(found.find(begins[1]));
  EXPECT_FALSE(found.find(begins[2]));
  EXPECT_EQ(found.regions[*found.find(begins[0])].entries, (std::vector{begins[0]}));
}

TEST(ModuleRegions, CodeOutsideOfFunctionsIsOther) {
  const FileBytes file = file_of("loops-gcc.so");
  const auto found =
      module_regions({"/lib/libx.so", file, {}}, {}, std::vector<std::uint64_t>{0x10});
  ASSERT_EQ(found.regions.size(), 1U);
  EXPECT_EQ(found.regions[0].kind, RegionKind::library);
  EXPECT_EQ(found.regions[0].name, "in libx.so: other code");
  EXPECT_EQ(found.find(0x10), 0U);
}

TEST(ModuleRegions, WithoutAFileIsOneRegion) {
  ExecutedModule executed;
  executed.instructions = {{0x1000, 4, {}, 1, {}}, {0x1004, 1, {}, 1, {}}};
  const auto made = module_regions({}, executed, {});
  ASSERT_EQ(made.regions.size(), 1U);
  EXPECT_EQ(made.regions[0].name, "code made at run time");
  EXPECT_EQ(made.find(0x1004), 0U);
  const auto gone = module_regions({"/gone/libgone.so", {}, {}}, executed, {});
  ASSERT_EQ(gone.regions.size(), 1U);
  EXPECT_EQ(gone.regions[0].name, "in libgone.so");
}

TEST(ModuleRegions, NothingSeenIsNothing) {
  const FileBytes file = file_of("loops-gcc.so");
  EXPECT_TRUE(module_regions({"/lib/a.so", file, {}}, {}, {}).regions.empty());
}

/// Every address that ran has an owner, whatever the file says.
TEST(ModuleRegions, HostileFilesKeepOwners) {
  std::mt19937 random(20260727);  // NOLINT(cert-msc51-cpp): the same files each time
  for (const char* name : {"loops-gcc.so", "openmp-clang.so", "heat-gfortran.so"}) {
    const FileBytes whole = file_of(name);
    const auto sampled = all_functions(whole);
    for (unsigned round = 0; round < 60; ++round) {
      FileBytes file = whole;
      for (unsigned change = 0; change < 1 + round % 8; ++change) {
        file[random() % file.size()] = static_cast<std::uint8_t>(random());
      }
      if (round % 10 == 0) {
        file.resize(random() % file.size());
      }
      const auto found = module_regions({"/lib/a.so", file, {}}, {}, sampled);
      expect_sound(found);
      for (const std::uint64_t address : sampled) {
        EXPECT_TRUE(found.find(address));
      }
    }
  }
}

}  // namespace
}  // namespace ridge::measure::binary
