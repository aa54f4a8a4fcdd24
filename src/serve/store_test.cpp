#include "serve/store.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/folder_for_tests.hpp"

namespace ridge::serve {
namespace {

using testing::Folder;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::vector<std::string> names(Store& store) {
  std::vector<std::string> found;
  for (const StoredEntry& entry : store.list()) {
    found.push_back(entry.name);
  }
  return found;
}

const StoredEntry& entry(Store& store, const std::string& name) {
  const auto& entries = store.list();
  return *std::find_if(entries.begin(), entries.end(),
                       [&](const StoredEntry& e) { return e.name == name; });
}

TEST(Store, ListsFoldersThatHoldAResult) {
  const Folder folder;
  folder.result("a");
  folder.result("deep/er/b");
  folder.write("empty/notes.txt", "");
  folder.result(".hidden");
  auto store = Store::open(folder.path);
  ASSERT_TRUE(store);
  EXPECT_THAT(names(*store), UnorderedElementsAre("a", "deep/er/b"));
  EXPECT_FALSE(entry(*store, "a").unreadable);
  EXPECT_FALSE(entry(*store, "a").argv.empty());
}

TEST(Store, TheFolderItselfMayBeTheResult) {
  const Folder folder;
  folder.write("profile.json", Folder::good());
  auto store = Store::open(folder.path);
  EXPECT_THAT(names(*store), UnorderedElementsAre("."));
  EXPECT_TRUE(store->read("."));
}

TEST(Store, WhatCannotBeReadIsListedWithTheReason) {
  const Folder folder;
  folder.write("broken/profile.json", "{");
  folder.write("empty/profile.json", "");
  std::string later = Folder::good();
  later.replace(later.find("ridge.profile/2"), 15, "ridge.profile/3");
  folder.write("later/profile.json", later);
  std::filesystem::create_directories(folder.path / "folder/profile.json");
  ASSERT_EQ(mkfifo((folder.path / "pipe.json").c_str(), 0600), 0);
  std::filesystem::create_directories(folder.path / "pipe");
  ASSERT_EQ(mkfifo((folder.path / "pipe/profile.json").c_str(), 0600), 0);
  auto store = Store::open(folder.path);
  EXPECT_THAT(names(*store), UnorderedElementsAre("broken", "empty", "later", "folder", "pipe"));
  for (const StoredEntry& found : store->list()) {
    EXPECT_TRUE(found.unreadable) << found.name;
  }
  EXPECT_THAT(*entry(*store, "later").unreadable, HasSubstr("ridge.profile/2"));
}

TEST(Store, LinksAreNotFollowed) {
  const Folder outside;
  outside.result("secret");
  const Folder folder;
  folder.result("a");
  namespace fs = std::filesystem;
  fs::create_directory_symlink(outside.path / "secret", folder.path / "link");
  fs::create_directory_symlink("/", folder.path / "root");
  fs::create_directory_symlink("..", folder.path / "up");
  fs::create_directories(folder.path / "file");
  fs::create_symlink(outside.path / "secret/profile.json", folder.path / "file/profile.json");
  auto store = Store::open(folder.path);
  EXPECT_THAT(names(*store), UnorderedElementsAre("a", "file"));
  EXPECT_THAT(*entry(*store, "file").unreadable, HasSubstr("link"));
  EXPECT_FALSE(store->read("file"));
  EXPECT_FALSE(store->read("link"));
}

TEST(Store, AFolderThatBecomesALinkIsNotFollowedEither) {
  const Folder outside;
  outside.result("secret");
  const Folder folder;
  folder.result("a/b");
  auto store = Store::open(folder.path);
  ASSERT_EQ(names(*store).size(), 1U);
  std::filesystem::remove_all(folder.path / "a");
  std::filesystem::create_directories(outside.path / "b");
  outside.result("b");
  std::filesystem::create_directory_symlink(outside.path, folder.path / "a");
  EXPECT_FALSE(store->read("a/b"));  // still in the listing
}

TEST(Store, OnlyNamesOfTheListingAreRead) {
  const Folder folder;
  folder.result("a");
  folder.result("b");
  std::filesystem::permissions(folder.path, std::filesystem::perms::owner_all);
  auto store = Store::open(folder.path / "a");
  ASSERT_TRUE(store);
  static_cast<void>(store->list());
  for (const std::string& name :
       {std::string(".."), std::string("../b"), std::string("./../b"), std::string("/etc"),
        std::string("a"), std::string(), std::string("./"), std::string(".\0", 2),
        (folder.path / "b").string(), std::string(100000, 'a'), std::string("..%2fb")}) {
    EXPECT_FALSE(store->read(name)) << name;
  }
  EXPECT_TRUE(store->read("."));
}

TEST(Store, ItsVersionChangesWithItsResults) {
  const Folder folder;
  folder.result("a");
  auto store = Store::open(folder.path);
  static_cast<void>(store->list());
  const std::string before = store->version();
  static_cast<void>(store->list());
  EXPECT_EQ(store->version(), before);
  folder.result("b");
  static_cast<void>(store->list());
  EXPECT_NE(store->version(), before);
}

TEST(Store, AFolderThatIsNotThereIsAnError) {
  const auto store = Store::open("/no/such/folder");
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::bad_input);
}

}  // namespace
}  // namespace ridge::serve
