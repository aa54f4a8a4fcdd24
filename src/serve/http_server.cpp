#include "serve/http_server.hpp"

#include <chrono>
#include <httplib.h>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace ridge::serve {
namespace {

constexpr const char* kLoopback = "127.0.0.1";
constexpr std::size_t kThreads = 4;
constexpr time_t kSeconds = 5;

/// Never SO_REUSEPORT, the library's default: with it a second server would share the port.
void set_options(socket_t socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

HttpRequest request_of(const httplib::Request& from) {
  HttpRequest request;
  request.method = from.method;
  request.target = from.target;
  const auto [begin, end] = from.headers.equal_range("Host");
  for (auto header = begin; header != end; ++header) {
    request.hosts.push_back(header->second);
  }
  return request;
}

}  // namespace

struct HttpServer::Implementation {
  httplib::Server server;
  std::thread thread;
};

HttpServer::HttpServer() : implementation_(std::make_unique<Implementation>()) {
  httplib::Server& server = implementation_->server;
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };  // owned by the server
  server.set_socket_options(set_options);
  server.set_keep_alive_max_count(1);
  server.set_read_timeout(kSeconds);
  server.set_write_timeout(kSeconds);
  server.set_payload_max_length(1);
  httplib::Headers headers;
  for (const Header& header : security_headers()) {
    headers.emplace(std::string(header.name), std::string(header.value));
  }
  server.set_default_headers(std::move(headers));
}

HttpServer::~HttpServer() {
  stop();
}

Result<unsigned> HttpServer::bind(unsigned port) {
  httplib::Server& server = implementation_->server;
  const int bound = port == 0 ? server.bind_to_any_port(kLoopback)
                    : server.bind_to_port(kLoopback, static_cast<int>(port))
                        ? static_cast<int>(port)
                        : -1;
  if (bound <= 0) {
    return fail(
        ErrorCode::unavailable, fmt::format("serve: port {} of {} cannot be had", port, kLoopback),
        "another program has it: name another one with --port, or leave it out for any free "
        "one");
  }
  return static_cast<unsigned>(bound);
}

void HttpServer::start(Respond respond) {
  httplib::Server& server = implementation_->server;
  server.set_pre_routing_handler(
      [respond = std::move(respond)](const httplib::Request& from, httplib::Response& to) {
        const HttpResponse response = respond(request_of(from));
        to.status = response.status;
        to.set_header("Content-Security-Policy", response.policy);
        to.set_content(response.body, response.content_type);
        return httplib::Server::HandlerResponse::Handled;
      });
  implementation_->thread = std::thread([&server] { server.listen_after_bind(); });
  // stop() does nothing to a server that does not run yet.
  while (!server.is_running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void HttpServer::stop() {
  if (implementation_->thread.joinable()) {
    implementation_->server.stop();
    implementation_->thread.join();
  }
}

}  // namespace ridge::serve
