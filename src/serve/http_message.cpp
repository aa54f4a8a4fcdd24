#include "serve/http_message.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

namespace ridge::serve {
namespace {

constexpr std::string_view kEndOfLine = "\r\n";
constexpr std::string_view kEndOfHead = "\r\n\r\n";

/// A token of RFC 9110, section 5.6.2.
bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || kMarks.find(static_cast<char>(c)) < kMarks.size());
  });
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = text.find_last_not_of(" \t");
  return begin == text.size() ? std::string_view() : text.substr(begin, end + 1 - begin);
}

bool equal_without_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](unsigned char x, unsigned char y) {
           return std::tolower(x) == std::tolower(y);
         });
}

/// 0, or the status it is refused with.
int parse_request_line(std::string_view line, HttpRequest& request) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || last == first) {
    return 400;
  }
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(method) || target.empty() || target.find(' ') < target.size()) {
    return 400;
  }
  request.method = method;
  request.target = target;
  return version == "HTTP/1.1" || version == "HTTP/1.0" ? 0
         : version.starts_with("HTTP/")                 ? 505
                                                        : 400;
}

int parse_header(std::string_view line, HttpRequest& request, bool& body) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    return 400;
  }
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (equal_without_case(name, "Host")) {
    request.hosts.emplace_back(value);
  }
  body = body || equal_without_case(name, "Transfer-Encoding") ||
         (equal_without_case(name, "Content-Length") && value != "0");
  return 0;
}

/// `head`: without the empty line at its end.
int parse_head(std::string_view head, HttpRequest& request) {
  bool first = true;
  bool body = false;
  while (!head.empty()) {
    const std::size_t end = std::min(head.find(kEndOfLine), head.size());
    const std::string_view line = head.substr(0, end);
    head = head.substr(std::min(end + kEndOfLine.size(), head.size()));
    const int wrong = has_control(line) ? 400
                      : first           ? parse_request_line(line, request)
                                        : parse_header(line, request, body);
    if (wrong != 0) {
      return wrong;
    }
    first = false;
  }
  // Of another method the answer says that it is wrong, not that its body is.
  return first ? 400 : body && (request.method == "GET" || request.method == "HEAD") ? 413 : 0;
}

std::string_view reason(int status) {
  constexpr std::array<std::pair<int, std::string_view>, 12> kReasons{
      {{200, "OK"},
       {400, "Bad Request"},
       {403, "Forbidden"},
       {404, "Not Found"},
       {405, "Method Not Allowed"},
       {408, "Request Timeout"},
       {413, "Content Too Large"},
       {422, "Unprocessable Content"},
       {431, "Request Header Fields Too Large"},
       {500, "Internal Server Error"},
       {503, "Service Unavailable"},
       {505, "HTTP Version Not Supported"}}};
  for (const auto& [number, text] : kReasons) {
    if (number == status) {
      return text;
    }
  }
  return "Unknown";
}

std::string_view why_refused(int status) {
  return status == 413   ? "reading is all there is: no body is taken"
         : status == 431 ? "the request is too long"
         : status == 505 ? "HTTP/1.1 is spoken here"
                         : "this is no request of HTTP/1.1";
}

}  // namespace

std::variant<Incomplete, HttpRequest, HttpResponse> parse_request(std::string_view bytes) {
  const std::size_t end = bytes.substr(0, kMostRequestBytes).find(kEndOfHead);
  if (end == std::string_view::npos) {
    // What cannot become a request is told at once: nobody waits for the rest of it.
    const std::size_t feed = bytes.find('\n');
    std::string_view line = bytes.substr(0, feed);
    const bool returned = line.ends_with('\r');
    line.remove_suffix(returned ? 1 : 0);
    const bool hopeless = has_control(line) || (feed != std::string_view::npos && !returned);
    if (hopeless || bytes.size() >= kMostRequestBytes) {
      const int status = hopeless ? 400 : 431;
      return refusal(status, why_refused(status));
    }
    return Incomplete{};
  }
  HttpRequest request;
  const int wrong = parse_head(bytes.substr(0, end), request);
  if (wrong != 0) {
    return refusal(wrong, why_refused(wrong));
  }
  return request;
}

HttpResponse refusal(int status, std::string_view why) {
  return {status, "text/plain; charset=utf-8", "default-src 'none'; frame-ancestors 'none'",
          std::string(why) + "\n"};
}

std::string answer_bytes(const HttpResponse& response, bool head) {
  std::string out = fmt::format("HTTP/1.1 {} {}\r\n", response.status, reason(response.status));
  for (const Header& header : security_headers()) {
    out += fmt::format("{}: {}\r\n", header.name, header.value);
  }
  if (response.status == 405) {
    out += "Allow: GET, HEAD\r\n";
  }
  out += fmt::format(
      "Content-Security-Policy: {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: "
      "close\r\n\r\n",
      response.policy, response.content_type, response.body.size());
  return head ? out : out + response.body;
}

const std::vector<Header>& security_headers() {
  static const std::vector<Header> headers{
      {"Referrer-Policy", "no-referrer"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
  };
  return headers;
}

}  // namespace ridge::serve
