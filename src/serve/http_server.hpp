// HTTP on the loopback address: one thread for all connections, some that make answers.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "core/result.hpp"
#include "serve/http_message.hpp"

namespace ridge::serve {

/// What a client may take. Nobody has to be trusted to keep to it.
struct HttpLimits {
  using Milliseconds = std::chrono::milliseconds;

  std::size_t connections = 64;       ///< at once; the oldest one without a request makes room
  Milliseconds arrival{5'000};        ///< for the whole request, however it trickles
  Milliseconds answer{60'000};        ///< to make the answer; then 503
  Milliseconds delivery{10'000};      ///< to take the answer, and more for a long one:
  std::size_t delivery_rate = 65536;  ///< [byte/s]
  Milliseconds farewell{1'000};       ///< after the answer, until the client closes as well
};

class HttpServer {
 public:
  using Respond = std::function<HttpResponse(const HttpRequest&)>;

  explicit HttpServer(const HttpLimits& limits = {});
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  /// Waits for answers that are being made.
  ~HttpServer();

  /// Takes `port` of 127.0.0.1, any free one for 0, and gives its number. Error: `unavailable` when
  /// it is taken.
  [[nodiscard]] Result<unsigned> bind(unsigned port);

  /// Answers on threads of its own until stop(). `respond` is called from several at once. bind()
  /// comes first.
  void start(Respond respond);
  /// Closes all connections, whatever clients do and whether or not they have their answer.
  void stop();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ridge::serve
