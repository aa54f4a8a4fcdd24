// Options of one sub-command. The argument library stays behind this header: it is included by one
// translation unit only, because it dominates the build time of sanitizer builds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace ridge::cli {

enum class ParseOutcome {
  parsed,
  help_shown,  ///< `--help` was given and printed: the command returns 0
};

class OptionParser {
 public:
  /// `help` is the text that `--help` prints, from docs/cli/.
  OptionParser(std::string_view command, std::string_view help);
  OptionParser(const OptionParser&) = delete;
  OptionParser& operator=(const OptionParser&) = delete;
  ~OptionParser();

  /// `names` as in "-o,--output". Targets must outlive the parser.
  void flag(const std::string& names, bool& target);
  /// A flag that may have a value: `--overlap` or `--overlap VALUE`.
  void flag(const std::string& names, bool& target, std::optional<std::string>& value);
  void option(const std::string& names, std::optional<std::string>& target);
  void option(const std::string& names, std::optional<unsigned>& target);
  void option(const std::string& names, std::vector<unsigned>& target);
  void option(const std::string& names, std::vector<std::string>& target);  ///< at commas
  /// Once for each time it is given; commas belong to the value.
  void repeated(const std::string& names, std::vector<std::string>& target);
  void positional(const std::string& name, std::vector<std::string>& target);

  /// Errors: ErrorCode::usage with the offending word and a pointer to `--help`.
  [[nodiscard]] Result<ParseOutcome> parse(const std::vector<std::string>& arguments);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ridge::cli
