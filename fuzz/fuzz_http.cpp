// Requests to `ridge serve`: bytes become a request, the request an answer, as the server does it
// and with the same code, but for the network. The folder that is served holds two results, and
// beside it lies one that nobody may get.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "serve/http_message.hpp"
#include "serve/list_page.hpp"
#include "serve/responder.hpp"
#include "serve/store.hpp"

namespace ridge::serve {
namespace {

constexpr std::string_view kToken = "0123456789abcdef";
constexpr unsigned kPort = 4711;
constexpr std::string_view kInside = "text of a result";
constexpr std::string_view kSecret = "text of nobody";

void require(bool promise) {
  if (!promise) {
    std::abort();
  }
}

void write(const std::filesystem::path& folder, std::string_view text) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "profile.json") << text;
}

/// Gone at the end of the process.
struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "ridge-fuzz-XXXXXX").string();
    require(mkdtemp(name.data()) != nullptr);
    path = name;
    write(path / "served" / "a", kInside);
    write(path / "served" / "b c" / "d", kInside);
    write(path / "secret", kSecret);
    std::filesystem::create_symlink(path / "secret", path / "served" / "link");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path;
};

/// What the page would be made of.
Result<std::string> make_page(const std::vector<StoredText>& texts) {
  std::string page = "page of";
  for (const StoredText& text : texts) {
    require(text.text == kInside && (text.name == "a" || text.name == "b c/d"));
    page += " " + text.name;
  }
  return page;
}

Responder& responder() {
  static const Folder folder;
  static Responder made(std::move(*Store::open((folder.path / "served").string())), "served",
                        std::string(kToken), kPort, make_page);
  return made;
}

bool is_ours(const HttpRequest& request) {
  return request.hosts.size() == 1 &&
         (request.hosts[0] == "127.0.0.1:4711" || request.hosts[0] == "localhost:4711");
}

void check_bytes(const HttpResponse& response) {
  const std::string bytes = answer_bytes(response, false);
  const std::size_t end = bytes.find("\r\n\r\n");
  require(bytes.starts_with("HTTP/1.1 ") && end != std::string::npos);
  require(bytes.substr(end + 4) == response.body);  // nothing of a client ends the headers
  require(bytes.find("Unknown") > end);
  require(bytes.find("\r\nContent-Security-Policy: default-src 'none'") < end);
  require(answer_bytes(response, true) == bytes.substr(0, end + 4));
}

/// How deep the inputs went, told at the end.
struct Told {
  std::uint64_t inputs = 0;
  std::uint64_t requests = 0;
  std::uint64_t given = 0;  ///< answers with status 200
  ~Told() {
    std::fprintf(stderr, "http: %llu inputs, %llu requests, %llu given what they ask for\n",
                 static_cast<unsigned long long>(inputs), static_cast<unsigned long long>(requests),
                 static_cast<unsigned long long>(given));
  }
};

Told& told() {
  static Told made;
  return made;
}

void check_answer(const HttpRequest& request) {
  const HttpResponse response = responder().respond(request);
  ++told().requests;
  told().given += response.status == 200 ? 1 : 0;
  check_bytes(response);
  require(response.body.find(kSecret) == std::string::npos);
  require(response.status == 200 || response.status == 400 || response.status == 403 ||
          response.status == 404 || response.status == 405);
  if (response.status == 200) {
    require(is_ours(request) && (request.method == "GET" || request.method == "HEAD"));
    require(request.target.starts_with("/" + std::string(kToken) + "/"));
  } else {
    require(response.body.size() < 300 && response.body.find('<') == std::string::npos);
  }
}

void check_query(std::string_view target) {
  const std::size_t begin = target.find('?');
  if (begin == std::string_view::npos) {
    return;
  }
  const auto names = names_in_query(target.substr(begin + 1));
  if (!names) {
    return;
  }
  std::string again;
  for (const std::string& name : *names) {
    again += (again.empty() ? "name=" : "&name=") + encoded(name);
  }
  require(*names_in_query(again) == *names);  // what links say is what is read
}

/// Bytes that come one after the other end in the same as all at once.
void check_pieces(std::string_view bytes, std::size_t piece) {
  const auto whole = parse_request(bytes);
  for (std::size_t length = 0; length < bytes.size(); length += piece) {
    const auto part = parse_request(bytes.substr(0, length));
    if (std::holds_alternative<Incomplete>(part)) {
      continue;
    }
    require(part.index() == whole.index());
    if (const auto* request = std::get_if<HttpRequest>(&part)) {
      const auto& other = std::get<HttpRequest>(whole);
      require(request->method == other.method && request->target == other.target &&
              request->hosts == other.hosts);
    }
    return;
  }
}

}  // namespace
}  // namespace ridge::serve

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ridge::serve;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  // No request begins with a slash: what does is an address below the token, asked for as it should
  // be. Mutation alone finds token and host too seldom.
  const std::string whole = input.starts_with('/')
                                ? "GET /" + std::string(kToken) + std::string(input) +
                                      " HTTP/1.1\r\nHost: 127.0.0.1:4711\r\n\r\n"
                                : std::string(input);
  const std::string_view bytes = whole;
  const auto parsed = parse_request(bytes);
  ++told().inputs;
  if (const auto* request = std::get_if<HttpRequest>(&parsed)) {
    check_answer(*request);
    check_query(request->target);
  } else if (const auto* refused = std::get_if<HttpResponse>(&parsed)) {
    check_bytes(*refused);
  }
  check_pieces(bytes, 1 + size % 17);
  return 0;
}
