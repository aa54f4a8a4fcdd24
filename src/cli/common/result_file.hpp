// RESULT arguments: what `ridge run` or `ridge bench` has stored, read and evaluated anew.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/result.hpp"
#include "core/value/machine.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "core/value/sparse_study.hpp"

namespace ridge::cli {

inline constexpr const char* kProfileFile = "profile.json";  ///< of a result folder

/// A profile with everything that is derived from it: bounds, findings, closing sentence.
struct StoredResult {
  std::string label;  ///< what people call it: see labels_of()
  Profile profile;
  Prediction prediction;
};

/// A machine file alone: roofs, no loops.
struct StoredMachine {
  std::string label;
  Machine machine;
};

/// What `ridge spmv` found.
struct StoredStudy {
  SparseStudy study;
};

using Stored = std::variant<StoredResult, StoredMachine, StoredStudy>;

/// What is derived of a profile: bounds, findings and summary as `ridge run` derives them, or
/// bounds alone, which a comparison needs and which take a third of the time. None is trusted from
/// a file.
enum class Derive { all, bounds };
[[nodiscard]] StoredResult evaluate(std::string label, Profile profile,
                                    Derive derive = Derive::all);

/// A result folder or its profile.json. Errors: `bad_input` with what is wrong and where; of a
/// folder that is no result with those below it.
[[nodiscard]] Result<Profile> read_profile(const std::string& name);

/// The same, evaluated.
[[nodiscard]] Result<StoredResult> read_result(const std::string& name, std::string label);

/// The same, or a machine file (ridge.machine/1) or a study (ridge.spmv/1): the file says which.
/// Errors: `bad_input`.
[[nodiscard]] Result<Stored> read_stored(const std::string& name, std::string label,
                                         Derive derive = Derive::all);

/// The same of a text. `path` stands in messages.
[[nodiscard]] Result<Stored> parse_stored(std::string_view text, const std::string& path,
                                          std::string label, Derive derive = Derive::all);

/// Short names that tell the arguments apart: the last component of each folder ("before/ridge-out"
/// and "after/ridge-out" keep one more), without "profile.json" and ".json". Equal arguments get
/// " (2)". As many as `names`.
[[nodiscard]] std::vector<std::string> labels_of(const std::vector<std::string>& names);

}  // namespace ridge::cli
