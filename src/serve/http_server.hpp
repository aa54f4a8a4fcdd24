// HTTP on the loopback address. The library stays behind this header.
#pragma once

#include <functional>
#include <memory>

#include "core/result.hpp"
#include "serve/responder.hpp"

namespace ridge::serve {

class HttpServer {
 public:
  using Respond = std::function<HttpResponse(const HttpRequest&)>;

  HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  /// Takes `port` of 127.0.0.1, any free one for 0, and gives its number. Error: `unavailable` when
  /// it is taken.
  [[nodiscard]] Result<unsigned> bind(unsigned port);

  /// Answers on threads of its own until stop(). bind() comes first.
  void start(Respond respond);
  /// Waits until requests at work have their answer.
  void stop();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ridge::serve
