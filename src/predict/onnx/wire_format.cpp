#include "predict/onnx/wire_format.hpp"

#include <array>
#include <optional>

#include <fmt/format.h>

#include "core/value/tensor_graph.hpp"

namespace ridge::predict {
namespace {

/// The messages of onnx.proto on the way to its tensors.
enum class Message { model, function, graph, node, attribute, tensor, sparse_tensor, opaque };

struct Child {
  Message parent;
  std::uint32_t field;
  Message child;
};
constexpr std::array<Child, 13> kChildren{{
    {Message::model, 7, Message::graph},
    {Message::model, 25, Message::function},
    {Message::function, 7, Message::node},
    {Message::graph, 1, Message::node},
    {Message::graph, 5, Message::tensor},
    {Message::graph, 15, Message::sparse_tensor},
    {Message::node, 5, Message::attribute},
    {Message::attribute, 5, Message::tensor},
    {Message::attribute, 6, Message::graph},
    {Message::attribute, 10, Message::tensor},
    {Message::attribute, 11, Message::graph},
    {Message::sparse_tensor, 1, Message::tensor},
    {Message::sparse_tensor, 2, Message::tensor},
}};

/// Texts for people and training: nothing here reads them.
struct Unused {
  Message parent;
  std::uint32_t field;
};
constexpr std::array<Unused, 8> kUnused{{{Message::model, 6},
                                         {Message::model, 14},
                                         {Message::model, 20},
                                         {Message::function, 8},
                                         {Message::graph, 10},
                                         {Message::node, 6},
                                         {Message::attribute, 13},
                                         {Message::tensor, 12}}};

namespace tensor_field {
constexpr std::uint32_t kDims = 1;
constexpr std::uint32_t kType = 2;
constexpr std::uint32_t kFloats = 4;
constexpr std::uint32_t kInt32s = 5;
constexpr std::uint32_t kStrings = 6;
constexpr std::uint32_t kInt64s = 7;
constexpr std::uint32_t kName = 8;
constexpr std::uint32_t kRaw = 9;
constexpr std::uint32_t kDoubles = 10;
constexpr std::uint32_t kUint64s = 11;
constexpr std::uint32_t kExternal = 13;
constexpr std::uint32_t kLocation = 14;
}  // namespace tensor_field

bool is_payload(std::uint32_t field) {
  using namespace tensor_field;
  return field == kFloats || field == kInt32s || field == kStrings || field == kInt64s ||
         field == kRaw || field == kDoubles || field == kUint64s;
}

/// Byte of one element by TensorProto.DataType; 0 where it varies.
std::uint64_t element_bytes(std::uint64_t type) {
  constexpr std::array<std::uint8_t, 21> kBytes{0, 4, 1, 1, 2,  2, 4, 8, 0, 1, 2,
                                                8, 4, 8, 8, 16, 2, 1, 1, 1, 1};
  return type < kBytes.size() ? kBytes[type] : 0;
}

struct Field {
  std::uint32_t number = 0;
  unsigned wire_type = 0;
  std::uint64_t value = 0;   ///< of a varint
  std::string_view content;  ///< length-delimited
  std::string_view whole;    ///< with its key
};

constexpr unsigned kVarint = 0;
constexpr unsigned kFixed64 = 1;
constexpr unsigned kDelimited = 2;
constexpr unsigned kFixed32 = 5;

/// Fields of one message, in order.
class FieldReader {
 public:
  explicit FieldReader(std::string_view message) : rest_(message) {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  /// nullopt: not the wire format, or cut off.
  std::optional<Field> next() {
    const std::string_view start = rest_;
    const auto key = varint();
    if (!key || (*key >> 3) == 0 || (*key >> 3) > 0x1fffffff) {
      return std::nullopt;
    }
    Field field;
    field.number = static_cast<std::uint32_t>(*key >> 3);
    field.wire_type = static_cast<unsigned>(*key & 7);
    if (!read_value(field)) {
      return std::nullopt;
    }
    field.whole = start.substr(0, start.size() - rest_.size());
    return field;
  }

  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 10 && i < rest_.size(); ++i) {
      const auto byte = static_cast<unsigned char>(rest_[i]);
      value |= std::uint64_t{byte & 0x7fU} << (7 * i);
      if (byte < 0x80) {
        rest_.remove_prefix(i + 1);
        return value;
      }
    }
    return std::nullopt;
  }

 private:
  bool skip(std::uint64_t bytes, std::string_view* content = nullptr) {
    if (bytes > rest_.size()) {
      return false;
    }
    if (content != nullptr) {
      *content = rest_.substr(0, bytes);
    }
    rest_.remove_prefix(bytes);
    return true;
  }

  bool read_value(Field& field) {
    switch (field.wire_type) {
      case kVarint: {
        const auto value = varint();
        field.value = value.value_or(0);
        return value.has_value();
      }
      case kFixed64:
        return skip(8, &field.content);
      case kFixed32:
        return skip(4, &field.content);
      case kDelimited: {
        const auto length = varint();
        return length && skip(*length, &field.content);
      }
      default:
        return false;  // groups: ONNX has none
    }
  }

  std::string_view rest_;
};

void append_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(static_cast<unsigned char>(value) | 0x80U);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

/// What a TensorProto says of itself, before its data are kept or dropped.
struct TensorFacts {
  std::string_view name;
  std::uint64_t elements = 1;
  std::uint64_t type = 0;
  std::uint64_t payload = 0;             // byte
  std::optional<std::uint64_t> raw;      // byte of raw_data
  std::optional<std::uint64_t> fixed;    // elements of float_data or double_data
  std::optional<std::int64_t> negative;  // a dimension
  bool too_many = false;                 // elements
  bool external = false;

  /// Integers may be a shape, or what a shape is made of.
  [[nodiscard]] std::size_t kept_payload() const {
    constexpr std::uint64_t kInt32 = 6;
    constexpr std::uint64_t kInt64 = 7;
    return type == kInt32 || type == kInt64 ? kKeptIntegers : kKeptPayload;
  }
};

class Slimmer {
 public:
  explicit Slimmer(std::string_view file_name) : file_name_(file_name) {}

  bool rewrite(std::string_view message, Message kind, unsigned graphs, std::string& out);

  [[nodiscard]] std::optional<Error> take_error() { return std::move(error_); }
  [[nodiscard]] std::uint64_t external_tensors() const { return external_tensors_; }

 private:
  bool rewrite_tensor(std::string_view message, std::string& out);
  bool read_facts(std::string_view message, TensorFacts& facts);
  bool check(const TensorFacts& facts);
  bool broken() { return refuse("is cut off or not an ONNX model"); }
  bool refuse(std::string what) {
    if (!error_) {
      error_ = Error{ErrorCode::bad_input, fmt::format("{}: {}", file_name_, what),
                     "export or download the model again"};
    }
    return false;
  }

  std::string_view file_name_;
  std::optional<Error> error_;
  std::uint64_t external_tensors_ = 0;
};

Message child_of(Message parent, std::uint32_t field) {
  for (const Child& known : kChildren) {
    if (known.parent == parent && known.field == field) {
      return known.child;
    }
  }
  return Message::opaque;
}

bool is_unused(Message parent, std::uint32_t field) {
  for (const Unused& known : kUnused) {
    if (known.parent == parent && known.field == field) {
      return true;
    }
  }
  return false;
}

bool Slimmer::rewrite(std::string_view message, Message kind, unsigned graphs, std::string& out) {
  if (kind == Message::graph && ++graphs > kMostNestedGraphs + 1) {
    return refuse(fmt::format("holds graphs in graphs, more than {} deep", kMostNestedGraphs));
  }
  if (kind == Message::tensor) {
    return rewrite_tensor(message, out);
  }
  FieldReader reader(message);
  while (!reader.at_end()) {
    const auto field = reader.next();
    if (!field) {
      return broken();
    }
    const Message child =
        field->wire_type == kDelimited ? child_of(kind, field->number) : Message::opaque;
    if (is_unused(kind, field->number)) {
      continue;
    }
    if (child == Message::opaque) {
      out += field->whole;
      continue;
    }
    std::string inner;
    if (!rewrite(field->content, child, graphs, inner)) {
      return false;
    }
    append_varint(out, std::uint64_t{field->number} << 3 | kDelimited);
    append_varint(out, inner.size());
    out += inner;
  }
  return true;
}

void add_dimension(std::uint64_t dimension, TensorFacts& facts) {
  if (static_cast<std::int64_t>(dimension) < 0) {
    facts.negative = static_cast<std::int64_t>(dimension);
  } else if (dimension != 0 && facts.elements > kLargestCount / dimension) {
    facts.too_many = true;
  } else {
    facts.elements *= dimension;
  }
}

/// The field as data of the tensor.
void add_payload(const Field& field, TensorFacts& facts) {
  using namespace tensor_field;
  facts.payload += field.whole.size();
  const bool floats = field.number == kFloats || field.number == kDoubles;
  if (field.number == kRaw) {
    facts.raw = field.content.size();
  } else if (floats) {
    facts.fixed =
        facts.fixed.value_or(0) + field.content.size() / (field.number == kFloats ? 4 : 8);
  }
}

bool Slimmer::read_facts(std::string_view message, TensorFacts& facts) {
  using namespace tensor_field;
  FieldReader reader(message);
  while (!reader.at_end()) {
    const auto field = reader.next();
    if (!field) {
      return broken();
    }
    if (field->number == kDims && field->wire_type == kVarint) {
      add_dimension(field->value, facts);
    } else if (field->number == kDims && field->wire_type == kDelimited) {
      for (FieldReader packed(field->content); !packed.at_end();) {
        const auto dimension = packed.varint();
        if (!dimension) {
          return broken();
        }
        add_dimension(*dimension, facts);
      }
    } else if (field->number == kType && field->wire_type == kVarint) {
      facts.type = field->value;
    } else if (field->number == kName && field->wire_type == kDelimited) {
      facts.name = field->content;
    } else if (field->number == kExternal ||
               (field->number == kLocation && field->wire_type == kVarint && field->value == 1)) {
      facts.external = true;
    } else if (is_payload(field->number)) {
      add_payload(*field, facts);
    }
  }
  return true;
}

/// A model without its numbers is fine (some are handed on so); half of the numbers is not.
bool Slimmer::check(const TensorFacts& facts) {
  const std::string_view name = facts.name.substr(0, 60);
  if (facts.negative) {
    return refuse(fmt::format("tensor `{}` has the negative dimension {}", name, *facts.negative));
  }
  if (facts.too_many) {
    return refuse(fmt::format("tensor `{}` declares more than 2^53 elements", name));
  }
  const std::uint64_t size = element_bytes(facts.type);
  const bool complex = facts.type == 14 || facts.type == 15;
  const auto held = [&](std::uint64_t bytes, std::uint64_t elements) {
    return refuse(fmt::format("tensor `{}` declares {} elements, {} byte; the file holds {} byte",
                              name, elements, elements * size, bytes));
  };
  if (size > 0 && facts.raw && *facts.raw > 0 && *facts.raw != facts.elements * size) {
    return held(*facts.raw, facts.elements);
  }
  if (size > 0 && facts.fixed && !complex && *facts.fixed != facts.elements) {
    return held(*facts.fixed * size, facts.elements);
  }
  return true;
}

bool Slimmer::rewrite_tensor(std::string_view message, std::string& out) {
  TensorFacts facts;
  if (!read_facts(message, facts) || !check(facts)) {
    return false;
  }
  external_tensors_ += facts.external ? 1 : 0;
  using namespace tensor_field;
  FieldReader reader(message);
  while (!reader.at_end()) {
    const auto field = reader.next();
    const bool dropped = (is_payload(field->number) && facts.payload > facts.kept_payload()) ||
                         field->number == kExternal || field->number == kLocation ||
                         is_unused(Message::tensor, field->number);
    if (!dropped) {
      out += field->whole;
    }
  }
  return true;
}

}  // namespace

Result<SlimModel> without_weights(std::string_view file, std::string_view file_name) {
  if (file.empty()) {
    return fail(ErrorCode::bad_input, fmt::format("{}: is empty", file_name),
                "export or download the model again");
  }
  Slimmer slimmer(file_name);
  SlimModel model;
  if (!slimmer.rewrite(file, Message::model, 0, model.bytes)) {
    return tl::make_unexpected(*slimmer.take_error());
  }
  model.external_tensors = slimmer.external_tensors();
  return model;
}

}  // namespace ridge::predict
