#include "execute/loaded.hpp"

#include <cstring>
#include <dlfcn.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "execute/objects_for_tests.hpp"

namespace ridge::execute {
namespace {

using testing::HasSubstr;
using testing_objects::array;
using testing_objects::call;
using testing_objects::integer;

/// In our own process.
struct Called {
  std::vector<std::vector<std::byte>> arrays;
};

Called called(const Call& of) {
  auto loaded = LoadedCall::load(of);
  EXPECT_TRUE(loaded) << loaded.error().message;
  auto memory = ArrayMemory::guarded(loaded->sizes());
  EXPECT_TRUE(memory) << memory.error().message;
  loaded->bind(memory->spans());
  loaded->call();
  Called result;
  std::vector<Span> spans = memory->spans();
  const std::vector<Span> own = loaded->own_spans();
  spans.insert(spans.end(), own.begin(), own.end());
  for (const Span& span : spans) {
    result.arrays.emplace_back(span.data(), span.data() + span.bytes);
  }
  return result;
}

template <class T>
std::vector<T> values(const std::vector<std::byte>& bytes) {
  std::vector<T> typed(bytes.size() / sizeof(T));
  std::memcpy(typed.data(), bytes.data(), bytes.size());
  return typed;
}

template <class T>
std::vector<T> filled(const Array& of) {
  std::vector<T> typed(of.extent);
  fill(of, reinterpret_cast<std::byte*>(typed.data()));
  return typed;
}

/// The function itself, called as its own type.
template <class F>
F* direct(const std::string& symbol) {
  void* const handle = dlopen(testing_objects::object("functions.c").c_str(), RTLD_LAZY);
  return reinterpret_cast<F*>(dlsym(handle, symbol.c_str()));
}

TEST(LoadedCall, DoesWhatADirectCallDoes) {
  const auto made = called(
      call("daxpy", {integer("n", 1003), Real{"s", 0.3}, array("y", 1003), array("x", 1003)}));
  auto y = filled<double>(array("y", 1003));
  const auto x = filled<double>(array("x", 1003));
  direct<void(long, double, double*, const double*)>("daxpy")(1003, 0.3, y.data(), x.data());
  EXPECT_EQ(values<double>(made.arrays[0]), y);
  EXPECT_EQ(values<double>(made.arrays[1]), x);
}

TEST(LoadedCall, VariableExtentsAndSinglePrecision) {
  const auto field = [](const char* name) { return array(name, 31 * 17, Element::fp32); };
  const auto made = called(call("five_points", {integer("m", 31), integer("n", 17),
                                                Real{"s", 0.25, true}, field("b"), field("a")}));
  auto b = filled<float>(field("b"));
  const auto a = filled<float>(field("a"));
  direct<void(long, long, float, float*, const float*)>("five_points")(31, 17, 0.25F, b.data(),
                                                                       a.data());
  EXPECT_EQ(values<float>(made.arrays[0]), b);
  EXPECT_NE(b, filled<float>(field("b")));
}

TEST(LoadedCall, EveryKindOfArgument) {
  const auto made = called(call(
      "many",
      {array("seen", 18), integer("a", -5, 1), Real{"b", 0.5, true}, Integer{"c", 65535, 2, false},
       Real{"d", 1.25}, integer("e", -100'000, 4), Real{"f", 2.5, true}, Real{"g", 3.75},
       integer("h", -5'000'000'000), integer("i", 6, 4), Real{"j", 7.5}, Real{"k", 8.5, true},
       Real{"l", 9.5}, Integer{"m", 4'000'000'000, 4, false}, Real{"n", 11.5, true},
       Real{"o", 12.5}, integer("p", 13), Real{"q", 14.5, true}, integer("r", -32768, 2)}));
  EXPECT_THAT(values<double>(made.arrays[0]),
              testing::ElementsAre(-5, 0.5, 65535, 1.25, -100'000, 2.5, 3.75, -5e9, 6, 7.5, 8.5,
                                   9.5, 4e9, 11.5, 12.5, 13, 14.5, -32768));
}

TEST(LoadedCall, GlobalArraysPointersAndNumbers) {
  const auto made = called(call("globals", {},
                                {{"table", array("table", 1000)},
                                 {"moved", array("moved", 10), true},
                                 {"length", integer("length", 10, 4)},
                                 {"factor", Real{"factor", 2.0, true}}}));
  ASSERT_EQ(made.arrays.size(), 2U);
  const auto table = values<double>(made.arrays[1]);
  EXPECT_EQ(table[9], 2.0 * values<double>(made.arrays[0])[9]);
  EXPECT_EQ(table[10], filled<double>(array("table", 1000))[10]);
}

TEST(LoadedCall, IndicesOfTheCaller) {
  Array index = array("index", 4, Element::int32);
  index.integers = {2, 0, 1};
  const auto made =
      called(call("gather", {integer("n", 4, 4), array("y", 4), array("x", 3), index}));
  const auto x = values<double>(made.arrays[1]);
  EXPECT_THAT(values<double>(made.arrays[0]), testing::ElementsAre(x[2], x[0], x[1], x[2]));
}

TEST(LoadedCall, ElementsInFrontOfThePointer) {
  Array a = array("a", 10);
  a.before = 3;
  a.reals = {5.0};
  const auto made = called(call("writes_in_front", {a}));
  EXPECT_EQ(values<double>(made.arrays[0])[0], 1.0);
  EXPECT_EQ(values<double>(made.arrays[0])[1], 5.0);
}

TEST(LoadedCall, WhatDoesNotFitIsRefused) {
  const auto refused = [](const Call& of) {
    const auto loaded = LoadedCall::load(of);
    EXPECT_FALSE(loaded);
    return loaded ? Error{} : loaded.error();
  };
  EXPECT_THAT(refused(call("no_such_function")).message, HasSubstr("no_such_function"));
  EXPECT_THAT(refused(call("nothing", {}, {{"no_such_table", array("t", 1)}})).hint,
              HasSubstr("static"));
  EXPECT_THAT(refused(call("nothing", {}, {{"table", array("table", 1001)}})).message,
              HasSubstr("8008"));
  EXPECT_THAT(refused(call("nothing", {integer("n", 128, 1)})).message,
              HasSubstr("n cannot be 128"));
  EXPECT_THAT(refused(call("nothing", {Integer{"n", -1, 4, false}})).message,
              HasSubstr("n cannot be -1"));
  EXPECT_THAT(refused(call("nothing", std::vector<Argument>(23, integer("n", 1)))).message,
              HasSubstr("too many"));
  Call other = call("nothing");
  other.object = "no/such.so";
  EXPECT_THAT(refused(other).message, HasSubstr("no/such.so"));
  EXPECT_EQ(refused(other).code, ErrorCode::bad_input);
}

}  // namespace
}  // namespace ridge::execute
