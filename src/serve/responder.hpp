// What `ridge serve` answers, apart from the network.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "serve/http_message.hpp"
#include "serve/store.hpp"

namespace ridge::serve {

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

}  // namespace ridge::serve
