#include <fmt/format.h>

#include "serialize/documents/documents.hpp"

namespace ridge::serialize {
namespace {

std::string anchor_of(std::string name) {
  for (char& c : name) {
    c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return name;
}

/// As a sentence begins.
std::string capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') {
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  }
  return text;
}

std::string words_for_choices(const std::vector<std::string>& choices) {
  std::string text;
  for (const std::string& choice : choices) {
    text += text.empty() ? "" : ", ";
    text += choice.empty() ? "empty text" : fmt::format("`{}`", choice);
  }
  return text;
}

std::string words_for(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::text:
      return "text";
    case Shape::Kind::flag:
      return "true or false";
    case Shape::Kind::only_true:
      return "true";
    case Shape::Kind::only_false:
      return "false";
    case Shape::Kind::number:
      return "number";
    case Shape::Kind::whole:
      return "whole number";
    case Shape::Kind::choice:
      return words_for_choices(shape.choices);
    case Shape::Kind::list:
      return fmt::format("list of {}", words_for(shape.element.front()));
    case Shape::Kind::map:
      return fmt::format("by name: {}", words_for(shape.element.front()));
    case Shape::Kind::object:
      return fmt::format("[{}](#{})", shape.name, anchor_of(shape.name));
    case Shape::Kind::elsewhere:
      return fmt::format("[{}]({})", shape.name.substr(0, shape.name.find('[')),
                         shape.schema.front() == '#'
                             ? "#" + anchor_of(shape.name)
                             : shape.schema.substr(0, shape.schema.find('#')));
  }
  return {};
}

std::string meaning_of(const FieldShape& field) {
  std::string text = field.is_derived ? "*Derived.*" : "";
  if (!field.meaning.empty()) {
    text += text.empty() ? "" : " ";
    text += field.meaning;
  }
  if (!field.formerly.empty()) {
    text += fmt::format("; in older files `{}`", field.formerly);
  }
  return text;
}

void add_object(std::string& text, const ObjectShape& object) {
  text += fmt::format("\n## {}\n\n{}.\n\n| key | value | unit | meaning |\n|---|---|---|---|\n",
                      object.name, capitalised(object.meaning));
  for (const FieldShape& field : object.fields) {
    text += fmt::format("| `{}`{} | {} | {} | {} |\n", field.key, field.required ? "" : " ?",
                        words_for(field.shape), field.unit, meaning_of(field));
  }
}

}  // namespace

std::string format_page(const Format& format) {
  std::string text = fmt::format(
      "# {0}\n\nThe file says {1}. {2}Its JSON Schema is [{3}]({3}). Keys with `?` may be absent: "
      "the value is unknown, or there is none. {4}The rules of all formats: "
      "[File formats](README.md).\n",
      format.schema, format.title,
      format.by_people ? "People write it. "
      : format.is_read ? ""
                       : "Ridge writes it, and does not read it. ",
      schema_file_of(format),
      format.is_read && !format.by_people
          ? "*Derived* values are for readers of the file; Ridge computes them anew. "
          : "");
  text += fmt::format("\nThe file is an object of type [{0}](#{1}) with the key `schema`: `{2}`.\n",
                      format.objects.front().name, anchor_of(format.objects.front().name),
                      format.schema);
  for (const ObjectShape& object : format.objects) {
    add_object(text, object);
  }
  return text;
}

}  // namespace ridge::serialize
