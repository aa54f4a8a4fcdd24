// Members of a zip archive, as numpy writes them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "spmv/read/input_file.hpp"

namespace ridge::spmv {

struct ZipMember {
  std::string name;
  bool deflated = false;
  std::uint32_t crc = 0;
  std::uint64_t packed_bytes = 0;
  std::uint64_t bytes = 0;
  std::uint64_t data_at = 0;  ///< in the file
};

/// The directory of the archive; sizes are held against the file, and no member claims to be more
/// than 1032 times what it takes, the most that deflate does.
[[nodiscard]] Result<std::vector<ZipMember>> read_zip_directory(const InputFile& file);

/// Reads a member from its beginning to its end.
class ZipStream {
 public:
  ZipStream(const InputFile& file, const ZipMember& member);
  ~ZipStream();
  ZipStream(const ZipStream&) = delete;
  ZipStream& operator=(const ZipStream&) = delete;
  ZipStream(ZipStream&&) = delete;
  ZipStream& operator=(ZipStream&&) = delete;

  /// Exactly so many bytes.
  [[nodiscard]] Result<void> read(char* to, std::size_t bytes);
  /// After the last byte: whether that was the end and the checksum is right.
  [[nodiscard]] Result<void> finish();
  [[nodiscard]] tl::unexpected<Error> bad(std::string_view reason) const;

 private:
  [[nodiscard]] Result<std::size_t> inflate_some(char* to, std::size_t bytes);

  struct State;
  const InputFile* file_;
  const ZipMember* member_;
  std::unique_ptr<State> state_;
  std::uint64_t packed_read_ = 0;
  std::uint64_t read_ = 0;
  std::uint32_t crc_ = 0;
};

}  // namespace ridge::spmv
