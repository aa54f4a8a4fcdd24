// ridge-serve FOLDER PORT: what `ridge serve` becomes. A program of its own, because the HTTP
// library and what it links cost more at start than all of `ridge`.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <pthread.h>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/compare_results.hpp"
#include "cli/report_page.hpp"
#include "cli/result_file.hpp"
#include "serialize/profile.hpp"
#include "serve/http_server.hpp"
#include "serve/responder.hpp"
#include "serve/store.hpp"
#include "serve/token.hpp"

namespace ridge::cli {
namespace {

/// Oldest first; of several results with their comparison.
Result<std::string> make_page(const std::vector<serve::StoredText>& texts) {
  std::vector<StoredResult> results;
  for (const serve::StoredText& stored : texts) {
    auto profile = serialize::parse_profile(stored.text, stored.name);
    if (!profile) {
      return tl::make_unexpected(profile.error());
    }
    results.push_back(
        evaluate(stored.name == "." ? "this folder" : stored.name, std::move(*profile)));
  }
  std::stable_sort(
      results.begin(), results.end(),
      [](const StoredResult& a, const StoredResult& b) { return a.profile.date < b.profile.date; });
  return results.size() == 1 ? report_page(results)
                             : report_page(results, {}, compare_results(results));
}

/// Until SIGINT, SIGTERM or SIGHUP. They are blocked in every thread and taken here.
void wait_for_the_end(const sigset_t& signals) {
  int which = 0;
  sigwait(&signals, &which);
}

Result<int> serve_until_stopped(const std::string& folder, unsigned port) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sigaddset(&signals, signal);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a browser that goes away is no reason to end
  auto store = serve::Store::open(folder);
  if (!store) {
    return tl::make_unexpected(store.error());
  }
  const auto token = serve::random_token();
  if (!token) {
    return tl::make_unexpected(token.error());
  }
  serve::HttpServer server;
  const auto bound = server.bind(port);
  if (!bound) {
    return tl::make_unexpected(bound.error());
  }
  const std::string title = std::filesystem::absolute(folder).lexically_normal().string();
  serve::Responder responder(std::move(*store), title, *token, *bound, make_page);
  server.start([&](const serve::HttpRequest& request) { return responder.respond(request); });
  fmt::print("http://127.0.0.1:{}/{}/\n", *bound, *token);
  std::fflush(stdout);
  fmt::print(stderr, "ridge: serving {} to this machine alone; Ctrl-C ends it\n", title);
  wait_for_the_end(signals);
  server.stop();
  return 0;
}

int report(const Error& error) {
  fmt::print(stderr, "ridge: {}\n", error.message);
  if (!error.hint.empty()) {
    fmt::print(stderr, "       {}\n", error.hint);
  }
  return error.exit_code();
}

}  // namespace
}  // namespace ridge::cli

int main(int argc, char** argv) {
  constexpr int kInternalError = 70;
  if (argc != 3) {
    std::fputs("usage: ridge-serve FOLDER PORT; `ridge serve` starts it\n", stderr);
    return 2;
  }
  try {
    const auto code = ridge::cli::serve_until_stopped(
        argv[1], static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)));
    return code ? *code : ridge::cli::report(code.error());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ridge: internal error: %s\n", error.what());
  }
  return kInternalError;
}
