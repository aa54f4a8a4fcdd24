#include "serve/responder.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "serve/list_page.hpp"
#include "serve/token.hpp"

namespace ridge::serve {
namespace {

constexpr std::size_t kLongestTarget = 8192;
constexpr std::size_t kMostResults = 8;

constexpr std::string_view kNothing = "default-src 'none'; frame-ancestors 'none'";
constexpr std::string_view kListPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action "
    "'self'; base-uri 'none'; frame-ancestors 'none'";
/// The page carries its own code and a policy with its hash; this one says what no page may.
constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: "
    "blob:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

HttpResponse give(std::string_view type, std::string body, std::string_view policy = kNothing) {
  return {200, std::string(type), std::string(policy), std::move(body)};
}

int hex_value(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
      if (high < 0 || low < 0) {
        return std::nullopt;
      }
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out.find('\0') == std::string::npos ? std::optional(out) : std::nullopt;
}

}  // namespace

Result<std::vector<std::string>> names_in_query(std::string_view query) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  while (begin < query.size()) {
    const std::size_t end = std::min(query.find('&', begin), query.size());
    const std::string_view part = query.substr(begin, end - begin);
    begin = end + 1;
    if (!part.starts_with("name=")) {
      return fail(ErrorCode::bad_input, "the query may hold names only");
    }
    const auto name = decoded(part.substr(5));
    if (!name) {
      return fail(ErrorCode::bad_input, "a name is not encoded as it must be");
    }
    names.push_back(*name);
  }
  return names;
}

Responder::Responder(Store store, std::string title, std::string token, unsigned port,
                     MakePage make_page)
    : store_(std::move(store)),
      title_(std::move(title)),
      token_(std::move(token)),
      port_(port),
      make_page_(std::move(make_page)) {}

HttpResponse Responder::respond(const HttpRequest& request) {
  // Another name for this address is another site's (DNS rebinding).
  const bool ours =
      request.hosts.size() == 1 && (request.hosts[0] == fmt::format("127.0.0.1:{}", port_) ||
                                    request.hosts[0] == fmt::format("localhost:{}", port_));
  if (!ours) {
    return refusal(403, "this host goes by another name");
  }
  if (request.method != "GET" && request.method != "HEAD") {
    return refusal(405, "reading is all there is");
  }
  const std::string_view target = request.target;
  if (target.size() > kLongestTarget || !target.starts_with('/')) {
    return refusal(404, "there is nothing here");
  }
  const std::size_t end_of_path = std::min(target.find('?'), target.size());
  const std::string_view path = target.substr(1, end_of_path - 1);
  const std::size_t slash = std::min(path.find('/'), path.size());
  // One answer for a wrong token and for a wrong address: nothing to learn from it.
  if (!equal_in_constant_time(path.substr(0, slash), token_) || slash == path.size()) {
    return refusal(404, "there is nothing here");
  }
  const std::string_view what = path.substr(slash + 1);
  const std::string_view query =
      end_of_path < target.size() ? target.substr(end_of_path + 1) : std::string_view();
  if (what.empty()) {
    return list();
  }
  if (what == "list.js") {
    return give("text/javascript; charset=utf-8", std::string(list_script()));
  }
  if (what == "list.css") {
    return give("text/css; charset=utf-8", list_style());
  }
  if (what == "state") {
    return state();
  }
  return what == "open" ? open(query) : refusal(404, "there is nothing here");
}

HttpResponse Responder::list() {
  const std::lock_guard lock(mutex_);
  const auto& entries = store_.list();
  return give("text/html; charset=utf-8", list_page(title_, entries, store_.version()),
              kListPolicy);
}

HttpResponse Responder::state() {
  const std::lock_guard lock(mutex_);
  static_cast<void>(store_.list());
  return give("text/plain; charset=utf-8", store_.version());
}

HttpResponse Responder::open(std::string_view query) {
  const auto names = names_in_query(query);
  if (!names) {
    return refusal(400, names.error().message);
  }
  if (names->empty() || names->size() > kMostResults) {
    return refusal(
        400, names->empty() ? "no result is chosen" : "at most 8 results can be compared at once");
  }
  std::vector<StoredText> texts;
  {
    const std::lock_guard lock(mutex_);
    static_cast<void>(store_.list());
    std::set<std::string> seen;
    for (const std::string& name : *names) {
      if (!seen.insert(name).second) {
        continue;
      }
      auto text = store_.read(name);
      if (!text) {
        return refusal(404, text.error().message);
      }
      texts.push_back({name, std::move(*text)});
    }
  }
  auto page = make_page_(texts);
  return page ? give("text/html; charset=utf-8", std::move(*page), kPagePolicy)
              : refusal(422, page.error().message);
}

}  // namespace ridge::serve
