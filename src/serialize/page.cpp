#include "serialize/page.hpp"

#include "core/describe/page.hpp"
#include "serialize/described/by_hand.hpp"
#include "serialize/described/page_parts.hpp"
#include "serialize/described/write.hpp"
#include "serialize/profile_value.hpp"

namespace ridge::serialize {
namespace {

constexpr const char* kSchema = "ridge.page/1";

/// What stands beside a result: its profile, for which both of its members are needed.
struct Profiles {
  void write(Writer& writer, std::string_view key, const PageResult& result) const {
    writer.object(key, [&] { write_profile_members(writer, result.profile, result.prediction); });
  }
  template <class Other>
  void write(Writer& /*writer*/, std::string_view /*key*/, const Other& /*other*/) const {}
};

}  // namespace

std::string write_page(const Page& page) {
  Writer writer(JsonLayout::compact);
  writer.member("schema", kSchema);
  write_members(writer, page, Profiles{});
  return writer.finish();
}

}  // namespace ridge::serialize
