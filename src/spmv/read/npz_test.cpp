#include "spmv/read/npz.hpp"

#include <fstream>
#include <sstream>
#include <zlib.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/read/matrix_files_for_tests.hpp"
#include "spmv/sentences_for_tests.hpp"

namespace ridge::spmv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class Number>
std::string little(std::initializer_list<Number> numbers) {
  std::string bytes;
  for (const Number number : numbers) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  return bytes;
}

std::string npy(const std::string& type, const std::string& shape, const std::string& data) {
  std::string head = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  head.resize(118, ' ');
  return "\x93NUMPY" + std::string("\x01\x00", 2) + little<std::uint16_t>({118}) + head + data;
}

struct Member {
  std::string name;
  std::string content;
  std::uint32_t claimed_bytes = 0;  ///< if not 0, instead of the true number
};

std::string zip(const std::vector<Member>& members, bool deflate) {
  std::string out;
  std::string directory;
  for (const Member& member : members) {
    const std::string data = deflate ? deflated(member.content) : member.content;
    const auto crc =
        static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(member.content.data()),
                                         static_cast<uInt>(member.content.size())));
    const auto bytes = static_cast<std::uint32_t>(
        member.claimed_bytes != 0 ? member.claimed_bytes : member.content.size());
    const auto at = static_cast<std::uint32_t>(out.size());
    const auto method = static_cast<std::uint16_t>(deflate ? 8 : 0);
    const std::string common =
        little<std::uint16_t>({20, 0, method, 0, 0}) +
        little<std::uint32_t>({crc, static_cast<std::uint32_t>(data.size()), bytes}) +
        little<std::uint16_t>({static_cast<std::uint16_t>(member.name.size()), 0});
    out += "PK\x03\x04" + common + member.name + data;
    directory += "PK\x01\x02" + little<std::uint16_t>({20}) + common +
                 little<std::uint16_t>({0, 0, 0}) + little<std::uint32_t>({0, at}) + member.name;
  }
  const auto count = static_cast<std::uint16_t>(members.size());
  return out + directory + "PK\x05\x06" + little<std::uint16_t>({0, 0, count, count}) +
         little<std::uint32_t>({static_cast<std::uint32_t>(directory.size()),
                                static_cast<std::uint32_t>(out.size())}) +
         little<std::uint16_t>({0});
}

/// [1 0 2; 0 0 5]
std::vector<Member> csr() {
  return {{"indices.npy", npy("<i4", "(3,)", little<std::int32_t>({0, 2, 2}))},
          {"indptr.npy", npy("<i4", "(3,)", little<std::int32_t>({0, 2, 3}))},
          {"format.npy", npy("|S3", "()", "csr")},
          {"shape.npy", npy("<i8", "(2,)", little<std::int64_t>({2, 3}))},
          {"data.npy", npy("<f8", "(3,)", little<double>({1, 2, 5}))}};
}

Result<MatrixFile<std::int32_t>> read_bytes(const std::string& bytes) {
  const TemporaryFolder folder;
  return read_matrix<std::int32_t>(folder.write("a.npz", bytes));
}

std::string refusal(const std::vector<Member>& members, bool deflate = true) {
  const auto file = read_bytes(zip(members, deflate));
  return file ? "accepted" : file.error().message;
}

TEST(Npz, WrittenByScipy) {
  const auto all = ElementsAre(1, 0, 2, 0, 0, 0, 0, 0, -3.5, 0, 0, 4e-300);
  for (const char* name : {"scipy_csr.npz", "scipy_csc_stored.npz", "scipy_coo.npz"}) {
    const auto file = read_matrix<std::int32_t>(std::string("testdata/") + name);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_THAT(dense(file->matrix), all) << name;
    EXPECT_EQ(file->facts.declared.format, MatrixFormat::npz);
  }
  const auto complex = read_matrix<std::int32_t>("testdata/scipy_complex.npz");
  ASSERT_TRUE(complex) << complex.error().message;
  EXPECT_THAT(dense(complex->matrix), ElementsAre(1, -2, 0, 0, 2, 1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3));
  const auto narrow = read_matrix<std::int32_t>("testdata/scipy_float32.npz");
  ASSERT_TRUE(narrow) << narrow.error().message;
  EXPECT_THAT(dense(narrow->matrix), ElementsAre(1, 0, 5, 7));
  const auto blocks = read_matrix<std::int32_t>("testdata/scipy_bsr.npz");
  ASSERT_FALSE(blocks);
  EXPECT_THAT(blocks.error().message, HasSubstr("'bsr'"));
  EXPECT_THAT(blocks.error().hint, HasSubstr("tocsr"));
}

TEST(Npz, StoredAndDeflated) {
  for (const bool deflate : {false, true}) {
    const auto file = read_bytes(zip(csr(), deflate));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_THAT(dense(file->matrix), ElementsAre(1, 0, 2, 0, 0, 5));
  }
}

TEST(Npz, ASparseArrayOfScipy111) {
  auto members = csr();
  members.push_back({"_is_array.npy", npy("|b1", "()", "\x01")});
  const auto file = read_bytes(zip(members, true));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_THAT(dense(file->matrix), ElementsAre(1, 0, 2, 0, 0, 5));
}

TEST(Npz, OtherNumbers) {
  auto members = csr();
  members[4].content = npy("|i1", "(3,)", std::string("\x01\xff\x05", 3));
  auto file = read_bytes(zip(members, true));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_THAT(dense(file->matrix), ElementsAre(1, 0, -1, 0, 0, 5));
  EXPECT_EQ(file->facts.declared.field, MatrixField::integer);
  members[2].content = npy("<U3", "()", std::string("c\0\0\0s\0\0\0r\0\0\0", 12));
  EXPECT_TRUE(read_bytes(zip(members, true)));
}

/// The matrix above with another member.
RefusedFile with(std::size_t member, const std::string& what, const std::string& content,
                 const std::string& place, const std::vector<std::string>& parts) {
  auto members = csr();
  members[member].content = content;
  return {"npz: " + what, zip(members, true), place, parts};
}

std::vector<RefusedFile> wrong_indices() {
  const auto with_indices = [](const std::string& what, const std::string& content,
                               const std::vector<std::string>& parts) {
    return with(0, what, content, "indices.npy:", parts);
  };
  const auto with_pointers = [](const std::string& what, const std::string& content,
                                const std::vector<std::string>& parts) {
    return with(1, what, content, "indptr.npy:", parts);
  };
  return {
      with_indices("a column beyond", npy("<i4", "(3,)", little<std::int32_t>({0, 3, 2})),
                   {"element 1"}),
      with_indices("a negative column", npy("<i4", "(3,)", little<std::int32_t>({0, -1, 2})),
                   {"element 1"}),
      with_indices("two columns for three values", npy("<i4", "(2,)", little<std::int32_t>({0, 2})),
                   {"2 elements", " 3"}),
      with_indices("columns of doubles", npy("<f8", "(3,)", little<double>({0, 2, 2})), {"'<f8'"}),
      with_pointers("the last pointer", npy("<i4", "(3,)", little<std::int32_t>({0, 2, 2})),
                    {"last pointer is 2"}),
      with_pointers("the first pointer", npy("<i4", "(3,)", little<std::int32_t>({1, 2, 3})),
                    {"first pointer", "0"}),
      with_pointers("falling pointers", npy("<i4", "(3,)", little<std::int32_t>({0, 3, 2})),
                    {"less than"}),
      with_pointers("a huge pointer", npy("<i8", "(3,)", little<std::int64_t>({0, 2, 1LL << 40})),
                    {"element 2"}),
  };
}

std::vector<RefusedFile> wrong_members() {
  auto missing = csr();
  missing.pop_back();
  return {
      with(2, "another format", npy("|S3", "()", "lil"), "", {"'lil'"}),
      with(3, "three sizes", npy("<i8", "(3,)", little<std::int64_t>({2, 3, 4})),
           "shape.npy:", {"3 elements", " 2"}),
      with(3, "a negative size", npy("<i8", "(2,)", little<std::int64_t>({-2, 3})),
           "shape.npy:", {"element 0"}),
      with(3, "a huge size", npy("<i8", "(2,)", little<std::int64_t>({2, 1LL << 40})), "",
           {"1099511627776", "size"}),
      with(4, "values of the other byte order", npy(">f8", "(3,)", little<double>({1, 2, 5})),
           "data.npy:", {"'>f8'"}),
      with(4, "values that are objects", npy("|O", "(3,)", "123"), "data.npy:", {"'|O'"}),
      with(4, "two values for three", npy("<f8", "(3,)", little<double>({1, 2})),
           "data.npy:", {"ends after"}),
      with(4, "four values for three", npy("<f8", "(3,)", little<double>({1, 2, 5, 7})),
           "data.npy:", {"8 byte"}),
      with(4, "a huge number of values", npy("<f8", "(99999999999,)", ""),
           "data.npy:", {"99999999999 elements"}),
      with(4, "values in two dimensions", npy("<f8", "(3, 1)", little<double>({1, 2, 5})),
           "data.npy:", {}),
      with(4, "no numpy", "not numpy at all", "data.npy:", {".npy"}),
      {"npz: without values", zip(missing, true), "", {"no data.npy"}},
  };
}

TEST(Npz, WhatIsWrong) {
  expect_refused("a.npz", wrong_indices());
  expect_refused("a.npz", wrong_members());
}

TEST(Npz, Bombs) {
  auto members = csr();
  members[4].claimed_bytes = 0xF0000000U;
  EXPECT_THAT(refusal(members), HasSubstr("claims to hold 4026531840"));
  EXPECT_THAT(refusal(members, false), HasSubstr("claims to hold 4026531840"));
  // Less than the data really are: only what was declared is unpacked.
  members[4].claimed_bytes = 140;
  EXPECT_THAT(refusal(members), HasSubstr("140 byte"));
}

TEST(Npz, DamageAndTruncation) {
  for (const bool deflate : {false, true}) {
    const std::string whole = zip(csr(), deflate);
    for (std::size_t size = 4; size < whole.size(); size += 3) {
      const auto file = read_bytes(whole.substr(0, size));
      EXPECT_FALSE(file) << size;
    }
    std::string flipped = whole;
    const std::size_t data = flipped.find("data.npy") + 8;
    flipped[data + (deflate ? 30 : 140)] ^= 0x10;
    EXPECT_FALSE(read_bytes(flipped));
  }
  EXPECT_THAT(read_bytes(gzipped(zip(csr(), true))).error().message, HasSubstr("compressed"));
}

TEST(Npz, Headers) {
  const auto header =
      parse_npy_header("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }  \n");
  ASSERT_TRUE(header);
  EXPECT_EQ(header->type, "<f8");
  EXPECT_EQ(header->count(), 12U);
  EXPECT_TRUE(parse_npy_header("{\"shape\":(),\"descr\":\"<i4\",\"fortran_order\":True}"));
  for (const char* text :
       {"", "{", "{}", "{'descr': '<f8'}", "{'descr': <f8, 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f8', 'fortran_order': 0, 'shape': (3,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': 3}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-3,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2, 3, 4)}",
        "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 'x': 1}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)} x",
        "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,)}"}) {
    EXPECT_FALSE(parse_npy_header(text)) << text;
  }
}

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(Npz, Mutations) {
  expect_robust("a.npz",
                {zip(csr(), false), zip(csr(), true), content_of("testdata/scipy_coo.npz"),
                 content_of("testdata/scipy_csc_stored.npz")},
                6000, 51);
}

}  // namespace

void npz_sentences(tests::Sentences& sentences) {
  add_refused(sentences, "a.npz", wrong_indices());
  add_refused(sentences, "a.npz", wrong_members());
  for (const std::uint32_t claimed : {0xF0000000U, 140U}) {
    auto members = csr();
    members[4].claimed_bytes = claimed;
    add_refused(sentences, "a.npz",
                {{"npz: claims " + std::to_string(claimed) + " byte", zip(members, true), {}, {}}});
  }
}

}  // namespace ridge::spmv
