// The members of an .npz behind right checksums: fuzz_npz changes the archive as a whole, and
// rarely gets past them. Sections begin with "|NPY|" and one byte: which member, and whether
// deflated.
#include <array>
#include <string>
#include <string_view>
#include <zlib.h>

#include "fuzz/fuzz_file.hpp"
#include "spmv/read/npz.hpp"

namespace {

constexpr std::string_view kMark = "|NPY|";
constexpr std::array<std::string_view, 8> kNames = {"indices.npy", "indptr.npy",   "format.npy",
                                                    "shape.npy",   "data.npy",     "row.npy",
                                                    "col.npy",     "_is_array.npy"};

std::string little(std::size_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) {
    text += static_cast<char>(number >> (8 * i) & 0xffU);
  }
  return text;
}

std::string deflated(std::string_view content) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, content.size()), '\0');
  std::string in(content);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string archive_of(std::string_view sections) {
  std::string out;
  std::string directory;
  std::size_t members = 0;
  std::size_t at = sections.find(kMark);
  while (at != std::string_view::npos && at + kMark.size() < sections.size()) {
    const std::size_t next = sections.find(kMark, at + kMark.size());
    const auto which = static_cast<unsigned char>(sections[at + kMark.size()]);
    const std::size_t begin = at + kMark.size() + 1;
    const std::string_view content =
        sections.substr(begin, next == std::string_view::npos ? next : next - begin);
    const bool deflate = (which & 8U) != 0;
    const std::string data = deflate ? deflated(content) : std::string(content);
    const std::string_view name = kNames[which % kNames.size()];
    const auto crc =
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
    const std::string common = little(20, 2) + little(0, 2) + little(deflate ? 8 : 0, 2) +
                               little(0, 4) + little(crc, 4) + little(data.size(), 4) +
                               little(content.size(), 4) + little(name.size(), 2) + little(0, 2);
    directory +=
        "PK\x01\x02" + little(20, 2) + common + std::string(10, '\0') + little(out.size(), 4);
    directory += name;
    out += "PK\x03\x04" + common;
    out += name;
    out += data;
    ++members;
    at = next;
  }
  return out + directory + "PK\x05\x06" + little(0, 4) + little(members, 2) + little(members, 2) +
         little(directory.size(), 4) + little(out.size(), 4) + little(0, 2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string archive =
      archive_of(std::string_view(reinterpret_cast<const char*>(data), size));
  return ridge::spmv::fuzz_reader(reinterpret_cast<const std::uint8_t*>(archive.data()),
                                  archive.size(), ridge::spmv::peek_npz,
                                  ridge::spmv::read_npz<std::int32_t>);
}
