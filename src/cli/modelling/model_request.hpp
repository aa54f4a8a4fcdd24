// What ridge-model is asked: the words that `ridge model` starts it with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/modelling/sizes.hpp"
#include "core/result.hpp"

namespace ridge::cli {

struct ModelRequest {
  std::string file;
  std::string machine;    ///< file, ridge.machine/1
  std::string directory;  ///< to work in; empty: this one
  std::optional<std::string> function;
  std::optional<unsigned> line;
  std::vector<Sizes> sizes;
  std::map<std::string, std::string> index_files;  ///< by index array
  std::optional<std::string> cpu;
  bool by_conditions = true;
  bool by_simulation = true;
  bool runs = false;  ///< the loops, with arrays of each size
  unsigned cores = 1;
  std::vector<std::string> flags;
};

[[nodiscard]] std::vector<std::string> words_of(const ModelRequest& request);

/// Errors: `usage`; only another version of `ridge` would cause them.
[[nodiscard]] Result<ModelRequest> model_request_from(const std::vector<std::string>& words);

}  // namespace ridge::cli
