// Developers' tool: writes the documents that follow from the lists of fields into the root of a
// source tree (or an empty folder), for scripts/generate-formats and its test.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "serialize/documents/documents.hpp"

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
  std::puts(path.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: serialize_write_documents ROOT\n", stderr);
    return 2;
  }
  const std::filesystem::path root = argv[1];
  const auto formats = ridge::serialize::described_formats();
  for (const ridge::serialize::Format& format : formats) {
    const std::string name = format.schema.substr(0, format.schema.find('/'));
    write(root / "docs/formats" / ridge::serialize::schema_file_of(format),
          ridge::serialize::json_schema(format));
    write(root / "docs/formats" / (name + ".md"), ridge::serialize::format_page(format));
  }
  write(root / "web/src/data/stored.ts", ridge::serialize::type_script(formats));
  return 0;
}
