// HTTP/1.1 as far as a page over local files needs it: bytes to a request, an answer to bytes. Pure
// functions; the network is elsewhere.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

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

/// Of request line and headers together. Browsers send less than 2 KiB.
inline constexpr std::size_t kMostRequestBytes = 16384;

/// The head of a request has not ended yet: more bytes are needed.
struct Incomplete {
  friend bool operator==(const Incomplete&, const Incomplete&) = default;
};

/// What the bytes that have come so far are; bytes behind the head are not looked at. Strict: lines
/// end in CR LF, a header has a name, no line is folded, no control character stands anywhere. A
/// refusal (400, 413, 431 or 505) is final: more bytes change nothing. A request that announces a
/// body is refused, since nothing here takes one, unless its method will be.
[[nodiscard]] std::variant<Incomplete, HttpRequest, HttpResponse> parse_request(
    std::string_view bytes);

/// The whole answer, after which the connection ends; without body for HEAD.
[[nodiscard]] std::string answer_bytes(const HttpResponse& response, bool head);

/// A refusal in plain text.
[[nodiscard]] HttpResponse refusal(int status, std::string_view why);

/// Headers of every answer but the Content-Security-Policy.
struct Header {
  std::string_view name;
  std::string_view value;
};
[[nodiscard]] const std::vector<Header>& security_headers();

}  // namespace ridge::serve
