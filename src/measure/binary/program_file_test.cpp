#include "measure/binary/program_file.hpp"

#include <array>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace ridge::measure::binary {
namespace {

using testing::HasSubstr;

class ProgramFile : public testing::Test {
 protected:
  std::string write(const char* name, std::string_view bytes) {
    const auto path = folder_.path() / name;
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path.string();
  }

  std::string elf(const char* name, unsigned char bits, std::uint16_t machine) {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = bits;
    header.e_machine = machine;
    return write(name, {reinterpret_cast<const char*>(&header), sizeof header});
  }

  tests::TemporaryFolder folder_;
};

TEST_F(ProgramFile, AScriptRunsItsInterpreter) {
  const std::string shell = write("shell", "#!  /bin/sh -e\necho\n");
  EXPECT_EQ(program_that_runs(shell), "/bin/sh");
  const std::string script = write("script", "#!" + shell + "\n");
  EXPECT_EQ(program_that_runs(script), "/bin/sh");
  EXPECT_THAT(program_that_runs(write("env", "#!/usr/bin/env sh\n")), HasSubstr("/sh"));
  EXPECT_TRUE(check_program_file(shell));
}

TEST_F(ProgramFile, AScriptOfItselfEnds) {
  const std::string path = (folder_.path() / "loop").string();
  write("loop", "#!" + path + "\n");
  EXPECT_EQ(program_that_runs(path), path);
  EXPECT_FALSE(check_program_file(path));
}

TEST_F(ProgramFile, OtherArchitecturesAreNamed) {
  const auto narrow = check_program_file(elf("narrow", ELFCLASS32, EM_386));
  ASSERT_FALSE(narrow);
  EXPECT_EQ(narrow.error().code, ErrorCode::bad_input);
  EXPECT_THAT(narrow.error().message, HasSubstr("32-bit"));
  const auto other = check_program_file(elf("other", ELFCLASS64, EM_AARCH64));
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("another processor"));
  EXPECT_FALSE(check_program_file(write("text", "hello")));
  EXPECT_FALSE(check_program_file(write("empty", "")));
}

TEST_F(ProgramFile, SetgidIsRefused) {
  const std::string path = elf("setgid", ELFCLASS64, EM_X86_64);
  using std::filesystem::perms;
  std::filesystem::permissions(path, perms::owner_all | perms::set_gid);
  const auto refused = check_program_file(path);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("setgid"));
}

}  // namespace
}  // namespace ridge::measure::binary
