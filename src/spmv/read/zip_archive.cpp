#include "spmv/read/zip_archive.hpp"

#include <algorithm>
#include <optional>
#include <zlib.h>

#include <fmt/format.h>

#include "spmv/read/compressed_rows.hpp"

namespace ridge::spmv {
namespace {

// Signatures and sizes of APPNOTE.TXT, sections 4.3.7 to 4.3.16.
constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
constexpr std::uint32_t kDirectoryEnd = 0x06054b50;
constexpr std::uint32_t kDirectoryEnd64 = 0x06064b50;
constexpr std::uint32_t kLocator64 = 0x07064b50;
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kLocatorBytes = 20;
constexpr std::size_t kEnd64Bytes = 56;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // the number stands in the extra field
constexpr std::uint64_t kMostMembers = 1000;
constexpr std::uint64_t kMostDirectory = std::uint64_t{1} << 20;

template <class Number>
Number little(const char* bytes) {
  return number_from<Number>(bytes, std::endian::little);
}

struct Directory {
  std::uint64_t members = 0;
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
};

Result<std::string> bytes_of(const InputFile& file, std::uint64_t at, std::uint64_t bytes) {
  if (at > file.size() || bytes > file.size() - at || bytes > kMostDirectory) {
    return file.bad_byte(std::min(at, file.size()), "the zip archive points beyond its end");
  }
  std::string room(bytes, '\0');
  if (auto got = file.read(at, room.data(), bytes); !got) {
    return tl::make_unexpected(got.error());
  }
  return room;
}

/// The larger numbers of archives beyond 4 GB, where they are there.
Result<Directory> read_end64(const InputFile& file, std::uint64_t end_at, Directory directory) {
  if (end_at < kLocatorBytes) {
    return directory;
  }
  const auto locator = bytes_of(file, end_at - kLocatorBytes, kLocatorBytes);
  if (!locator) {
    return tl::make_unexpected(locator.error());
  }
  if (little<std::uint32_t>(locator->data()) != kLocator64) {
    return directory;
  }
  const auto at = little<std::uint64_t>(locator->data() + 8);
  const auto end = bytes_of(file, at, kEnd64Bytes);
  if (!end) {
    return tl::make_unexpected(end.error());
  }
  if (little<std::uint32_t>(end->data()) != kDirectoryEnd64) {
    return file.bad_byte(at, "no end of a zip directory");
  }
  return Directory{little<std::uint64_t>(end->data() + 32), little<std::uint64_t>(end->data() + 48),
                   little<std::uint64_t>(end->data() + 40)};
}

Result<Directory> find_directory(const InputFile& file) {
  // Behind the end record there may be a comment of up to 64 KiB.
  const std::uint64_t window = std::min<std::uint64_t>(file.size(), kEndBytes + 0xFFFF);
  const auto tail = bytes_of(file, file.size() - window, window);
  if (!tail) {
    return tl::make_unexpected(tail.error());
  }
  for (std::size_t at = tail->size() < kEndBytes ? 0 : tail->size() - kEndBytes + 1; at-- > 0;) {
    const char* end = tail->data() + at;
    if (little<std::uint32_t>(end) == kDirectoryEnd &&
        at + kEndBytes + little<std::uint16_t>(end + 20) == tail->size()) {
      const Directory directory{little<std::uint16_t>(end + 10), little<std::uint32_t>(end + 16),
                                little<std::uint32_t>(end + 12)};
      return read_end64(file, file.size() - window + at, directory);
    }
  }
  return file.bad("the zip archive has no directory at its end",
                  "The file is truncated; fetch it again.");
}

/// Sizes that do not fit into the entry, in this order: bytes, packed bytes, place.
bool read_extra64(std::string_view extra, ZipMember& member, std::uint64_t& header_at) {
  while (extra.size() >= 4) {
    const auto kind = little<std::uint16_t>(extra.data());
    const std::size_t size = little<std::uint16_t>(extra.data() + 2);
    extra.remove_prefix(4);
    if (size > extra.size()) {
      return false;
    }
    if (kind == 1) {
      std::size_t at = 0;
      for (std::uint64_t* number : {&member.bytes, &member.packed_bytes, &header_at}) {
        if (*number == kIn64) {
          if (at + 8 > size) {
            return false;
          }
          *number = little<std::uint64_t>(extra.data() + at);
          at += 8;
        }
      }
      return true;
    }
    extra.remove_prefix(size);
  }
  return true;
}

Result<void> check_member(const InputFile& file, std::uint64_t header_at, unsigned method,
                          unsigned flags, ZipMember& member) {
  constexpr std::uint64_t kMostDeflated = 1032;
  const auto local = bytes_of(file, header_at, kLocalBytes);
  if (!local) {
    return tl::make_unexpected(local.error());
  }
  if (little<std::uint32_t>(local->data()) != kLocalHeader) {
    return file.bad_byte(header_at, "no member of a zip archive");
  }
  member.data_at = header_at + kLocalBytes + little<std::uint16_t>(local->data() + 26) +
                   little<std::uint16_t>(local->data() + 28);
  if (member.data_at > file.size() || member.packed_bytes > file.size() - member.data_at) {
    return file.bad_byte(header_at, "the member of the zip archive goes beyond its end");
  }
  if ((flags & 1) != 0 || (method != 0 && method != 8)) {
    return file.bad_byte(header_at, "a member is encrypted or packed in an unusual way",
                         "Save it with scipy.sparse.save_npz.");
  }
  const std::uint64_t most =
      method == 8 ? 64 + kMostDeflated * member.packed_bytes : member.packed_bytes;
  if (member.bytes > most || (method == 0 && member.bytes != most)) {
    return file.bad_byte(header_at, fmt::format("a member of {} byte claims to hold {}",
                                                member.packed_bytes, member.bytes));
  }
  return {};
}

}  // namespace

Result<std::vector<ZipMember>> read_zip_directory(const InputFile& file) {
  const auto directory = find_directory(file);
  if (!directory) {
    return tl::make_unexpected(directory.error());
  }
  const auto text = bytes_of(file, directory->at, directory->bytes);
  if (!text || directory->members > kMostMembers) {
    return file.bad("the directory of the zip archive is damaged");
  }
  std::vector<ZipMember> members;
  std::string_view rest = *text;
  for (std::uint64_t i = 0; i < directory->members; ++i) {
    if (rest.size() < kEntryBytes || little<std::uint32_t>(rest.data()) != kDirectoryEntry) {
      return file.bad("the directory of the zip archive is damaged");
    }
    const std::size_t name = little<std::uint16_t>(rest.data() + 28);
    const std::size_t extra = little<std::uint16_t>(rest.data() + 30);
    const std::size_t comment = little<std::uint16_t>(rest.data() + 32);
    ZipMember member;
    member.deflated = little<std::uint16_t>(rest.data() + 10) == 8;
    member.crc = little<std::uint32_t>(rest.data() + 16);
    member.packed_bytes = little<std::uint32_t>(rest.data() + 20);
    member.bytes = little<std::uint32_t>(rest.data() + 24);
    std::uint64_t header_at = little<std::uint32_t>(rest.data() + 42);
    if (rest.size() < kEntryBytes + name + extra + comment ||
        !read_extra64(rest.substr(kEntryBytes + name, extra), member, header_at)) {
      return file.bad("the directory of the zip archive is damaged");
    }
    member.name = rest.substr(kEntryBytes, name);
    if (auto checked = check_member(file, header_at, little<std::uint16_t>(rest.data() + 10),
                                    little<std::uint16_t>(rest.data() + 8), member);
        !checked) {
      return tl::make_unexpected(checked.error());
    }
    members.push_back(std::move(member));
    rest.remove_prefix(kEntryBytes + name + extra + comment);
  }
  return members;
}

struct ZipStream::State {
  State() { ready = inflateInit2(&stream, -15) == Z_OK; }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  State(State&&) = delete;
  State& operator=(State&&) = delete;
  ~State() { inflateEnd(&stream); }

  z_stream stream{};
  std::vector<char> packed = std::vector<char>(std::size_t{256} << 10);
  bool ready = false;
  bool ended = false;
};

ZipStream::ZipStream(const InputFile& file, const ZipMember& member)
    : file_(&file), member_(&member) {
  if (member.deflated) {
    state_ = std::make_unique<State>();
  }
}

ZipStream::~ZipStream() = default;

tl::unexpected<Error> ZipStream::bad(std::string_view reason) const {
  return file_->bad(fmt::format("{}: {}", shown_text(member_->name), reason));
}

Result<std::size_t> ZipStream::inflate_some(char* to, std::size_t bytes) {
  z_stream& stream = state_->stream;
  if (stream.avail_in == 0 && packed_read_ < member_->packed_bytes) {
    const auto size = static_cast<std::size_t>(
        std::min<std::uint64_t>(state_->packed.size(), member_->packed_bytes - packed_read_));
    if (auto got = file_->read(member_->data_at + packed_read_, state_->packed.data(), size);
        !got) {
      return tl::make_unexpected(got.error());
    }
    packed_read_ += size;
    stream.next_in = reinterpret_cast<Bytef*>(state_->packed.data());
    stream.avail_in = static_cast<uInt>(size);
  }
  stream.next_out = reinterpret_cast<Bytef*>(to);
  const auto room = static_cast<uInt>(std::min<std::size_t>(bytes, std::size_t{1} << 30));
  stream.avail_out = room;
  const int status = state_->ready && !state_->ended ? inflate(&stream, Z_NO_FLUSH) : Z_DATA_ERROR;
  state_->ended = status == Z_STREAM_END;
  const bool more_to_come = stream.avail_in > 0 || packed_read_ < member_->packed_bytes;
  if (status != Z_STREAM_END && (status != Z_OK || (stream.avail_out == room && !more_to_come))) {
    return bad("the compressed data are damaged or end too early");
  }
  return room - stream.avail_out;
}

Result<void> ZipStream::read(char* to, std::size_t bytes) {
  if (bytes > member_->bytes - read_) {
    return bad(fmt::format("it ends after {} byte, {} more are due", member_->bytes,
                           bytes - (member_->bytes - read_)));
  }
  std::size_t done = 0;
  while (done < bytes) {
    if (state_) {
      const auto got = inflate_some(to + done, bytes - done);
      if (!got) {
        return tl::make_unexpected(got.error());
      }
      done += *got;
      continue;
    }
    if (auto got = file_->read(member_->data_at + read_, to, bytes); !got) {
      return got;
    }
    done = bytes;
  }
  read_ += bytes;
  for (std::size_t begin = 0; begin < bytes;) {  // zlib counts in 32 bit
    const std::size_t size = std::min<std::size_t>(bytes - begin, std::size_t{1} << 30);
    crc_ = static_cast<std::uint32_t>(
        crc32(crc_, reinterpret_cast<const Bytef*>(to + begin), static_cast<uInt>(size)));
    begin += size;
  }
  return {};
}

Result<void> ZipStream::finish() {
  if (read_ != member_->bytes) {
    return bad(fmt::format("{} byte too many", member_->bytes - read_));
  }
  return crc_ == member_->crc ? Result<void>() : bad("the checksum is wrong");
}

}  // namespace ridge::spmv
