// Files that GCC and clang linked (testdata/switch.c), the test program itself, and what strangers
// could make of them.
#include "machine_code/elf_image.hpp"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "machine_code/function.hpp"
#include "machine_code/function_ranges.hpp"

namespace ridge::machine_code {
namespace {

using File = std::vector<std::uint8_t>;

File file_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

const FunctionRange* named(const std::vector<FunctionRange>& ranges, std::string_view name) {
  const auto found = std::find_if(ranges.begin(), ranges.end(),
                                  [&](const FunctionRange& range) { return range.name == name; });
  return found == ranges.end() ? nullptr : &*found;
}

/// The file as `strip --strip-section-headers` leaves it.
File without_sections(File file) {
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof header);
  header.e_shoff = 0;
  header.e_shnum = header.e_shstrndx = 0;
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

class Switch : public testing::TestWithParam<const char*> {};

TEST_P(Switch, LeadsToItsEightCasesInsideALoop) {
  const File file = file_of(std::string("testdata/") + GetParam());
  const auto image = ElfImage::read(file);
  ASSERT_TRUE(image) << image.error().message;
  const auto ranges = function_ranges(*image);
  ASSERT_TRUE(ranges) << ranges.error().message;
  const FunctionRange* range = named(*ranges, "choose");
  ASSERT_NE(range, nullptr);
  const auto function = read_function(*image, *range);
  ASSERT_TRUE(function) << function.error().message;
  EXPECT_FALSE(function->has_unknown_jumps);
  EXPECT_EQ(function->undecodable_bytes, 0U);
  const auto table =
      std::find_if(function->blocks.begin(), function->blocks.end(),
                   [](const Block& block) { return block.end == BlockEnd::jump_table; });
  ASSERT_NE(table, function->blocks.end());
  EXPECT_EQ(table->successors.size(), 8U);
  EXPECT_FALSE(table->leaves);
  ASSERT_GE(function->loops.size(), 1U);
  ASSERT_TRUE(table->loop);
  // One addition in case 0, one in 5, one subtraction in 2.
  std::uint64_t adds = 0;
  for (const Instruction& at : function->instructions) {
    for (const Operation& operation : at.operations()) {
      adds += operation.kind == WorkKind::add ? operation.lanes : 0;
    }
  }
  EXPECT_EQ(adds, 3U);
}

INSTANTIATE_TEST_SUITE_P(Compilers, Switch,
                         testing::Values("switch_gcc.elf", "switch_clang.elf",
                                         "switch_absolute.elf", "switch_gcc_absolute.elf"));

TEST(ElfImage, KnowsWhereItsPartsLie) {
  const File file = file_of("testdata/switch_absolute.elf");
  const auto image = ElfImage::read(file);
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->architecture(), Architecture::x86_64);
  EXPECT_FALSE(image->position_independent());
  const Section* text = image->section(".text");
  ASSERT_NE(text, nullptr);
  EXPECT_TRUE(text->executable);
  const auto bytes = image->bytes_at(text->address, text->size);
  ASSERT_TRUE(bytes);
  EXPECT_TRUE(std::equal(bytes->begin(), bytes->end(), text->bytes.begin(), text->bytes.end()));
  EXPECT_EQ(image->file_offset(text->address), text->bytes.data() - file.data());
  EXPECT_FALSE(image->bytes_at(text->address, file.size()));
  EXPECT_FALSE(image->file_offset(0));
  const auto ranges = function_ranges(*image);
  ASSERT_TRUE(ranges);
  ASSERT_NE(named(*ranges, "_start"), nullptr);
  EXPECT_EQ(image->entry_point(), named(*ranges, "_start")->begin);
}

TEST(ElfImage, OfOtherFilesIsAnError) {
  File file = file_of("testdata/switch_gcc.elf");
  const auto message = [](const File& bytes) {
    const auto image = ElfImage::read(bytes);
    return image ? std::string() : image.error().message;
  };
  EXPECT_NE(message({}).find("not an ELF"), std::string::npos);
  EXPECT_NE(message(File(100, 'x')).find("not an ELF"), std::string::npos);
  File narrow = file;
  narrow[EI_CLASS] = ELFCLASS32;
  EXPECT_NE(message(narrow).find("32 bit"), std::string::npos);
  File object = file;
  object[offsetof(Elf64_Ehdr, e_type)] = ET_REL;
  EXPECT_NE(message(object).find("linked"), std::string::npos);
  File riscv = file;
  riscv[offsetof(Elf64_Ehdr, e_machine)] = EM_RISCV;
  EXPECT_NE(message(riscv).find("243"), std::string::npos);
}

TEST(ElfImage, OfAArch64IsReadAndItsCodeRefused) {
  File file = file_of("testdata/switch_gcc.elf");
  file[offsetof(Elf64_Ehdr, e_machine)] = EM_AARCH64;
  const auto image = ElfImage::read(file);
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->architecture(), Architecture::aarch64);
  const auto ranges = function_ranges(*image);
  ASSERT_TRUE(ranges);
  const auto function = read_function(*image, *named(*ranges, "choose"));
  ASSERT_FALSE(function);
  EXPECT_EQ(function.error().code, ErrorCode::unavailable);
}

TEST(FunctionRanges, OfAFileWithoutSectionsAreThoseOfItsFrames) {
  const File whole = file_of("testdata/switch_gcc.elf");
  const File bare = without_sections(whole);
  const auto image = ElfImage::read(whole);
  const auto stripped = ElfImage::read(bare);
  ASSERT_TRUE(image && stripped);
  const auto expected = function_ranges(*image);
  const auto found = function_ranges(*stripped);
  ASSERT_TRUE(expected && found);
  const FunctionRange* range = named(*expected, "choose");
  ASSERT_NE(range, nullptr);
  const FunctionRange* same = find_range(*found, range->begin);
  ASSERT_NE(same, nullptr);
  EXPECT_EQ(same->begin, range->begin);
  EXPECT_EQ(same->end, range->end);
  EXPECT_EQ(same->origin, FunctionOrigin::unwind_table);
  EXPECT_TRUE(same->name.empty());
}

/// The test program itself: thousands of functions of C++.
TEST(FunctionRanges, OfFramesAreThoseOfSymbols) {
  const File file = file_of("/proc/self/exe");
  const auto image = ElfImage::read(file);
  ASSERT_TRUE(image) << image.error().message;
  const auto unwound = unwind_ranges(*image);
  ASSERT_TRUE(unwound) << unwound.error().message;
  std::map<std::uint64_t, std::uint64_t> ends;
  for (const FunctionRange& range : *unwound) {
    ends[range.begin] = range.end;
  }
  std::size_t same = 0;
  std::size_t different = 0;
  for (const FunctionSymbol& symbol : image->function_symbols()) {
    const auto frame = ends.find(symbol.address);
    if (symbol.size > 0 && frame != ends.end()) {
      ++(frame->second == symbol.address + symbol.size ? same : different);
    }
  }
  EXPECT_GT(same, 1000U);
  EXPECT_EQ(different, 0U);
}

TEST(FunctionRanges, AreInOrderAndApart) {
  const File file = file_of("/proc/self/exe");
  const auto image = ElfImage::read(file);
  ASSERT_TRUE(image);
  const auto ranges = function_ranges(*image);
  ASSERT_TRUE(ranges);
  ASSERT_GT(ranges->size(), 1000U);
  for (std::size_t i = 1; i < ranges->size(); ++i) {
    ASSERT_LE((*ranges)[i - 1].end, (*ranges)[i].begin);
    ASSERT_LT((*ranges)[i].begin, (*ranges)[i].end);
  }
}

TEST(ElfImage, KnowsWhichFunctionsComeFromOtherFiles) {
  const File file = file_of("/proc/self/exe");
  const auto image = ElfImage::read(file);
  ASSERT_TRUE(image);
  const auto slots = image->import_slots();
  const auto named_slot = [&](std::string_view name) {
    return std::any_of(slots.begin(), slots.end(),
                       [&](const ImportSlot& slot) { return slot.name == name; });
  };
  EXPECT_TRUE(named_slot("__cxa_begin_catch"));
  EXPECT_FALSE(named_slot("no_such_function"));
  EXPECT_TRUE(std::is_sorted(
      slots.begin(), slots.end(),
      [](const ImportSlot& a, const ImportSlot& b) { return a.address < b.address; }));
}

int catches(int value) {
  try {
    if (value > 0) {
      throw value;
    }
  } catch (int thrown) {
    return thrown + 1;
  }
  return 0;
}

TEST(Functions, AreEnteredWhereTheyCatch) {
  ASSERT_EQ(catches(1), 2);
  const File file = file_of("/proc/self/exe");
  const auto image = ElfImage::read(file);
  ASSERT_TRUE(image);
  const auto ranges = function_ranges(*image);
  ASSERT_TRUE(ranges);
  std::size_t pads = 0;
  std::uint64_t gaps = 0;
  for (const FunctionRange& range : *ranges) {
    const auto function = read_function(*image, range);
    ASSERT_TRUE(function) << function.error().message;
    gaps += function->undecodable_bytes;
    for (const Block& block : function->blocks) {
      ASSERT_TRUE(!block.landing_pad || block.entered_from_elsewhere);
      pads += block.landing_pad ? 1 : 0;
    }
  }
  EXPECT_GT(pads, 100U);
  EXPECT_EQ(gaps, 0U);
}

/// Everything that can be asked of a file, without a crash.
void read_all(const File& file) {
  const auto image = ElfImage::read(file);
  if (!image) {
    EXPECT_FALSE(image.error().message.empty());
    return;
  }
  static_cast<void>(image->import_slots());
  const auto ranges = function_ranges(*image);
  for (std::size_t i = 0; ranges && i < ranges->size(); ++i) {
    const auto function = read_function(*image, (*ranges)[i]);
    ASSERT_TRUE(!function || function->range.begin == (*ranges)[i].begin);
  }
}

TEST(ElfImage, SurvivesWhatStrangersMakeOfAFile) {
  std::mt19937 random(23);
  for (const char* name : {"switch_gcc.elf", "switch_clang.elf"}) {
    const File whole = file_of(std::string("testdata/") + name);
    for (int round = 0; round < 1500; ++round) {
      File file = whole;
      for (unsigned i = 0; i < 1 + random() % 4; ++i) {
        // Half of them in the headers.
        const std::size_t reach = random() % 2 == 0 ? 512 : file.size();
        file[random() % reach] = static_cast<std::uint8_t>(random() % 3 == 0 ? 0xFF : random());
      }
      file.resize(random() % 4 == 0 ? random() % file.size() : file.size());
      read_all(file);
    }
  }
}

}  // namespace
}  // namespace ridge::machine_code
