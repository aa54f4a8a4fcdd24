#include "serve/token.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <sys/random.h>

#include <fmt/core.h>

namespace ridge::serve {

Result<std::string> random_token() {
  std::array<unsigned char, 32> bytes{};
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = getrandom(bytes.data() + have, bytes.size() - have, 0);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return fail(ErrorCode::unavailable, "serve: the kernel gives no random numbers",
                  "without them the address could be guessed");
    }
    have += static_cast<std::size_t>(got);
  }
  std::string token;
  for (const unsigned char byte : bytes) {
    token += fmt::format("{:02x}", byte);
  }
  return token;
}

bool equal_in_constant_time(std::string_view given, std::string_view expected) {
  unsigned difference = given.size() == expected.size() ? 0 : 1;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const char other = i < given.size() ? given[i] : '\0';
    difference |= static_cast<unsigned char>(other) ^ static_cast<unsigned char>(expected[i]);
  }
  return difference == 0;
}

}  // namespace ridge::serve
