#include "measure/instrumented/code/code_reader.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/instrumented/code/counted_program_for_tests.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::measure {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const MachineCounts kThree{
    {{0,
      {{{Precision::fp64, OperationKind::add, 64, 2}, {Precision::fp64, OperationKind::mul, 64, 1}},
       3,
       3}}},
    {}};
const MachineCounts kNothing;

class CodeReaderTest : public ::testing::Test {
 protected:
  std::string write(const FileBytes& bytes) { return folder_.write("program", text_of(bytes)); }

  /// As the process that ran the file left it.
  LoadedModule loaded(std::string_view file, std::string_view build_id = {}) {
    return {file, std::as_bytes(std::span(build_id)), blob_, &*descriptor_};
  }

  /// The IR's counts stay, and one note names the file and `problem`.
  void expect_refused(const LoadedModule& module, const std::string& problem) {
    CodeReader reader;
    EXPECT_THAT(reader.counts({module}), ElementsAre(kNothing));
    EXPECT_THAT(reader.notes(),
                ElementsAre(AllOf(Field(&Note::code, "ir-counts"),
                                  Field(&Note::text, AllOf(HasSubstr(problem),
                                                           HasSubstr(std::string(module.file)))))));
  }

  const tests::TemporaryFolder folder_;
  const std::vector<std::byte> blob_ = one_mul().bytes();
  const std::optional<Descriptor> descriptor_ = Descriptor::parse(blob_);
};

TEST_F(CodeReaderTest, TheCodeOfTheFileThatRan) {
  for (const std::string id : {"", "12345678901234567890"}) {
    const std::string file = write(counted_program(kThreeFlops, one_mul(), id));
    CodeReader reader;
    EXPECT_THAT(reader.counts({loaded(file, id)}), ElementsAre(kThree));
    EXPECT_THAT(reader.notes(), IsEmpty());
  }
}

TEST_F(CodeReaderTest, ALongBuildIdIsComparedAsFarAsItWasKept) {
  const std::string id(64, 'x');
  const std::string file = write(counted_program(kThreeFlops, one_mul(), id));
  CodeReader reader;
  EXPECT_THAT(reader.counts({loaded(file, id.substr(0, RIDGE_BUILD_ID_BYTES))}),
              ElementsAre(kThree));
  EXPECT_THAT(reader.notes(), IsEmpty());
}

TEST_F(CodeReaderTest, WithoutAFileTheIrCounts) {
  expect_refused(loaded(folder_.path("nothing").string()), "cannot be read");
  expect_refused(loaded(folder_.path().string()), "cannot be read");
  const std::string empty = write({});
  expect_refused(loaded(empty), "cannot be read");
}

TEST_F(CodeReaderTest, AFileThatIsNoProgramIsNotRead) {
  const std::string file = write({'#', '!', '/', 'b', 'i', 'n', '/', 's', 'h', '\n'});
  expect_refused(loaded(file), "ELF");
}

TEST_F(CodeReaderTest, AFileBrokenOffIsNotRead) {
  FileBytes bytes = counted_program(kThreeFlops);
  bytes.resize(bytes.size() - 1);
  const std::string file = write(bytes);
  expect_refused(loaded(file), "malformed");
}

TEST_F(CodeReaderTest, AFileBuiltAnewWithOtherDescriptorsIsNotTheOneThatRan) {
  DescriptorBuilder other = one_mul();
  other.terms[0].amount = 2;
  const std::string file = write(counted_program(kThreeFlops, other));
  expect_refused(loaded(file), "built anew");
}

TEST_F(CodeReaderTest, AFileWithAnotherBuildIdIsNotTheOneThatRan) {
  const std::string file = write(counted_program(kThreeFlops, one_mul(), "12345678901234567890"));
  expect_refused(loaded(file, "12345678901234567891"), "built anew");
}

TEST_F(CodeReaderTest, DamagedProbesLeaveTheIr) {
  FileBytes damaged = probe_at_begin().bytes;
  damaged.pop_back();
  const std::string file = write(
      elf_file(sections_of(kThreeFlops, {one_mul()}, damaged, {{kFunctionId, kCodeAddress}})));
  expect_refused(loaded(file), ".pseudo_probe");
}

TEST_F(CodeReaderTest, AModuleOfWhichNothingIsKnownIsLeftOut) {
  const std::string file = write(counted_program(kThreeFlops));
  LoadedModule damaged = loaded(file);
  damaged.descriptor = nullptr;
  CodeReader reader;
  EXPECT_THAT(reader.counts({loaded(""), damaged, loaded(file)}),
              ElementsAre(kNothing, kNothing, kThree));
  EXPECT_THAT(reader.notes(), IsEmpty());
}

TEST_F(CodeReaderTest, AFileIsReadOnceAndSpokenOfOnce) {
  const std::string file = write(counted_program(kThreeFlops));
  const std::string missing = folder_.path("nothing");
  CodeReader reader;
  EXPECT_THAT(reader.counts({loaded(file), loaded(missing)}), ElementsAre(kThree, kNothing));
  std::filesystem::remove(file);
  EXPECT_THAT(reader.counts({loaded(missing), loaded(file)}), ElementsAre(kNothing, kThree));
  EXPECT_EQ(reader.notes().size(), 1U);
}

}  // namespace
}  // namespace ridge::measure
