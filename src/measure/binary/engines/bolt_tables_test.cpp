#include "measure/binary/engines/bolt_tables.hpp"

#include <elf.h>
#include <vector>

#include <gtest/gtest.h>

#include "measure/code/program_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

/// The section as BOLT writes it: a note whose content is lists in front of texts.
class TableBytes {
 public:
  void number(std::uint32_t value) { append(functions_, value); }
  void numbers(std::initializer_list<std::uint32_t> values) {
    for (const std::uint32_t value : values) {
      number(value);
    }
  }
  void address(std::uint64_t value) { append(functions_, value); }

  [[nodiscard]] FileBytes section(std::string_view names) const {
    FileBytes content;
    append(content, std::uint32_t{8});  // one indirect call
    append(content, std::uint64_t{0});
    append(content, std::uint32_t{16});  // one target of it
    append(content, std::uint64_t{0});
    append(content, std::uint64_t{0});
    append(content, static_cast<std::uint32_t>(functions_.size()));
    content.insert(content.end(), functions_.begin(), functions_.end());
    content.insert(content.end(), names.begin(), names.end());
    FileBytes note;
    append(note, std::uint32_t{5});
    append(note, static_cast<std::uint32_t>(content.size()));
    append(note, std::uint32_t{4});
    note.insert(note.end(), {'B', 'O', 'L', 'T', 0, 0, 0, 0});
    note.insert(note.end(), content.begin(), content.end());
    return note;
  }

 private:
  FileBytes functions_;
};

/// Two functions: "f" with two edges and a call, "g" with an edge without a counter.
FileBytes two_functions() {
  TableBytes table;
  table.numbers({0});                     // no block counts itself
  table.numbers({2});                     // edges
  table.numbers({0, 4, 0, 0, 8, 1, 0});   // f+4 in block 0 to f+8, block 1: counter 0
  table.numbers({0, 12, 1, 0, 8, 1, 2});  // f+12 back to f+8: counter 2
  table.numbers({1});                     // calls
  table.numbers({0, 4, 0, 2, 0, 1});      // f+4 calls g: counter 1
  table.address(0x5000);
  table.numbers({1});  // entries
  table.address(0);
  table.address(0x4000);
  table.numbers({1, 0, 7});  // a block that counts itself
  table.numbers({1, 2, 0, 0, 2, 4, 1, kNone});
  table.numbers({0, 0});
  return table.section(std::string_view("f\0g/1\0", 6));
}

/// Counters 0 and 2 are in use: lock inc [rip + ...] at 0x1000, inc at 0x1008.
FileBytes program_with(FileBytes tables, FileBytes code) {
  return elf_file({{".text", 0x1000, std::move(code), true},
                   {".bolt.instr.counters", 0x2000, FileBytes(32), false},
                   {".bolt.instr.tables", 0, std::move(tables), false, SHT_NOTE}});
}

FileBytes counting_code() {
  return {0xf0, 0x48, 0xff, 0x05, 0xf8, 0x0f, 0x00, 0x00,   // 0x1008 + 0xff8 = 0x2000
          0x48, 0xff, 0x05, 0x01, 0x10, 0x00, 0x00, 0xc3};  // 0x100f + 0x1001 = 0x2010
}

TEST(BoltTables, TellWhichCounterCountsWhichEdge) {
  const FileBytes file = program_with(two_functions(), counting_code());
  const auto image = machine_code::ElfImage::read(file);
  ASSERT_TRUE(image);
  const auto tables = read_bolt_tables(*image);
  ASSERT_TRUE(tables) << tables.error().message;
  ASSERT_EQ(tables->functions.size(), 2U);
  const BoltFunction& function = tables->functions[0];
  EXPECT_EQ(function.name, "f");
  ASSERT_EQ(function.edges.size(), 2U);
  EXPECT_EQ(function.edges[1].from, 12U);
  EXPECT_EQ(function.edges[1].from_node, 1U);
  EXPECT_EQ(function.edges[1].to, 8U);
  EXPECT_EQ(function.edges[1].to_node, 1U);
  EXPECT_EQ(function.edges[1].counter, 2U);
  ASSERT_EQ(function.calls.size(), 1U);
  EXPECT_EQ(function.calls[0].from, 4U);
  EXPECT_EQ(function.calls[0].counter, 1U);
  EXPECT_EQ(function.entry_nodes, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(tables->functions[1].name, "g/1");
  EXPECT_TRUE(tables->functions[1].edges.empty());
  EXPECT_EQ(tables->in_use, (std::vector<bool>{true, false, true, false}));
}

TEST(BoltTables, RefuseAProgramWithoutThem) {
  const FileBytes file = elf_file({{".text", 0x1000, counting_code(), true}});
  const auto image = machine_code::ElfImage::read(file);
  ASSERT_TRUE(image);
  const auto tables = read_bolt_tables(*image);
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().code, ErrorCode::bad_input);
}

TEST(BoltTables, AreRefusedOrReadHoweverTheyAreCut) {
  const FileBytes whole = two_functions();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const FileBytes file = program_with(
        FileBytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)), {0xc3});
    const auto image = machine_code::ElfImage::read(file);
    ASSERT_TRUE(image);
    EXPECT_FALSE(read_bolt_tables(*image)) << size;
  }
}

TEST(BoltTables, AreRefusedOrReadWhateverEachByteBecomes) {
  const FileBytes whole = two_functions();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const std::uint8_t value : {0x00, 0x7f, 0x80, 0xff}) {
      FileBytes changed = whole;
      changed[at] = value;
      const FileBytes file = program_with(changed, {0xc3});
      const auto image = machine_code::ElfImage::read(file);
      ASSERT_TRUE(image);
      const auto tables = read_bolt_tables(*image);
      EXPECT_LE(tables ? tables->functions.size() : 0, 2U);
    }
  }
}

}  // namespace
}  // namespace ridge::measure::binary
