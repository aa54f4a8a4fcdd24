#include "import/importer.hpp"

#include <filesystem>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/value/profile.hpp"
#include "import/files_for_tests.hpp"
#include "serialize/machine.hpp"
#include "serialize/profile.hpp"

namespace ridge::imports {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("testdata")) {
    if (entry.path().extension() != ".md") {
      names.push_back(entry.path().filename().string());
    }
  }
  return names;
}

TEST(Importers, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Importer& importer : importers()) {
    EXPECT_TRUE(names.insert(importer.name).second) << importer.name;
    EXPECT_EQ(find_importer(importer.name), &importer);
    EXPECT_NE(importer.name, "list");
  }
  EXPECT_EQ(find_importer("list"), nullptr);
}

/// A file is called after its format: google_benchmark_aggregates.json.
TEST(Importers, EachFileIsKnownByItsFormatAlone) {
  for (const std::string& file : files()) {
    const std::string text = text_of(file);
    std::size_t claims = 0;
    for (const Importer& importer : importers()) {
      std::string prefix(importer.name);
      std::replace(prefix.begin(), prefix.end(), '-', '_');
      const bool is_sniffed = importer.sniff(std::string_view(text).substr(0, 65536));
      claims += is_sniffed ? 1 : 0;
      if (is_sniffed) {
        EXPECT_TRUE(file.starts_with(prefix)) << file << " is taken for " << importer.name;
      }
    }
    EXPECT_EQ(claims, 1U) << file;
  }
}

TEST(Importers, EveryFormatHasAFileAndMakesAResultThatCanBeReadAgain) {
  std::set<const Importer*> seen;
  for (const std::string& file : files()) {
    const std::string text = text_of(file);
    seen.insert(sniff_importer(text));
    const auto imported = import_text({text, file});
    ASSERT_TRUE(imported) << imported.error().message;
    if (is_machine(*imported)) {
      const Machine machine = machine_of(*imported, file, "1.2.3");
      const auto again = serialize::parse_machine(serialize::write_machine(machine), file);
      ASSERT_TRUE(again) << again.error().message;
      EXPECT_EQ(*again, machine) << file;
      continue;
    }
    const Profile profile = profile_of(*imported, file, std::nullopt, "1.2.3");
    EXPECT_EQ(profile.imports.size(), 1U);
    EXPECT_TRUE(has_note(profile.notes, "imported"));
    const auto again = serialize::parse_profile(serialize::write_profile(profile, {}), file);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, profile) << file;
  }
  EXPECT_EQ(seen.size(), importers().size()) << "a format without a file in testdata/";
}

/// Cut anywhere, a file is read or refused with its name; nothing else happens.
TEST(Importers, TruncatedFilesAreReadOrRefused) {
  for (const std::string& file : files()) {
    const std::string text = text_of(file);
    for (std::size_t size = 0; size < text.size(); size += 1 + text.size() / 97) {
      for (const Importer& importer : importers()) {
        const auto imported =
            import_text({std::string_view(text).substr(0, size), "f.txt"}, importer.name);
        if (!imported) {
          EXPECT_THAT(imported.error().message, HasSubstr("f.txt"));
          EXPECT_EQ(imported.error().code, ErrorCode::bad_input);
        }
      }
    }
  }
}

TEST(Importers, ForeignTextsAreRefused) {
  EXPECT_THAT(refusal(""), HasSubstr("f.txt: is empty"));
  EXPECT_THAT(refusal("hello\nworld\n"), HasSubstr("no format"));
  EXPECT_THAT(refusal(std::string_view("\x7f"
                                       "ELF\0\0\1\2\xff",
                                       9)),
              HasSubstr("no format"));
  for (const Importer& importer : importers()) {
    for (const std::string_view text :
         {std::string_view("hello,world\n1,2\n"), std::string_view("{}"),
          std::string_view("\x7f"
                           "ELF\0,\"\n\xff",
                           9),
          std::string_view("\n\n")}) {
      EXPECT_THAT(refusal(text, importer.name), HasSubstr("f.txt")) << importer.name;
    }
  }
}

TEST(Importers, AnUnknownNameIsAUsageError) {
  const auto imported = import_text({"x", "f.txt"}, "vtune\n");
  ASSERT_FALSE(imported);
  EXPECT_EQ(imported.error().code, ErrorCode::usage);
  EXPECT_THAT(imported.error().hint, HasSubstr("google-benchmark"));
}

TEST(Importers, NamesAreMadeValidText) {
  const auto imported =
      import_text({"Name,Calls,TotalDurationNs\nk\xff(int),1,5\n", "f.txt"}, "rocprof");
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->regions[0].name, "k\xEF\xBF\xBD(int)");
  EXPECT_EQ(imported->regions[0].function, "k\xEF\xBF\xBD");
}

/// Version and file came through as they stood, and what was written could not be read.
TEST(Importers, VersionsAndFilesAreMadeValidText) {
  const auto mix =
      import_text({"# Intel(R) SDE version: 9\xff\n# EMIT_GLOBAL_DYNAMIC_STATS   EMIT# "
                   "1\n*mem-read-8 1\n*total 1\n# END_GLOBAL_DYNAMIC_STATS\n",
                   "f.txt"});
  ASSERT_TRUE(mix);
  EXPECT_EQ(mix->version, "9\xEF\xBF\xBD");
  const auto survey = import_text(
      {"ID,Function Call Sites and Loops,Self Time,Source Location\n1,f,2s,a\xff.cpp:3\n",
       "f.txt"});
  ASSERT_TRUE(survey);
  EXPECT_EQ(survey->regions[0].file, "a\xEF\xBF\xBD.cpp");
  for (const auto& imported : {mix, survey}) {
    const Profile profile = profile_of(*imported, "f", std::nullopt, "1");
    const auto again = serialize::parse_profile(serialize::write_profile(profile, {}), "f");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, profile);
  }
}

TEST(Profiles, WithoutRoofsSayHowToGetThem) {
  Imported imported;
  imported.tool = "T";
  EXPECT_TRUE(has_note(profile_of(imported, "f", std::nullopt, "1").notes, "machine-unknown"));
  EXPECT_FALSE(has_note(profile_of(imported, "f", Machine{}, "1").notes, "machine-unknown"));
  imported.machine.ceilings.resize(1);
  EXPECT_FALSE(has_note(profile_of(imported, "f", std::nullopt, "1").notes, "machine-unknown"));
}

TEST(Profiles, LevelsThatTheMachineLacksAreNoted) {
  Imported imported;
  imported.tool = "T";
  imported.regions.resize(1);
  imported.regions[0].traffic["HBM"] = {1, 2};
  Machine machine;
  machine.memories.push_back({});
  EXPECT_TRUE(has_note(profile_of(imported, "f", machine, "1").notes, "unknown-level"));
  machine.memories[0].level = "HBM";
  EXPECT_FALSE(has_note(profile_of(imported, "f", machine, "1").notes, "unknown-level"));
}

}  // namespace
}  // namespace ridge::imports
