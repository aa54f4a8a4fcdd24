#include "serve/http_server.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "serve/answer_pool.hpp"
#include "serve/descriptor.hpp"

namespace ridge::serve {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kLoopback = "127.0.0.1";
constexpr std::size_t kThreads = 4;
constexpr std::chrono::milliseconds kPause{100};  ///< of accepting, where descriptors ran out

enum class Stage {
  receiving,   ///< the request
  answering,   ///< the answer is being made
  delivering,  ///< the answer
  leaving,     ///< the client has all: what it still sends is dropped, so that it can read it
};

struct Connection {
  Descriptor socket;
  std::uint64_t number = 0;
  Clock::time_point deadline;
  Stage stage = Stage::receiving;
  std::string bytes;                   ///< of the request, then of the answer
  std::size_t sent = 0;                ///< of the answer
  bool head = false;                   ///< asked by HEAD
  std::shared_ptr<const void> wanted;  ///< while it lives, an answer is wanted
};

sockaddr_in loopback(unsigned port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

short events_of(Stage stage) {
  switch (stage) {
    case Stage::receiving:
    case Stage::leaving:
      return POLLIN;
    case Stage::delivering:
      return POLLOUT;
    case Stage::answering:
      break;
  }
  return 0;  // told all the same when the client has gone
}

}  // namespace

struct HttpServer::Implementation {
  explicit Implementation(const HttpLimits& given)
      : limits(given), wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

  void notify() const {
    const std::uint64_t one = 1;
    (void)!::write(wake.get(), &one, sizeof one);
  }

  void run() {
    while (!ending) {
      wait();
      take_answers();
      serve_connections();
      expire();
      accept_new();
      std::erase_if(connections, [](const Connection& one) { return !one.socket.is_open(); });
    }
    connections.clear();
    listener = Descriptor();
  }

  void wait() {
    const Clock::time_point now = Clock::now();
    const bool accepting = now >= accept_from && (has_room() || find_to_evict() != nullptr);
    polled.clear();
    polled.push_back({wake.get(), POLLIN, 0});
    polled.push_back({accepting ? listener.get() : -1, POLLIN, 0});
    Clock::time_point next = accept_from > now ? accept_from : now + limits.arrival;
    for (const Connection& connection : connections) {
      polled.push_back({connection.socket.get(), events_of(connection.stage), 0});
      next = std::min(next, connection.deadline);
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - now);
    poll(polled.data(), polled.size(), static_cast<int>(std::max<std::int64_t>(0, left.count())));
    std::uint64_t ignored = 0;
    (void)!::read(wake.get(), &ignored, sizeof ignored);
  }

  void take_answers() {
    for (AnswerPool::Answer& answer : pool->take()) {
      const auto found =
          std::find_if(connections.begin(), connections.end(), [&](const Connection& one) {
            return one.number == answer.connection && one.stage == Stage::answering;
          });
      if (found != connections.end()) {
        deliver(*found, answer.response);
      }
    }
  }

  void serve_connections() {
    for (std::size_t i = 0; i + 2 < polled.size(); ++i) {
      Connection& connection = connections[i];
      const short events = polled[i + 2].revents;
      if (events == 0) {
        continue;
      }
      switch (connection.stage) {
        case Stage::receiving:
          receive(connection);
          break;
        case Stage::answering:  // it has gone: nothing else is told of this stage
          connection.socket = Descriptor();
          break;
        case Stage::delivering:
          send_more(connection);
          break;
        case Stage::leaving:
          drop_input(connection);
          break;
      }
    }
  }

  void receive(Connection& connection) {
    std::array<char, 4096> buffer{};
    const ssize_t got = recv(connection.socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
      return;
    }
    if (got <= 0) {
      connection.socket = Descriptor();
      return;
    }
    connection.bytes.append(buffer.data(), static_cast<std::size_t>(got));
    auto parsed = parse_request(connection.bytes);
    if (const auto* refused = std::get_if<HttpResponse>(&parsed)) {
      deliver(connection, *refused);
    } else if (auto* request = std::get_if<HttpRequest>(&parsed)) {
      connection.head = request->method == "HEAD";
      connection.stage = Stage::answering;
      connection.deadline = Clock::now() + limits.answer;
      connection.wanted = std::make_shared<bool>(true);
      pool->order(connection.number, std::move(*request), connection.wanted);
    }
  }

  void deliver(Connection& connection, const HttpResponse& response) {
    connection.bytes = answer_bytes(response, connection.head);
    connection.sent = 0;
    connection.stage = Stage::delivering;
    connection.wanted.reset();
    const std::chrono::milliseconds longer(1000 * connection.bytes.size() / limits.delivery_rate);
    connection.deadline = Clock::now() + limits.delivery + longer;
    send_more(connection);
  }

  void send_more(Connection& connection) {
    const ssize_t sent =
        send(connection.socket.get(), connection.bytes.data() + connection.sent,
             connection.bytes.size() - connection.sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno != EAGAIN && errno != EINTR) {
        connection.socket = Descriptor();
      }
      return;
    }
    connection.sent += static_cast<std::size_t>(sent);
    if (connection.sent == connection.bytes.size()) {
      shutdown(connection.socket.get(), SHUT_WR);
      connection.bytes = {};
      connection.stage = Stage::leaving;
      connection.deadline = Clock::now() + limits.farewell;
    }
  }

  /// To close with input unread would take the answer from the client.
  static void drop_input(Connection& connection) {
    std::array<char, 16384> buffer{};
    const ssize_t got = recv(connection.socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
      connection.socket = Descriptor();
    }
  }

  void expire() {
    const Clock::time_point now = Clock::now();
    for (Connection& connection : connections) {
      if (!connection.socket.is_open() || now < connection.deadline) {
        continue;
      }
      if (connection.stage == Stage::receiving && !connection.bytes.empty()) {
        deliver(connection, refusal(408, "the request took too long to arrive"));
      } else if (connection.stage == Stage::answering) {
        deliver(connection, refusal(503, "the answer takes too long to make"));
      } else {
        connection.socket = Descriptor();  // also a browser's that only connects in advance
      }
    }
  }

  [[nodiscard]] bool has_room() const { return connections.size() < limits.connections; }

  /// Who has its answer, else who has not even asked: the oldest of them. nullptr: nobody.
  Connection* find_to_evict() {
    for (const Stage stage : {Stage::leaving, Stage::receiving}) {
      for (Connection& connection : connections) {
        if (connection.stage == stage && connection.socket.is_open()) {
          return &connection;
        }
      }
    }
    return nullptr;
  }

  bool make_room() {
    std::erase_if(connections, [](const Connection& one) { return !one.socket.is_open(); });
    if (has_room()) {
      return true;
    }
    Connection* const oldest = find_to_evict();
    if (oldest == nullptr) {
      return false;
    }
    connections.erase(connections.begin() + (oldest - connections.data()));
    return true;
  }

  void accept_new() {
    // Not more than there is room for at a time: others have their turn.
    for (std::size_t i = 0; i < limits.connections && polled[1].revents != 0; ++i) {
      if (!make_room()) {
        return;
      }
      Descriptor socket(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!socket.is_open()) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
          accept_from = Clock::now() + kPause;
        }
        return;
      }
      Connection connection;
      connection.socket = std::move(socket);
      connection.number = ++accepted;
      connection.deadline = Clock::now() + limits.arrival;
      connections.push_back(std::move(connection));
      // The request of an honest client is there by now: it goes before any that come after it.
      receive(connections.back());
    }
  }

  HttpLimits limits;
  Descriptor wake;
  Descriptor listener;
  std::vector<Connection> connections;  ///< oldest first
  std::vector<pollfd> polled;           ///< wake, listener, then as `connections`
  Clock::time_point accept_from;
  std::uint64_t accepted = 0;
  std::atomic<bool> ending{false};
  std::optional<AnswerPool> pool;
  std::thread thread;
};

HttpServer::HttpServer(const HttpLimits& limits)
    : implementation_(std::make_unique<Implementation>(limits)) {}

HttpServer::~HttpServer() {
  stop();
}

Result<unsigned> HttpServer::bind(unsigned port) {
  Implementation& server = *implementation_;
  Descriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1;
  // Never SO_REUSEPORT: with it a second server would share the port.
  setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address = loopback(port);
  socklen_t size = sizeof address;
  auto* const general = reinterpret_cast<sockaddr*>(&address);
  if (!listener.is_open() || ::bind(listener.get(), general, size) != 0 ||
      listen(listener.get(), SOMAXCONN) != 0 || getsockname(listener.get(), general, &size) != 0) {
    return fail(
        ErrorCode::unavailable, fmt::format("serve: port {} of {} cannot be had", port, kLoopback),
        "another program has it: name another one with --port, or leave it out for any free "
        "one");
  }
  server.listener = std::move(listener);
  return ntohs(address.sin_port);
}

void HttpServer::start(Respond respond) {
  Implementation& server = *implementation_;
  server.pool.emplace(kThreads, std::move(respond), [&server] { server.notify(); });
  server.thread = std::thread([&server] { server.run(); });
}

void HttpServer::stop() {
  Implementation& server = *implementation_;
  if (server.thread.joinable()) {
    server.ending = true;
    server.notify();
    server.thread.join();
  }
}

}  // namespace ridge::serve
