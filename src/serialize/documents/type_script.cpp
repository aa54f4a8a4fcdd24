#include <set>

#include <fmt/format.h>

#include "serialize/documents/documents.hpp"

namespace ridge::serialize {
namespace {

std::string type_of(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::text:
      return "string";
    case Shape::Kind::flag:
      return "boolean";
    case Shape::Kind::only_true:
      return "true";
    case Shape::Kind::only_false:
      return "false";
    case Shape::Kind::number:
    case Shape::Kind::whole:
      return shape.beyond_doubles ? "Count" : "number";
    case Shape::Kind::choice:
      return fmt::format("'{}'", fmt::join(shape.choices, "' | '"));
    case Shape::Kind::list: {
      const Shape& element = shape.element.front();
      return element.kind == Shape::Kind::choice ? fmt::format("({})[]", type_of(element))
                                                 : fmt::format("{}[]", type_of(element));
    }
    case Shape::Kind::map:
      return fmt::format("Record<string, {}>", type_of(shape.element.front()));
    case Shape::Kind::object:
    case Shape::Kind::elsewhere:
      return shape.name;
  }
  return "never";
}

void add_interface(std::string& text, const ObjectShape& object) {
  text += fmt::format("\n/** {} */\nexport interface {} {{\n", object.meaning, object.name);
  for (const FieldShape& field : object.fields) {
    const std::string unit = field.unit.empty() ? "" : fmt::format(" // {}", field.unit);
    text += fmt::format("  {}{}: {};{}\n", field.key, field.required ? "" : "?",
                        type_of(field.shape), unit);
  }
  text += "}\n";
}

/// "CachesElsewhere[]" is of type CachesElsewhere.
std::string without_brackets(std::string name) {
  return name.substr(0, name.find('['));
}

void collect_elsewhere(const Shape& shape, std::set<std::string>& names) {
  if (shape.kind == Shape::Kind::elsewhere) {
    names.insert(without_brackets(shape.name));
  }
  for (const Shape& element : shape.element) {
    collect_elsewhere(element, names);
  }
}

}  // namespace

std::string type_script(const std::vector<Format>& formats) {
  std::set<std::string> elsewhere;
  std::set<std::string> done;
  std::string interfaces;
  for (const Format& format : formats) {
    if (!format.is_on_page) {
      continue;
    }
    for (const ObjectShape& object : format.objects) {
      if (done.insert(object.name).second) {
        add_interface(interfaces, object);
      }
      for (const FieldShape& field : object.fields) {
        collect_elsewhere(field.shape, elsewhere);
      }
    }
  }
  for (const std::string& name : done) {
    elsewhere.erase(name);
  }
  std::string text =
      "// The values that files of Ridge hold. Made from src/core/describe by\n"
      "// scripts/generate-formats: change the lists of fields there.\n"
      "import type { Count } from './count';\n";
  if (!elsewhere.empty()) {
    text += fmt::format("import type {{ {} }} from './page';\n", fmt::join(elsewhere, ", "));
  }
  return text + interfaces;
}

}  // namespace ridge::serialize
