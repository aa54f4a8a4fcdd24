// From linkage names to names that people read.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace ridge::measure {

/// Cuts return type, parameters and qualifiers off a demangled C++ function name:
/// "std::vector<int> ns::f<int>(int const&) const" gives "ns::f<int>". Enclosing functions keep
/// their parameters ("main::{lambda(int)#1}::operator()").
[[nodiscard]] std::string qualified_name(std::string_view demangled);

/// "main" for "main", "ns::f" for "_ZN2ns1fEi", fortran_name() where it is one; clone suffixes
/// (".omp_outlined", ".cold") go. What is no valid linkage name comes back as it is.
[[nodiscard]] std::string readable_name(std::string_view linkage_name);

/// readable_name, remembering what was asked before.
class NameTable {
 public:
  [[nodiscard]] const std::string& readable(std::string_view linkage_name);

 private:
  std::unordered_map<std::string, std::string> names_;
};

/// The last part of a path: "libm.so.6" for "/lib/x86_64-linux-gnu/libm.so.6".
[[nodiscard]] std::string_view file_name(std::string_view path);

/// `file` as it stands when absolute or without folder, else `directory`/`file`, without "." and
/// "..".
[[nodiscard]] std::string source_path(std::string_view directory, std::string_view file);

}  // namespace ridge::measure
