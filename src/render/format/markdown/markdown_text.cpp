#include "render/format/markdown/markdown_text.hpp"

#include <cctype>

#include <fmt/format.h>

#include "render/chart/text.hpp"

namespace ridge::render {

std::string markdown_text(std::string_view text) {
  const std::string plain = clean(text);
  const auto is_word = [&](std::size_t i) {
    return i < plain.size() && std::isalnum(static_cast<unsigned char>(plain[i])) != 0;
  };
  std::string out;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    constexpr std::string_view kMarkup = R"(\`*_{}[]<>#|~@$&!)";
    const bool inside_word = plain[i] == '_' && i > 0 && is_word(i - 1) && is_word(i + 1);
    const bool starts_a_list =
        i == 0 && std::string_view("-+=").find(plain[i]) != std::string::npos;
    // As a number: no renderer sees markup in it, and none shows a stray backslash.
    out += starts_a_list || (kMarkup.find(plain[i]) != std::string_view::npos && !inside_word)
               ? fmt::format("&#{};", static_cast<int>(static_cast<unsigned char>(plain[i])))
               : std::string(1, plain[i]);
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  const std::string plain = clean(text);
  const bool spans = plain.find_first_of("`|\\") == std::string::npos && !plain.starts_with(' ') &&
                     !plain.ends_with(' ') && !plain.empty();
  return spans ? fmt::format("`{}`", plain) : fmt::format("<code>{}</code>", markdown_text(plain));
}

std::string trimmed(std::string text) {
  while (text.ends_with("\n\n")) {
    text.pop_back();
  }
  return text;
}

}  // namespace ridge::render
