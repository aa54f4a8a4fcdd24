#include "spmv/read/line_blocks.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <zlib.h>

#include <fmt/format.h>

#include "spmv/read/decimal.hpp"

namespace ridge::spmv {
namespace {

constexpr std::size_t kBlock = std::size_t{256} << 10;  // stays in the second-level cache
constexpr std::size_t kLongestLine = std::size_t{1} << 20;

/// One after the other the members of a gzip file.
class Gunzip {
 public:
  explicit Gunzip(const InputFile& file) : file_(&file), packed_(kBlock) {
    constexpr int kGzipOnly = 15 + 16;
    ready_ = inflateInit2(&stream_, kGzipOnly) == Z_OK;
  }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;
  Gunzip(Gunzip&&) = delete;
  Gunzip& operator=(Gunzip&&) = delete;
  ~Gunzip() { inflateEnd(&stream_); }

  Result<std::size_t> read(char* to, std::size_t bytes) {
    if (!ready_) {
      return fail(ErrorCode::unavailable, "zlib cannot be started", "Free memory.");
    }
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out =
        static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max() / 2));
    const uInt wanted = stream_.avail_out;
    while (stream_.avail_out == wanted) {
      if (stream_.avail_in == 0 && offset_ < file_->size()) {
        if (auto filled = fill(); !filled) {
          return tl::make_unexpected(filled.error());
        }
      }
      if (member_ended_ && stream_.avail_in == 0) {
        break;
      }
      if (member_ended_) {
        inflateReset(&stream_);
        member_ended_ = false;
      }
      if (auto stepped = step(); !stepped) {
        return tl::make_unexpected(stepped.error());
      }
    }
    return wanted - stream_.avail_out;
  }

 private:
  Result<void> fill() {
    const auto got = file_->read_some(offset_, packed_.data(), packed_.size());
    if (!got) {
      return tl::make_unexpected(got.error());
    }
    stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
    stream_.avail_in = static_cast<uInt>(*got);
    offset_ = *got == 0 ? file_->size() : offset_ + *got;
    return {};
  }

  Result<void> step() {
    const std::uint64_t at = offset_ - stream_.avail_in;
    const bool starved = stream_.avail_in == 0;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      member_ended_ = true;
      return {};
    }
    if (status == Z_OK && !(starved && stream_.avail_out != 0)) {
      return {};
    }
    if (status == Z_BUF_ERROR || status == Z_OK) {
      return file_->bad_byte(at, "the compressed data end too early",
                             "The file is truncated; fetch it again.");
    }
    return file_->bad_byte(at,
                           fmt::format("damaged gzip data ({})",
                                       stream_.msg != nullptr ? stream_.msg : "no reason given"),
                           "Try `gzip -t`; fetch the file again.");
  }

  const InputFile* file_;
  Array<char> packed_;
  std::uint64_t offset_ = 0;
  z_stream stream_{};
  bool ready_ = false;
  bool member_ended_ = false;
};

}  // namespace

Fetch fetch_range(const InputFile& file, std::uint64_t begin, std::uint64_t end) {
  return [&file, begin, end](char* to, std::size_t bytes) mutable -> Result<std::size_t> {
    auto got = file.read_some(
        begin, to, static_cast<std::size_t>(std::min<std::uint64_t>(bytes, end - begin)));
    if (got) {
      begin += *got;
    }
    return got;
  };
}

Fetch fetch_gunzipped(const InputFile& file, std::uint64_t begin) {
  auto gunzip = std::make_shared<Gunzip>(file);
  return [gunzip, begin](char* to, std::size_t bytes) mutable -> Result<std::size_t> {
    while (begin > 0) {
      const auto dropped =
          gunzip->read(to, static_cast<std::size_t>(std::min<std::uint64_t>(bytes, begin)));
      if (!dropped || *dropped == 0) {
        return dropped;
      }
      begin -= *dropped;
    }
    return gunzip->read(to, bytes);
  };
}

Fetch fetch_text(const InputFile& file, bool gzip, std::uint64_t begin) {
  return gzip ? fetch_gunzipped(file, begin) : fetch_range(file, begin, file.size());
}

LineBlocks::LineBlocks(Fetch fetch)
    : fetch_(std::move(fetch)), room_(kBlock + kNumberPadding + 1) {}

Result<std::string_view> LineBlocks::next() {
  std::memmove(room_.data(), room_.data() + consumed_, filled_ - consumed_);
  filled_ -= consumed_;
  consumed_ = 0;
  std::size_t searched = 0;
  while (true) {
    const std::size_t capacity = room_.size() - kNumberPadding - 1;
    if (!ended_ && filled_ < capacity) {
      const auto got = fetch_(room_.data() + filled_, capacity - filled_);
      if (!got) {
        return tl::make_unexpected(got.error());
      }
      ended_ = *got == 0;
      filled_ += *got;
    }
    if (ended_ && filled_ > 0 && room_[filled_ - 1] != '\n') {
      room_[filled_++] = '\n';
    }
    const std::string_view text(room_.data() + searched, filled_ - searched);
    const std::size_t last = text.rfind('\n');
    if (last != std::string_view::npos) {
      consumed_ = searched + last + 1;
      std::memset(room_.data() + filled_, 0, kNumberPadding);
      return std::string_view(room_.data(), consumed_);
    }
    if (ended_) {
      return std::string_view();
    }
    searched = filled_;
    if (filled_ == capacity) {
      if (filled_ > kLongestLine) {
        too_long_ = true;
        return std::string_view();
      }
      Array<char> larger(2 * capacity + kNumberPadding + 1);
      std::memcpy(larger.data(), room_.data(), filled_);
      room_ = std::move(larger);
    }
  }
}

}  // namespace ridge::spmv
