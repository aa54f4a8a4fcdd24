#include "serve/http_server.hpp"

#include <arpa/inet.h>
#include <array>
#include <condition_variable>
#include <mutex>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/descriptor.hpp"

namespace ridge::serve {
namespace {

using std::chrono::milliseconds;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Nothing here takes any time: it only keeps a server that hangs from hanging the test.
constexpr int kPatienceSeconds = 60;
/// Longer than any test: what must not be waited for.
constexpr milliseconds kNever{600'000};

Descriptor connected(unsigned port) {
  Descriptor client(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval patience{kPatienceSeconds, 0};
  setsockopt(client.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(client.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  return client;
}

void say(const Descriptor& client, std::string_view text) {
  send(client.get(), text.data(), text.size(), MSG_NOSIGNAL);
}

/// What comes until the server closes the connection; "(nothing in time)" if it does not.
std::string heard(const Descriptor& client) {
  std::string text;
  std::array<char, 65536> buffer{};
  ssize_t got = 0;
  while ((got = recv(client.get(), buffer.data(), buffer.size(), 0)) > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return got < 0 && errno == EAGAIN ? "(nothing in time)" : text;
}

std::string asked(unsigned port, const std::string& target) {
  const Descriptor client = connected(port);
  say(client, "GET " + target + " HTTP/1.1\r\n\r\n");
  return heard(client);
}

HttpLimits patient() {
  HttpLimits limits;
  limits.arrival = limits.answer = limits.delivery = limits.farewell = kNever;
  return limits;
}

HttpResponse echo(const HttpRequest& request) {
  return {200, "text/plain", "", request.target};
}

TEST(HttpServer, AnswersInPieces) {
  HttpServer server(patient());
  const unsigned port = *server.bind(0);
  server.start(echo);
  const Descriptor client = connected(port);
  for (const char c : std::string("GET /abc HTTP/1.1\r\nHost: x\r\n\r\n")) {
    say(client, {&c, 1});
  }
  const std::string text = heard(client);
  EXPECT_THAT(text, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(text, EndsWith("/abc"));
}

TEST(HttpServer, ALongAnswerArrivesWhole) {
  HttpServer server(patient());
  const unsigned port = *server.bind(0);
  const std::string body(20'000'000, 'x');
  server.start([&](const HttpRequest&) { return HttpResponse{200, "text/plain", "", body}; });
  const std::string text = asked(port, "/");
  EXPECT_EQ(text.size() - text.find("\r\n\r\n") - 4, body.size());
}

// Slow clients hold every place there is, and none of them ever times out: who asks gets an answer
// all the same, since the oldest of them makes room.
TEST(HttpServer, SlowClientsMakeRoom) {
  HttpLimits limits = patient();
  limits.connections = 8;
  HttpServer server(limits);
  const unsigned port = *server.bind(0);
  server.start(echo);
  std::vector<Descriptor> slow;
  for (int i = 0; i < 60; ++i) {
    slow.push_back(connected(port));
    say(slow.back(), "GET / HTTP/1.1\r\nX");
  }
  EXPECT_THAT(asked(port, "/honest"), EndsWith("/honest"));
  EXPECT_EQ(heard(slow.front()), "") << "it was closed";
  server.stop();
  EXPECT_EQ(heard(slow.back()), "") << "closed by the end";
}

TEST(HttpServer, ARequestThatTricklesIsEnded) {
  HttpLimits limits = patient();
  limits.arrival = milliseconds(50);
  limits.farewell = milliseconds(50);
  HttpServer server(limits);
  const unsigned port = *server.bind(0);
  server.start(echo);
  const Descriptor silent = connected(port);
  EXPECT_EQ(heard(silent), "");
  const Descriptor slow = connected(port);
  say(slow, "GET / HT");
  EXPECT_THAT(heard(slow), StartsWith("HTTP/1.1 408 "));
}

TEST(HttpServer, AClientThatTakesNoAnswerIsEnded) {
  HttpLimits limits = patient();
  limits.connections = 1;
  limits.delivery = milliseconds(50);
  limits.delivery_rate = 1'000'000'000;
  HttpServer server(limits);
  const unsigned port = *server.bind(0);
  const std::string body(50'000'000, 'x');
  server.start([&](const HttpRequest&) { return HttpResponse{200, "text/plain", "", body}; });
  const Descriptor idle = connected(port);
  say(idle, "GET / HTTP/1.1\r\n\r\n");
  // The only place is taken, by a client that nobody may put out, until its time is over. Of what
  // the second one is sent it may lose the end, if this machine is slow: not the beginning.
  EXPECT_THAT(asked(port, "/"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_LT(heard(idle).size(), body.size());
}

/// Answers wait until they are let go.
struct Gate {
  std::mutex mutex;
  std::condition_variable opened;
  bool open = false;

  void pass() {
    std::unique_lock lock(mutex);
    opened.wait(lock, [this] { return open; });
  }
  void let_go() {
    const std::lock_guard lock(mutex);
    open = true;
    opened.notify_all();
  }
};

TEST(HttpServer, AnAnswerThatTakesTooLongIsTold) {
  HttpLimits limits = patient();
  limits.answer = milliseconds(50);
  HttpServer server(limits);
  const unsigned port = *server.bind(0);
  Gate gate;
  server.start([&](const HttpRequest& request) {
    if (request.target == "/slow") {
      gate.pass();
    }
    return echo(request);
  });
  EXPECT_THAT(asked(port, "/slow"), StartsWith("HTTP/1.1 503 "));
  EXPECT_THAT(asked(port, "/quick"), EndsWith("/quick"));
  gate.let_go();
}

// Whatever clients do, and while an answer is being made: stop() comes back.
TEST(HttpServer, StopWaitsForNobody) {
  HttpServer server(patient());
  const unsigned port = *server.bind(0);
  Gate gate;
  Gate begun;
  server.start([&](const HttpRequest& request) {
    begun.let_go();
    gate.pass();
    return echo(request);
  });
  const Descriptor waiting = connected(port);
  say(waiting, "GET / HTTP/1.1\r\n\r\n");
  const Descriptor slow = connected(port);
  say(slow, "GET /");
  begun.pass();
  server.stop();
  EXPECT_EQ(heard(waiting), "");
  EXPECT_EQ(heard(slow), "");
  gate.let_go();
}

TEST(HttpServer, WhatThrowsIsAnError) {
  HttpServer server(patient());
  const unsigned port = *server.bind(0);
  server.start([](const HttpRequest&) -> HttpResponse { throw std::bad_alloc(); });
  EXPECT_THAT(asked(port, "/"), StartsWith("HTTP/1.1 500 "));
}

// Input that is not read when a connection closes takes the answer from the client.
TEST(HttpServer, ABodyThatNobodyWantsTakesNoAnswer) {
  HttpServer server(patient());
  const unsigned port = *server.bind(0);
  server.start([](const HttpRequest& request) {
    return refusal(request.method == "POST" ? 405 : 404, "reading is all there is");
  });
  for (int i = 0; i < 20; ++i) {
    const Descriptor client = connected(port);
    say(client, "POST / HTTP/1.1\r\nContent-Length: 3000000\r\n\r\n" + std::string(100'000, 'x'));
    EXPECT_THAT(heard(client), HasSubstr("405 Method Not Allowed"));
  }
}

TEST(HttpServer, ATakenPortIsSaid) {
  HttpServer first;
  const unsigned port = *first.bind(0);
  HttpServer second;
  const auto taken = second.bind(port);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace ridge::serve
