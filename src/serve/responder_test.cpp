#include "serve/responder.hpp"

#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/folder_for_tests.hpp"
#include "serve/list_page.hpp"

namespace ridge::serve {
namespace {

using testing::Folder;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kToken = "0123456789abcdef";
constexpr unsigned kPort = 4711;

class ResponderTest : public ::testing::Test {
 protected:
  ResponderTest()
      : responder_(std::move(*Store::open(folder_.path)), "results", kToken, kPort,
                   [](const std::vector<StoredText>& texts) -> Result<std::string> {
                     std::string names = "page of";
                     for (const StoredText& text : texts) {
                       names += " " + text.name;
                     }
                     return names;
                   }) {}

  HttpResponse get(const std::string& target, const std::string& method = "GET",
                   const std::vector<std::string>& hosts = {"127.0.0.1:4711"}) {
    return responder_.respond({method, target, hosts});
  }
  HttpResponse below(const std::string& rest) { return get(std::string("/") + kToken + rest); }

  Folder folder_;
  Responder responder_;
};

TEST_F(ResponderTest, ListsOpensAndCompares) {
  folder_.result("a");
  folder_.result("b c");
  const HttpResponse list = below("/");
  EXPECT_EQ(list.status, 200);
  EXPECT_THAT(list.body, HasSubstr("open?name=b%20c"));
  EXPECT_EQ(below("/open?name=a").body, "page of a");
  EXPECT_EQ(below("/open?name=b%20c").body, "page of b c");
  EXPECT_EQ(below("/open?name=b+c&name=a").body, "page of b c a");
}

TEST_F(ResponderTest, AWrongTokenTellsNothing) {
  folder_.result("a");
  const HttpResponse nothing = get("/");
  EXPECT_EQ(nothing.status, 404);
  for (const char* target :
       {"/0123456789abcdee/", "/0123456789abcdef0/", "/0123456789abcde/", "//", "/list.js",
        "/open?name=a", "/0123456789ABCDEF/", "/x/0123456789abcdef/", "/%30123456789abcdef/",
        "/0123456789abcdef", "/0123456789abcdef?", "", "*", "http://127.0.0.1:4711/"}) {
    EXPECT_EQ(get(target).status, 404) << target;
    EXPECT_EQ(get(target).body, nothing.body) << target;
  }
}

TEST_F(ResponderTest, OnlyReads) {
  for (const char* method :
       {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "", "PROPFIND"}) {
    EXPECT_EQ(get("/0123456789abcdef/", method).status, 405) << method;
  }
  EXPECT_EQ(get("/0123456789abcdef/", "HEAD").status, 200);
}

TEST_F(ResponderTest, OtherNamesOfThisHostAreRefused) {
  const std::string target = "/0123456789abcdef/";
  EXPECT_EQ(get(target, "GET", {"localhost:4711"}).status, 200);
  const std::vector<std::vector<std::string>> wrong{{},
                                                    {""},
                                                    {"evil.example:4711"},
                                                    {"127.0.0.1"},
                                                    {"127.0.0.1:4712"},
                                                    {"127.0.0.1:4711", "127.0.0.1:4711"},
                                                    {"127.0.0.1:4711.evil.example"},
                                                    {"localhost:4711@evil"},
                                                    {"[::1]:4711"},
                                                    {"0.0.0.0:4711"}};
  for (const auto& hosts : wrong) {
    EXPECT_EQ(get(target, "GET", hosts).status, 403) << (hosts.empty() ? "none" : hosts[0]);
  }
}

TEST_F(ResponderTest, NoPathLeadsOutOfTheFolder) {
  folder_.result("a");
  const Folder outside;
  outside.result("secret");
  for (const std::string& name : {std::string(".."),
                                  std::string("../secret"),
                                  std::string("%2e%2e"),
                                  std::string("%2e%2e%2fsecret"),
                                  std::string("..%2Fsecret"),
                                  std::string("%252e%252e"),
                                  std::string("/etc"),
                                  std::string("%2Fetc"),
                                  std::string("a/../a"),
                                  std::string("a/"),
                                  std::string("./a"),
                                  std::string("a%00"),
                                  std::string("a%00/../b"),
                                  std::string("%"),
                                  std::string("%2"),
                                  std::string("%zz"),
                                  std::string("%c0%ae%c0%ae"),
                                  std::string("\\.."),
                                  outside.path.string() + "/secret",
                                  std::string(7000, 'a')}) {
    const HttpResponse response = below("/open?name=" + name);
    EXPECT_TRUE(response.status == 404 || response.status == 400) << name << response.status;
    EXPECT_THAT(response.body, Not(HasSubstr("page of"))) << name;
  }
  for (const char* path : {"/../", "/..", "/a", "/a/profile.json", "/%2e%2e/", "/open/../list.js",
                           "/list.js/", "/./", "//", "/state/"}) {
    EXPECT_EQ(below(path).status, 404) << path;
  }
  EXPECT_EQ(below("/" + std::string(10000, 'a')).status, 404);
}

TEST_F(ResponderTest, AQueryHoldsNamesOnly) {
  folder_.result("a");
  for (const char* query : {"", "name", "name=", "x=1", "name=a&x=1", "name=a;name=b", "Name=a"}) {
    const int status = below(std::string("/open?") + query).status;
    EXPECT_TRUE(status == 400 || status == 404) << query;
  }
  std::string many = "/open?name=a";
  for (int i = 0; i < 8; ++i) {
    many += "&name=a";
  }
  EXPECT_EQ(below(many).status, 400);
}

TEST_F(ResponderTest, AnythingGetsAnAnswer) {
  folder_.result("a");
  std::mt19937 random(5);
  const std::string letters("/.%2eaname=&?\\0\0:x", 18);
  for (int round = 0; round < 3000; ++round) {
    std::string rest;
    for (std::size_t length = random() % 20; length > 0; --length) {
      rest += letters[random() % letters.size()];
    }
    const HttpResponse response = below("/open?name=" + rest);
    EXPECT_TRUE(response.status == 200 || response.status == 400 || response.status == 404);
    EXPECT_TRUE(response.status != 200 || response.body.starts_with("page of a")) << rest;
  }
}

TEST_F(ResponderTest, EveryAnswerHasAPolicy) {
  for (const char* rest : {"/", "/list.js", "/list.css", "/state", "/open?name=x", "/nothing"}) {
    EXPECT_THAT(below(rest).policy, HasSubstr("default-src 'none'")) << rest;
    EXPECT_THAT(below(rest).policy, HasSubstr("frame-ancestors 'none'")) << rest;
  }
  EXPECT_THAT(below("/").policy, Not(HasSubstr("unsafe")));
}

TEST_F(ResponderTest, NewResultsChangeTheState) {
  const std::string before = below("/state").body;
  EXPECT_EQ(below("/state").body, before);
  folder_.result("new");
  EXPECT_NE(below("/state").body, before);
  EXPECT_THAT(below("/").body, HasSubstr(below("/state").body));
}

TEST(ListPage, HostileNamesStayText) {
  StoredEntry entry;
  entry.name = "\"><script>alert(1)</script>";
  entry.argv = {"</code><img src=x onerror=alert(1)>"};
  entry.date = "<b>";
  entry.machine = "'\"&";
  StoredEntry broken = entry;
  broken.unreadable = "<i>";
  const std::string page = list_page("<title>", {entry, broken}, "0");
  for (const char* markup : {"<script>alert", "<img", "<b>", "<i>", "<title><title>"}) {
    EXPECT_THAT(page, Not(HasSubstr(markup)));
  }
  EXPECT_THAT(page, HasSubstr("open?name=%22%3E%3Cscript%3E"));
}

}  // namespace
}  // namespace ridge::serve
