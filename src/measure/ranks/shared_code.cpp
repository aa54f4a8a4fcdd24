#include "measure/ranks/shared_code.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ridge::measure {
namespace {

/// In a list by path; where it would stand if it is not there.
template <class Files>
auto place_of(Files& files, const std::string& path) {
  return std::ranges::lower_bound(files, path, {}, &CountedFile::path);
}

/// Apart from one another again, where two files of code disagree on where functions end.
std::vector<CodeRange> apart(const std::vector<CodeRange>& sorted) {
  std::vector<CodeRange> ranges;
  for (const CodeRange& range : sorted) {
    const std::uint64_t end = ranges.empty() ? 0 : ranges.back().begin + ranges.back().bytes;
    if (range.begin >= end) {
      ranges.push_back(range);
    } else if (range.begin + range.bytes > end) {
      ranges.back().bytes = range.begin + range.bytes - ranges.back().begin;
    }
  }
  return ranges;
}

}  // namespace

CountedCode code_beyond(const CountedCode& own, const CountedCode& shared) {
  CountedCode beyond{own.ridge_version, {}};
  for (const CountedFile& file : own.files) {
    const auto known = place_of(shared.files, file.path);
    if (known == shared.files.end() || known->path != file.path ||
        known->identity != file.identity) {
      beyond.files.push_back(file);
      continue;
    }
    CountedFile rest{file.path, file.identity, {}};
    std::ranges::set_difference(file.code, known->code, std::back_inserter(rest.code));
    if (!rest.code.empty()) {
      beyond.files.push_back(std::move(rest));
    }
  }
  return beyond;
}

CountedCode joined_code(CountedCode shared, const CountedCode& own) {
  for (const CountedFile& file : own.files) {
    const auto known = place_of(shared.files, file.path);
    if (known == shared.files.end() || known->path != file.path) {
      shared.files.insert(known, file);
    } else if (known->identity != file.identity) {
      *known = file;
    } else {
      std::vector<CodeRange> both;
      std::ranges::set_union(known->code, file.code, std::back_inserter(both));
      known->code = apart(both);
    }
  }
  return shared;
}

}  // namespace ridge::measure
