// What `ridge serve` answers, apart from the network.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "serve/store.hpp"

namespace ridge::serve {

struct HttpRequest {
  std::string method;
  std::string target;              ///< as it came: still encoded
  std::vector<std::string> hosts;  ///< all Host headers
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string policy;  ///< Content-Security-Policy
  std::string body;
};

/// A stored result as its file holds it.
struct StoredText {
  std::string name;
  std::string text;
};

/// The page of one result, or the comparison of several, as HTML.
using MakePage = std::function<Result<std::string>(const std::vector<StoredText>&)>;

/// Answers GET and HEAD for addresses below /TOKEN/ to whoever names this host; everything else is
/// refused. Changes nothing. May be called from several threads.
class Responder {
 public:
  Responder(Store store, std::string title, std::string token, unsigned port, MakePage make_page);

  [[nodiscard]] HttpResponse respond(const HttpRequest& request);

 private:
  [[nodiscard]] HttpResponse list();
  [[nodiscard]] HttpResponse state();
  [[nodiscard]] HttpResponse open(std::string_view query);

  std::mutex mutex_;  ///< of the store
  Store store_;
  std::string title_;
  std::string token_;
  unsigned port_;
  MakePage make_page_;
};

/// Values of `name` in a query, decoded. Error: `bad_input` for a wrong escape, a NUL or another
/// key.
[[nodiscard]] Result<std::vector<std::string>> names_in_query(std::string_view query);

/// Headers of every answer but the Content-Security-Policy.
struct Header {
  std::string_view name;
  std::string_view value;
};
[[nodiscard]] const std::vector<Header>& security_headers();

}  // namespace ridge::serve
