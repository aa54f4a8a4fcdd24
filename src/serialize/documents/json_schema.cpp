#include <cmath>

#include <fmt/core.h>

#include "serialize/documents/documents.hpp"
#include "serialize/json_writer.hpp"

namespace ridge::serialize {
namespace {

/// "derived: part of stored; unit: byte".
std::string description_of(const FieldShape& field) {
  std::string text = field.is_derived ? "derived" : "";
  const auto add = [&](std::string_view separator, std::string_view part) {
    if (!part.empty()) {
      text += text.empty() ? "" : separator;
      text += part;
    }
  };
  add(": ", field.meaning);
  add("; ", field.unit.empty() ? "" : fmt::format("unit: {}", field.unit));
  add("; ", field.formerly.empty() ? "" : fmt::format("in older files: {}", field.formerly));
  return text;
}

void write_type(Writer& writer, const Shape& shape);

void write_number(Writer& writer, const describe::Limits& limits) {
  writer.member("type", "number");
  if (std::isfinite(limits.least)) {
    writer.member(limits.least_is_excluded ? "exclusiveMinimum" : "minimum", limits.least);
  }
  if (std::isfinite(limits.most)) {
    writer.member("maximum", limits.most);
  }
}

void write_whole(Writer& writer, const Shape& shape) {
  writer.member("type", "integer");
  writer.raw("minimum", shape.least);
  writer.raw("maximum", shape.most);
  if (shape.multiple_of > 1) {
    writer.member("multipleOf", shape.multiple_of);
  }
}

void write_list(Writer& writer, const Shape& shape) {
  writer.member("type", "array");
  if (shape.least_items > 0) {
    writer.member("minItems", shape.least_items);
  }
  if (shape.most_items < describe::kAnyNumber) {
    writer.member("maxItems", shape.most_items);
  }
  if (shape.distinct) {
    writer.member("uniqueItems", true);
  }
  writer.object("items", [&] { write_type(writer, shape.element.front()); });
}

void write_map(Writer& writer, const Shape& shape) {
  writer.member("type", "object");
  if (shape.non_empty) {
    writer.member("minProperties", 1);
  }
  if (!shape.choices.empty()) {
    writer.object("propertyNames", [&] { writer.strings("enum", shape.choices); });
  }
  writer.object("additionalProperties", [&] { write_type(writer, shape.element.front()); });
}

void write_reference(Writer& writer, std::string_view schema, std::string_view unit) {
  writer.member("$ref", schema);
  if (!unit.empty()) {
    writer.object("properties",
                  [&] { writer.object("unit", [&] { writer.member("const", unit); }); });
  }
}

/// The members of the schema object of one value.
void write_type(Writer& writer, const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::text:
      writer.member("type", "string");
      if (shape.non_empty) {
        writer.member("minLength", 1);
      }
      if (!shape.pattern.empty()) {
        writer.member("pattern", shape.pattern);
      }
      return;
    case Shape::Kind::flag:
      return writer.member("type", "boolean");
    case Shape::Kind::only_true:
      return writer.member("const", true);
    case Shape::Kind::only_false:
      return writer.member("const", false);
    case Shape::Kind::number:
      return write_number(writer, shape.limits);
    case Shape::Kind::whole:
      return write_whole(writer, shape);
    case Shape::Kind::choice:
      return writer.strings("enum", shape.choices);
    case Shape::Kind::list:
      return write_list(writer, shape);
    case Shape::Kind::map:
      return write_map(writer, shape);
    case Shape::Kind::object:
      return write_reference(writer, "#/$defs/" + shape.name, shape.unit);
    case Shape::Kind::elsewhere:
      return write_reference(writer, shape.schema, shape.unit);
  }
}

void write_object(Writer& writer, const ObjectShape& object, std::string_view schema) {
  writer.member("type", "object");
  writer.member("additionalProperties", false);
  std::vector<std::string> required;
  if (!schema.empty()) {
    required.emplace_back("schema");
  }
  for (const FieldShape& field : object.fields) {
    if (field.required) {
      required.push_back(field.key);
    }
  }
  if (!required.empty()) {
    writer.strings("required", required);
  }
  writer.object("properties", [&] {
    if (!schema.empty()) {
      writer.object("schema", [&] { writer.member("const", schema); });
    }
    for (const FieldShape& field : object.fields) {
      writer.object(field.key, [&] {
        write_type(writer, field.shape);
        if (const std::string text = description_of(field); !text.empty()) {
          writer.member("description", text);
        }
      });
      if (!field.formerly.empty()) {
        writer.object(field.formerly, [&] { write_type(writer, field.shape); });
      }
    }
  });
  for (const auto& [keyword, value] : object.rules) {
    writer.raw(keyword, value);
  }
}

}  // namespace

std::string json_schema(const Format& format) {
  Writer writer;
  writer.member("$schema", "https://json-schema.org/draft/2020-12/schema");
  writer.member("$id", schema_file_of(format));
  writer.member("title", fmt::format("{}: {}", format.schema, format.title));
  writer.member(
      "description",
      fmt::format("SI base units. A key that is absent means unknown. {} Made from "
                  "src/core/describe by scripts/generate-formats.",
                  format.by_people
                      ? "Strict, so that a mistyped key is found; readers ignore keys they do not "
                        "know."
                      : "Strict: it describes what Ridge writes; readers ignore keys they do not "
                        "know."));
  write_object(writer, format.objects.front(), format.schema);
  writer.object("$defs", [&] {
    for (std::size_t i = 1; i < format.objects.size(); ++i) {
      const ObjectShape& object = format.objects[i];
      writer.object(object.name, [&] {
        writer.member("description", object.meaning);
        write_object(writer, object, {});
      });
    }
  });
  return writer.finish();
}

}  // namespace ridge::serialize
