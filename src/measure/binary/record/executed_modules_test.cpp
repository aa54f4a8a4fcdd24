#include "measure/binary/record/executed_modules.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "measure/binary/record/record_for_tests.hpp"
#include "measure/code/program_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

using tests::RecordBuilder;
using Code = std::vector<std::uint8_t>;

constexpr std::uint64_t kLinked = 0x401000;
constexpr std::uint64_t kLoaded = 0x7F0000000000;
constexpr std::uint64_t kTextOffset = sizeof(Elf64_Ehdr);

// nop; addsd xmm0, xmm1; ret
const Code kText{0x90, 0xF2, 0x0F, 0x58, 0xC1, 0xC3};

FileBytes file_with(const Code& text, std::vector<SectionBytes> more = {}) {
  std::vector<SectionBytes> sections{{".text", kLinked, text, true}};
  sections.insert(sections.end(), more.begin(), more.end());
  return elf_file(sections);
}

/// Files by path.
class Files {
 public:
  FileBytes& operator[](const std::string& path) { return files_[path]; }
  [[nodiscard]] FileLookup lookup() const {
    return [this](const std::string& path) {
      const auto found = files_.find(path);
      return found != files_.end() ? std::span<const std::uint8_t>(found->second)
                                   : std::span<const std::uint8_t>();
    };
  }

 private:
  std::map<std::string, FileBytes> files_;
};

std::vector<ExecutedModule> modules_of(RecordBuilder made, const Files& files) {
  const auto record = read_record(made.end().bytes());
  EXPECT_TRUE(record) << record.error().message;
  return record ? executed_modules(std::span(&*record, 1), files.lookup())
                : std::vector<ExecutedModule>{};
}

/// "/a" as if loaded at kLoaded: its text lies kTextOffset behind.
RecordBuilder loaded(std::uint32_t flags = RIDGE_RECORD_BY_THREAD) {
  RecordBuilder made(flags);
  made.mapping(0, kLoaded, kLoaded + 0x1000, 0, "/a");
  return made;
}

TEST(ExecutedModules, AddressesAreThoseOfTheFile) {
  Files files;
  files["/a"] = file_with(kText, {build_id_section("\x12\xAB")});
  const auto modules =
      modules_of(loaded().block(kLoaded + kTextOffset, 0, kText).executions(0, {{0, 3}}), files);
  ASSERT_EQ(modules.size(), 1U);
  EXPECT_EQ(modules[0].path, "/a");
  EXPECT_EQ(modules[0].build_id, (std::vector<std::byte>{std::byte{0x12}, std::byte{0xAB}}));
  EXPECT_FALSE(modules[0].changed);
  ASSERT_EQ(modules[0].instructions.size(), 3U);
  EXPECT_EQ(modules[0].instructions[1],
            (ExecutedInstruction{kLinked + 1, 4, {0xF2, 0x0F, 0x58, 0xC1}, 3, std::nullopt}));
  EXPECT_EQ(modules[0].executions_at(kLinked + 5), 3U);
}

TEST(ExecutedModules, WithoutTheFileAddressesAreOffsets) {
  const auto modules =
      modules_of(loaded().block(kLoaded + kTextOffset, 0, kText).executions(0, {{0, 3}}), Files());
  ASSERT_EQ(modules.size(), 1U);
  EXPECT_EQ(modules[0].path, "/a");
  EXPECT_EQ(modules[0].instructions[0].address, kTextOffset);
  EXPECT_FALSE(modules[0].changed);
}

TEST(ExecutedModules, SeveralBlocksOfOneInstructionAddUpByThread) {
  Files files;
  files["/a"] = file_with(kText);
  const auto modules = modules_of(loaded()
                                      .block(kLoaded + kTextOffset, 0, kText)
                                      .block(kLoaded + kTextOffset + 1, 0, {0xF2, 0x0F, 0x58, 0xC1})
                                      .executions(0, {{0, 3}, {1, 10}})
                                      .executions(2, {{1, 1}}),
                                  files);
  ASSERT_EQ(modules.size(), 1U);
  EXPECT_EQ(modules[0].executions_at(kLinked), 3U);
  EXPECT_EQ(modules[0].executions_at(kLinked + 1), 14U);
  EXPECT_EQ(modules[0].by_thread,
            (std::vector<std::vector<std::uint64_t>>{{3, 13, 3}, {}, {0, 1, 0}}));
}

TEST(ExecutedModules, ThreadsAreToldApartOnlyWhereTheEngineDid) {
  const auto modules =
      modules_of(loaded(0).block(kLoaded + kTextOffset, 0, kText).executions(0, {{0, 3}}), Files());
  EXPECT_TRUE(modules.at(0).by_thread.empty());
  const auto far = modules_of(
      loaded().block(kLoaded + kTextOffset, 0, kText).executions(UINT32_MAX, {{0, 3}}), Files());
  EXPECT_TRUE(far.at(0).by_thread.empty());
  EXPECT_EQ(far[0].executions_at(kTextOffset), 3U);
}

TEST(ExecutedModules, ProcessesOfOneProgramAddUp) {
  RecordBuilder made = loaded();
  made.block(kLoaded + kTextOffset, 0, kText).executions(0, {{0, 3}});
  const auto record = read_record(made.end().bytes());
  ASSERT_TRUE(record);
  const std::vector<Record> twice{*record, *record};
  const auto modules = executed_modules(twice, Files().lookup());
  ASSERT_EQ(modules.size(), 1U);
  EXPECT_EQ(modules[0].executions_at(kTextOffset), 6U);
  EXPECT_TRUE(modules[0].by_thread.empty());
}

TEST(ExecutedModules, CodeWithoutAFileStandsAtItsAddressesInMemory) {
  Files files;
  files["/a"] = file_with(kText);
  const auto modules = modules_of(loaded()
                                      .mapping(1, 0x5000, 0x6000, 0, "")
                                      .block(0x5010, 1, {0xC3})
                                      .block(0x9010, 77, {0xC3})
                                      .block(kLoaded + 0xF00, 0, {0xC3})  // in no segment
                                      .block(kLoaded + kTextOffset, 0, {0x90})
                                      .executions(0, {{0, 1}, {1, 2}, {2, 4}, {3, 8}}),
                                  files);
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_EQ(modules[0].path, "");
  EXPECT_EQ(modules[0].executions_at(0x5010), 1U);
  EXPECT_EQ(modules[0].executions_at(0x9010), 2U);
  EXPECT_EQ(modules[0].executions_at(kLoaded + 0xF00), 4U);
  EXPECT_EQ(modules[1].executions_at(kLinked), 8U);
}

TEST(ExecutedModules, BytesThatAreNotThoseOfTheFileAreKeptAndSaid) {
  Files files;
  files["/a"] = file_with(kText);
  const auto modules =
      modules_of(loaded().block(kLoaded + kTextOffset, 0, {0xCC}).executions(0, {{0, 1}}), files);
  ASSERT_EQ(modules.size(), 1U);
  EXPECT_TRUE(modules[0].changed);
  EXPECT_EQ(modules[0].instructions[0].code[0], 0xCC);
}

TEST(ExecutedModules, OfSeveralCodesAtOneAddressTheOneThatRanMostStands) {
  const auto modules = modules_of(RecordBuilder()
                                      .block(0x5000, 0, {0x90})
                                      .block(0x5000, 0, {0xF2, 0x0F, 0x58, 0xC1})
                                      .executions(0, {{0, 2}, {1, 5}}),
                                  Files());
  ASSERT_EQ(modules.size(), 1U);
  ASSERT_EQ(modules[0].instructions.size(), 1U);
  EXPECT_EQ(modules[0].instructions[0].length, 4);
  EXPECT_EQ(modules[0].instructions[0].executions, 7U);
  EXPECT_TRUE(modules[0].changed);
}

TEST(ExecutedModules, LanesAreKnownWhereEveryBlockHasThem) {
  const auto lanes_with = [](bool both) {
    RecordBuilder made;
    made.block(0x5000, 0, {0x90, 0xC3}).block(0x5001, 0, {0xC3}).executions(0, {{0, 2}, {1, 3}});
    made.mask(0, 0, 1, 7);
    if (both) {
      made.mask(0, 1, 0, 5);
    }
    return modules_of(made, Files()).at(0).instructions.at(1).active_lanes;
  };
  EXPECT_EQ(lanes_with(true), 12U);
  EXPECT_EQ(lanes_with(false), std::nullopt);
}

TEST(ExecutedModules, TurnsAreThoseOfBlocksThatAreOneStringInstruction) {
  const auto turns_with = [](bool looked) {
    RecordBuilder made;
    made.block(0x5000, 0, {0xF3, 0x48, 0xA5}).block(0x6000, 0, {0xF3, 0x48, 0xA5});
    made.block(0x7000, 0, {0x90}).executions(0, {{0, 2}, {1, 1}, {2, 1}});
    if (looked) {
      made.turns(0, {{0, 7}}).turns(1, {{0, 3}});
    }
    const ExecutedModule module = modules_of(made, Files()).at(0);
    EXPECT_EQ(module.instructions.at(0).executions, 2U);
    return std::vector{module.instructions.at(0).turns, module.instructions.at(1).turns,
                       module.instructions.at(2).turns};
  };
  using Turns = std::vector<std::optional<std::uint64_t>>;
  EXPECT_EQ(turns_with(true), (Turns{10, 0, std::nullopt}));
  EXPECT_EQ(turns_with(false), (Turns{std::nullopt, std::nullopt, std::nullopt}));
}

TEST(ExecutedModules, BehindUnknownCodeTheRestOfTheBlockIsUnknown) {
  Code code{0x90, 0x06};  // nop; none in 64 bits
  code.resize(40, 0x90);
  const auto modules =
      modules_of(RecordBuilder().block(0x5000, 0, code).executions(0, {{0, 2}}), Files());
  ASSERT_EQ(modules.at(0).instructions.size(), 2U);
  EXPECT_EQ(modules[0].instructions[1].address, 0x5001U);
  EXPECT_EQ(modules[0].instructions[1].length, 15);
}

TEST(ExecutedModules, InstructionsAreInOrderAndOnceWhateverTheRecordHolds) {
  std::mt19937 random(3);
  Files files;
  files["/a"] = file_with(kText);
  auto whole = loaded()
                   .block(kLoaded + kTextOffset, 0, kText)
                   .block(kLoaded + kTextOffset + 1, 0, {0xF2, 0x0F, 0x58, 0xC1})
                   .executions(0, {{0, 3}, {1, 10}})
                   .executions(2, {{1, 1}})
                   .mask(0, 1, 0, 9)
                   .end()
                   .bytes();
  for (unsigned round = 0; round < 5000; ++round) {
    auto bytes = whole;
    bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    files["/a"][random() % files["/a"].size()] = static_cast<std::uint8_t>(random());
    const auto record = read_record(bytes);
    if (!record) {
      continue;
    }
    for (const ExecutedModule& module : executed_modules(std::span(&*record, 1), files.lookup())) {
      for (std::size_t i = 0; i < module.instructions.size(); ++i) {
        ASSERT_NE(module.instructions[i].executions, 0U);
        ASSERT_TRUE(i == 0 || module.instructions[i - 1].address < module.instructions[i].address);
      }
    }
    files["/a"] = file_with(kText);
  }
}

}  // namespace
}  // namespace ridge::measure::binary
