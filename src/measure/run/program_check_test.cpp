#include "measure/run/program_check.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abi/layout.h"
#include "abi/version.h"
#include "measure/code/program_for_tests.hpp"
#include "measure/sentences_for_tests.hpp"
#include "tests/temporary_folder.hpp"

// This test program carries the note of an instrumented one, as the plugin writes it.
asm(R"(
  .pushsection .note.ridge, "a", @note
  .balign 4
  .long 6
  .long 11
  .long 1
  .asciz "Ridge"
  .balign 4
  .long 11
  .asciz "9.8.7"
  .balign 4
  .popsection
)");

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

static_assert(RIDGE_ABI_VERSION == 11, "the note above names the version");

std::string own_bytes() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::string bytes(fs::file_size("/proc/self/exe"), '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

/// A small program with the same note.
std::string small_program(std::uint32_t version) {
  SectionBytes note{".note.ridge", 0, {}, false, SHT_NOTE};
  append(note.bytes, Elf64_Nhdr{6, 10, RIDGE_NOTE_TYPE});
  append(note.bytes, std::array<char, 8>{'R', 'i', 'd', 'g', 'e'});
  append(note.bytes, version);
  append(note.bytes, std::array<char, 8>{'9', '.', '8', '.', '7'});
  const FileBytes bytes = elf_file({{".text", 0x1000, {0xC3}, true}, std::move(note)});
  return {bytes.begin(), bytes.end()};
}

class ProgramCheck : public ::testing::Test {
 protected:
  std::string write(const std::string& bytes) {
    const std::string path = folder_ / "program";
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    return path;
  }

  const tests::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST_F(ProgramCheck, FindsTheNote) {
  const auto notes = read_notes("/proc/self/exe");
  ASSERT_TRUE(notes) << notes.error().message;
  EXPECT_THAT(*notes, ElementsAre(InstrumentationNote{RIDGE_ABI_VERSION, "9.8.7"}));
  EXPECT_TRUE(check_program("/proc/self/exe"));
}

TEST_F(ProgramCheck, FindsItWithoutSectionHeaders) {
  std::string bytes = own_bytes();
  auto* header = reinterpret_cast<Elf64_Ehdr*>(bytes.data());
  header->e_shoff = 0;
  header->e_shnum = 0;
  header->e_shstrndx = 0;
  EXPECT_TRUE(check_program(write(bytes)));
}

TEST_F(ProgramCheck, AnotherVersionIsRefusedWithBoth) {
  EXPECT_TRUE(check_program(write(small_program(RIDGE_ABI_VERSION))));
  const auto checked = check_program(write(small_program(4711)));
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::bad_input);
  EXPECT_THAT(checked.error().message, HasSubstr("4711"));
  EXPECT_THAT(checked.error().message, HasSubstr("9.8.7"));
  EXPECT_THAT(checked.error().message, HasSubstr(ridge_version_text));
}

TEST_F(ProgramCheck, WhatIsNotInstrumentedIsToldHowToBuild) {
  const auto checked = check_program("/bin/true");
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::bad_input);
  EXPECT_THAT(checked.error().message, HasSubstr("/bin/true "));
  EXPECT_THAT(checked.error().message, HasSubstr("instrumented"));
  EXPECT_THAT(checked.error().hint, HasSubstr("ridge-cc"));
  EXPECT_THAT(checked.error().hint, HasSubstr("ridge-c++"));
  EXPECT_THAT(checked.error().hint, HasSubstr("--launcher"));
}

TEST_F(ProgramCheck, AScriptIsToldAboutLaunchers) {
  const auto checked = check_program(write("#!/bin/sh\n"));
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().hint, HasSubstr("--launcher"));
  EXPECT_FALSE(check_program(write("")));
  EXPECT_FALSE(check_program(folder_ / "missing"));
}

TEST_F(ProgramCheck, DamagedFilesAreHarmless) {
  const std::string intact = small_program(RIDGE_ABI_VERSION);
  const auto note = intact.find("Ridge") - 12;
  std::mt19937 random(2);
  for (int round = 0; round < 600; ++round) {
    std::string bytes = intact;
    for (int i = 0; i < 20; ++i) {
      const std::size_t at = random() % 3 == 0   ? note + random() % 32
                             : random() % 2 == 0 ? random() % sizeof(Elf64_Ehdr)
                                                 : random() % bytes.size();
      bytes[at] = static_cast<char>(random());
    }
    (void)check_program(
        write(bytes.substr(0, round % 4 == 0 ? random() % bytes.size() : bytes.size())));
  }
}

}  // namespace

void program_check_sentences(tests::Sentences& sentences) {
  const tests::TemporaryFolder folder;
  sentences.call_folder(folder.path());
  sentences.add("program, not instrumented", check_program("/bin/true"));
  sentences.add("program, a script", check_program(folder.write("script", "#!/bin/sh\n")));
  sentences.add("program, missing", check_program(folder.path("missing")));
}

}  // namespace ridge::measure
