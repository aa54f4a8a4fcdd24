#include "core/describe/profile.hpp"
#include "serialize/described/by_hand.hpp"
#include "serialize/documents/documents.hpp"
#include "serialize/documents/shape_of.hpp"

namespace ridge::serialize {
namespace {

template <class T>
Format format_of(std::string_view schema, std::string_view title) {
  Format format{std::string(schema), std::string(title), {}};
  (void)shape_of_object<T>(format);
  return format;
}

}  // namespace

std::vector<Format> described_formats() {
  return {format_of<Profile>("ridge.profile/2", "what a program did")};
}

std::string schema_file_of(const Format& format) {
  std::string name = format.schema;
  name.replace(name.find('/'), 1, "-");
  return name + ".schema.json";
}

}  // namespace ridge::serialize
