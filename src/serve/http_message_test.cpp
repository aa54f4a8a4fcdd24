#include "serve/http_message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::serve {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const HttpRequest* request_in(const std::variant<Incomplete, HttpRequest, HttpResponse>& parsed) {
  return std::get_if<HttpRequest>(&parsed);
}

/// 0: a request; -1: more is needed.
int status_of(const std::string& bytes) {
  const auto parsed = parse_request(bytes);
  const auto* refused = std::get_if<HttpResponse>(&parsed);
  return refused != nullptr ? refused->status : request_in(parsed) != nullptr ? 0 : -1;
}

TEST(ParseRequest, LineAndHosts) {
  const auto parsed = parse_request(
      "GET /a?b=%20 HTTP/1.1\r\nhost: \t127.0.0.1:80 \r\nAccept: */*\r\nHOST:x\r\n\r\nmore");
  const HttpRequest* request = request_in(parsed);
  ASSERT_NE(request, nullptr);
  EXPECT_EQ(request->method, "GET");
  EXPECT_EQ(request->target, "/a?b=%20");
  EXPECT_THAT(request->hosts, ElementsAre("127.0.0.1:80", "x"));
}

TEST(ParseRequest, EveryBeginningNeedsMore) {
  const std::string whole = "HEAD /token/ HTTP/1.0\r\nHost: localhost:4711\r\nEmpty:\r\n\r\n";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_EQ(status_of(whole.substr(0, length)), -1) << length;
  }
  EXPECT_EQ(status_of(whole), 0);
}

TEST(ParseRequest, WhatIsNoneIsRefused) {
  for (const char* bytes :
       {"GET\r\n\r\n", "GET / \r\n\r\n", " / HTTP/1.1\r\n\r\n", "GET  HTTP/1.1\r\n\r\n",
        "GET / x HTTP/1.1\r\n\r\n", "G(T / HTTP/1.1\r\n\r\n", "GET / http/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost\r\n\r\n", "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        "GET / HTTP/1.1\r\n: x\r\n\r\n", "GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\001\r\n\r\n", "GET / HTTP/1.1\r\nA: b\rHost: c\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\nHost: c\r\n\r\n", "\r\n\r\n", "GET / HTTP/1.1\n\n", "\x16\x03\x01",
        "\001"}) {
    EXPECT_EQ(status_of(bytes), 400) << bytes;
  }
  EXPECT_EQ(status_of(std::string(4, '\0')), 400);
  EXPECT_EQ(status_of("GET / HTTP/2.0\r\n\r\n"), 505);
}

TEST(ParseRequest, TooMuchIsRefusedBeforeItEnds) {
  EXPECT_EQ(status_of(std::string(kMostRequestBytes - 1, 'a')), -1);
  EXPECT_EQ(status_of(std::string(kMostRequestBytes, 'a')), 431);
  const std::string long_header =
      "GET / HTTP/1.1\r\nA: " + std::string(kMostRequestBytes, 'b') + "\r\n\r\n";
  EXPECT_EQ(status_of(long_header), 431);
}

TEST(ParseRequest, NoBodyIsTaken) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nContent-Length: 1\r\n\r\n"), 413);
  EXPECT_EQ(status_of("HEAD / HTTP/1.1\r\ncontent-length: 00\r\n\r\n"), 413);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), 413);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n"), 0);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\n"), 0)
      << "its method is refused where the answer is made";
}

TEST(AnswerBytes, HeadersAndBody) {
  const std::string answer = answer_bytes({200, "text/html", "default-src 'none'", "hello"}, false);
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(answer, EndsWith("\r\n\r\nhello"));
  for (const char* header :
       {"\r\nContent-Security-Policy: default-src 'none'\r\n", "\r\nContent-Type: text/html\r\n",
        "\r\nContent-Length: 5\r\n", "\r\nConnection: close\r\n",
        "\r\nReferrer-Policy: no-referrer", "\r\nCache-Control: no-store\r\n"}) {
    EXPECT_THAT(answer, HasSubstr(header));
  }
  const std::string head = answer_bytes({200, "text/html", "", "hello"}, true);
  EXPECT_THAT(head, EndsWith("\r\n\r\n"));
  EXPECT_THAT(head, HasSubstr("Content-Length: 5"));
}

TEST(AnswerBytes, RefusalsSayWhy) {
  for (const int status : {400, 403, 404, 405, 408, 413, 422, 431, 500, 503, 505}) {
    const std::string answer = answer_bytes(refusal(status, "because"), false);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 " + std::to_string(status) + " "));
    EXPECT_THAT(answer, Not(HasSubstr("Unknown"))) << status;
    EXPECT_THAT(answer, EndsWith("\r\n\r\nbecause\n"));
  }
  EXPECT_THAT(answer_bytes(refusal(405, ""), false), HasSubstr("\r\nAllow: GET, HEAD\r\n"));
}

}  // namespace
}  // namespace ridge::serve
