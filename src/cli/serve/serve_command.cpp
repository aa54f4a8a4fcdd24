// `ridge serve`: a local page over stored results.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <pthread.h>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/common/command.hpp"
#include "cli/common/result_file.hpp"
#include "cli/common/streams.hpp"
#include "cli/output/compare_results.hpp"
#include "cli/output/report_page.hpp"
#include "cli/serve/serve_options.hpp"
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

Result<int> serve_until_stopped(const ServeOptions& options) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sigaddset(&signals, signal);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a browser that goes away is no reason to end
  auto store = serve::Store::open(options.folder);
  if (!store) {
    return tl::make_unexpected(store.error());
  }
  const auto token = serve::random_token();
  if (!token) {
    return tl::make_unexpected(token.error());
  }
  serve::HttpLimits limits;
  limits.connections = options.connections;
  limits.arrival = std::chrono::seconds(options.timeout);
  serve::HttpServer server(limits);
  const auto bound = server.bind(options.port);
  if (!bound) {
    return tl::make_unexpected(bound.error());
  }
  const std::string title = std::filesystem::absolute(options.folder).lexically_normal().string();
  serve::Responder responder(std::move(*store), title, *token, *bound, make_page);
  server.start([&](const serve::HttpRequest& request) { return responder.respond(request); });
  if (auto printed = print(fmt::format("http://127.0.0.1:{}/{}/\n", *bound, *token)); !printed) {
    server.stop();
    return tl::make_unexpected(printed.error());
  }
  say(fmt::format("serving {} to this machine alone; Ctrl-C ends it", title));
  wait_for_the_end(signals);
  server.stop();
  // A page that is still being made is not waited for: it changes nothing, and nobody gets it.
  std::_Exit(0);
}

}  // namespace

Result<int> run_serve(const std::vector<std::string>& arguments) {
  const auto options = parse_serve_options(arguments);
  if (!options) {
    return tl::make_unexpected(options.error());
  }
  return *options ? serve_until_stopped(**options) : Result<int>(0);
}

}  // namespace ridge::cli
