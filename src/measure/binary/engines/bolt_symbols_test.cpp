#include "measure/binary/engines/bolt_symbols.hpp"

#include <elf.h>
#include <vector>

#include <gtest/gtest.h>

#include "measure/code/program_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

constexpr std::uint64_t kCode = 0x1000;

struct NamedFunction {
  std::string_view file;  ///< where it is local; empty: global
  std::string_view name;
  std::uint64_t address;
  std::uint64_t size;
};

/// With a symbol table, whose section is linked to the one behind it.
FileBytes program_of(const FileBytes& code, const std::vector<NamedFunction>& functions) {
  FileBytes names{0};
  FileBytes symbols;
  append(symbols, Elf64_Sym{});
  const auto add = [&](std::string_view name, std::uint8_t info, std::uint64_t address,
                       std::uint64_t size) {
    append(symbols, Elf64_Sym{static_cast<std::uint32_t>(names.size()), info, 0, 1, address, size});
    names.insert(names.end(), name.begin(), name.end());
    names.push_back(0);
  };
  for (const NamedFunction& each : functions) {
    if (!each.file.empty()) {
      add(each.file, ELF64_ST_INFO(STB_LOCAL, STT_FILE), 0, 0);
    }
    add(each.name, ELF64_ST_INFO(each.file.empty() ? STB_GLOBAL : STB_LOCAL, STT_FUNC),
        each.address, each.size);
  }
  FileBytes file = elf_file({{".text", kCode, code, true},
                             {".symtab", 0, symbols, false, SHT_SYMTAB},
                             {".strtab", 0, names, false, SHT_PROGBITS}});
  const auto sections = reinterpret_cast<const Elf64_Ehdr*>(file.data())->e_shoff;
  const std::uint32_t names_section = 3;
  std::memcpy(file.data() + sections + 2 * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_link),
              &names_section, sizeof names_section);
  const std::uint32_t text = SHT_STRTAB;
  std::memcpy(file.data() + sections + 3 * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_type),
              &text, sizeof text);
  return file;
}

/// 0 inc eax; 2 call 0x2000; 7 nop; 8 add eax, eax; 10 dec eax; 12 ret; then 0: ret
FileBytes calling_code() {
  return {0xff, 0xc0, 0xe8, 0xf9, 0x0f, 0x00, 0x00, 0x90, 0x01, 0xc0, 0xff, 0xc8, 0xc3, 0xc3};
}

TEST(BoltMarks, StandBehindFirstInstructionsAndCalls) {
  const FileBytes file =
      program_of(calling_code(), {{"", "f", kCode, 13}, {"", "g", kCode + 13, 1}});
  const auto image = machine_code::ElfImage::read(file);
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(bolt_marks(*image), (std::vector<std::uint64_t>{kCode + 2, kCode + 8, kCode + 10}));
}

TEST(BoltMarks, AreOfNamedFunctionsAlone) {
  const FileBytes file = elf_file({{".text", kCode, calling_code(), true}});
  const auto image = machine_code::ElfImage::read(file);
  ASSERT_TRUE(image);
  EXPECT_TRUE(bolt_marks(*image).empty());
}

TEST(BoltSymbols, AreAddedBehindThoseOfTheFile) {
  const FileBytes file = program_of(calling_code(), {{"", "f", kCode, 0}});
  const auto marked = with_bolt_symbols(file, std::vector<std::uint64_t>{kCode + 2, 0x9000});
  ASSERT_TRUE(marked) << marked.error().message;
  EXPECT_TRUE(std::equal(file.begin() + sizeof(Elf64_Ehdr), file.end(),
                         marked->begin() + sizeof(Elf64_Ehdr)));
  const auto image = machine_code::ElfImage::read(*marked);
  ASSERT_TRUE(image) << image.error().message;
  const auto functions = image->function_symbols();
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_EQ(functions[0].name, "f");
  EXPECT_EQ(functions[0].size, calling_code().size());
  const auto* symbols = image->section(".symtab");
  ASSERT_NE(symbols, nullptr);
  ASSERT_EQ(symbols->bytes.size(), 3 * sizeof(Elf64_Sym));  // 0x9000 is no code
  Elf64_Sym mark;
  std::memcpy(&mark, symbols->bytes.data() + 2 * sizeof mark, sizeof mark);
  EXPECT_EQ(mark.st_value, kCode + 2);
  EXPECT_EQ(mark.st_shndx, 1U);
}

TEST(BoltSymbols, TellLocalFunctionsOfTheSameNameApart) {
  const FileBytes file =
      program_of(calling_code(),
                 {{"a.c", "f", kCode, 2}, {"b.c", "f", kCode + 8, 2}, {"c.c", "g", kCode + 10, 1}});
  const auto marked = with_bolt_symbols(file, {});
  ASSERT_TRUE(marked);
  const auto image = machine_code::ElfImage::read(*marked);
  ASSERT_TRUE(image);
  const auto names = bolt_function_names(*image);
  EXPECT_EQ(names.size(), 3U);
  EXPECT_FALSE(names.contains("f"));
  EXPECT_EQ(names.at("ridge1.f"), kCode);
  EXPECT_EQ(names.at("ridge2.f"), kCode + 8);
  EXPECT_EQ(names.at("g"), kCode + 10);
}

TEST(BoltSymbols, RefuseAProgramWithoutSymbols) {
  const auto marked = with_bolt_symbols(elf_file({{".text", kCode, calling_code(), true}}), {});
  ASSERT_FALSE(marked);
  EXPECT_EQ(marked.error().code, ErrorCode::bad_input);
}

TEST(BoltSymbols, ReadOrRefuseWhateverEachByteBecomes) {
  const FileBytes file =
      program_of(calling_code(), {{"a.c", "f", kCode, 2}, {"", "g", kCode + 8, 0}});
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (const std::uint8_t value : {0x00, 0x7f, 0xff}) {
      FileBytes changed = file;
      changed[at] = value;
      const auto image = machine_code::ElfImage::read(changed);
      const auto marked =
          with_bolt_symbols(changed, image ? bolt_marks(*image) : std::vector<std::uint64_t>{});
      EXPECT_TRUE(!marked || marked->size() >= file.size());
    }
  }
}

}  // namespace
}  // namespace ridge::measure::binary
