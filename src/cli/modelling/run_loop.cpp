#include "cli/modelling/run_loop.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "analyze/loop_nests.hpp"
#include "execute/run.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

/// Holds the shared object; gone with this.
class BuildFolder {
 public:
  BuildFolder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "ridge-model-XXXXXX").string();
    path_ = mkdtemp(name.data()) != nullptr ? name : std::string();
  }
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;
  ~BuildFolder() {
    std::error_code error;
    if (!path_.empty()) {
      fs::remove_all(path_, error);
    }
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

tl::unexpected<Error> no_value(const std::string& name) {
  return fail(ErrorCode::bad_input, fmt::format("{} has no value", name),
              fmt::format("-D {}=4000 gives it one", name));
}

std::optional<execute::Element> element_of(const analyze::Parameter& parameter) {
  using execute::Element;
  if (parameter.is_real) {
    return parameter.bytes == 8   ? std::optional(Element::fp64)
           : parameter.bytes == 4 ? std::optional(Element::fp32)
                                  : std::nullopt;
  }
  switch (parameter.bytes) {
    case 1:
      return Element::int8;
    case 2:
      return Element::int16;
    case 4:
      return Element::int32;
    case 8:
      return Element::int64;
    default:
      return std::nullopt;
  }
}

class CallBuilder {
 public:
  CallBuilder(const std::vector<LoopNest>& nests, const Sizes& sizes,
              const analyze::Extents& extents, const IndexContents& indices)
      : nests_(nests), sizes_(sizes), extents_(extents), indices_(indices) {}

  Result<execute::Argument> argument(const analyze::Parameter& parameter) const {
    switch (parameter.passing) {
      case analyze::Passing::number:
        return number(parameter);
      case analyze::Passing::by_reference:
        return number(parameter).and_then(
            [&](const execute::Argument& value) { return referred(parameter, value); });
      case analyze::Passing::array:
        return array(parameter).map([](execute::Array made) -> execute::Argument { return made; });
      case analyze::Passing::unsupported:
        break;
    }
    return fail(ErrorCode::bad_input,
                fmt::format("parameter {} {}", parameter.name, parameter.reason),
                "a function of numbers and arrays around the loop can be run");
  }

  /// Elements, with those in front of where the pointer points to.
  Result<execute::Array> array(const analyze::Parameter& parameter) const {
    const auto element = element_of(parameter);
    if (!element) {
      return fail(ErrorCode::bad_input,
                  fmt::format("{} has elements of {} byte", parameter.name, parameter.bytes),
                  "arrays of integers, fp32 and fp64 can be made");
    }
    execute::Array made;
    made.name = parameter.name;
    made.element = *element;
    const auto bytes = static_cast<std::int64_t>(parameter.bytes);
    if (extents_.unknown.contains(parameter.name)) {
      const std::int64_t elements = elements_of(parameter.name);
      if (elements < 1) {
        return fail(
            ErrorCode::bad_input,
            fmt::format("how far {} reaches depends on what the loop reads", parameter.name),
            fmt::format("-D {}=4000 says how many elements it has", parameter.name));
      }
      made.extent = static_cast<std::uint64_t>(elements);
    } else if (const auto known = extents_.known.find(parameter.name);
               known != extents_.known.end()) {
      const std::int64_t first = std::min<std::int64_t>(0, known->second.first);
      made.before = static_cast<std::uint64_t>((-first + bytes - 1) / bytes);
      made.extent = made.before + static_cast<std::uint64_t>(std::max<std::int64_t>(
                                      1, (known->second.end + bytes - 1) / bytes));
    } else {
      made.extent = 1;  // no loop comes there
    }
    made.below = indexed_by(parameter.name);
    if (const auto contents = indices_.find(parameter.name); contents != indices_.end()) {
      made.integers = contents->second;
    }
    return made;
  }

 private:
  Result<execute::Argument> number(const analyze::Parameter& parameter) const {
    const auto value = sizes_.find(parameter.name);
    if (parameter.is_real) {
      return execute::Argument(execute::Real{
          parameter.name, value == sizes_.end() ? 1.0 : static_cast<double>(value->second),
          parameter.bytes == 4});
    }
    if (value == sizes_.end()) {
      return no_value(parameter.name);
    }
    return execute::Argument(
        execute::Integer{parameter.name, value->second, parameter.bytes, parameter.is_signed});
  }

  static Result<execute::Argument> referred(const analyze::Parameter& parameter,
                                            const execute::Argument& value) {
    execute::Array made;
    made.name = parameter.name;
    made.element = element_of(parameter).value_or(execute::Element::int64);
    made.extent = 1;
    if (const auto* integer = std::get_if<execute::Integer>(&value)) {
      made.integers = {integer->value};
    } else {
      made.reals = {std::get<execute::Real>(value).value};
    }
    return execute::Argument(std::move(made));
  }

  /// Of an array whose addresses depend on data; 0: not known.
  std::int64_t elements_of(const std::string& array) const {
    if (const auto size = sizes_.find(array); size != sizes_.end()) {
      return size->second;
    }
    std::int64_t elements = 0;
    for (const LoopNest& nest : nests_) {
      for (const ArrayAccess& access : nest.accesses) {
        const auto contents = indices_.find(access.index_array);
        if (access.array == array && contents != indices_.end()) {
          elements = std::max(elements, *std::ranges::max_element(contents->second) + 1);
        }
      }
    }
    return elements;
  }

  /// Elements of the array that is indexed with this one; 0: none is.
  std::int64_t indexed_by(const std::string& index) const {
    for (const LoopNest& nest : nests_) {
      for (const ArrayAccess& access : nest.accesses) {
        const auto elements = sizes_.find(access.array);
        if (access.index_array == index && elements != sizes_.end()) {
          return elements->second;
        }
      }
    }
    return 0;
  }

  const std::vector<LoopNest>& nests_;
  const Sizes& sizes_;
  const analyze::Extents& extents_;
  const IndexContents& indices_;
};

Result<void> add_globals(execute::Call& call, const analyze::Signature& signature,
                         const CallBuilder& builder) {
  for (const analyze::UsedVariable& used : signature.variables) {
    if (used.is_initialised) {
      continue;  // has what it needs
    }
    if (used.is_static) {
      return fail(ErrorCode::bad_input, fmt::format("variable {} is static", used.variable.name),
                  "the linker does not know where it lies: leave out `static`");
    }
    auto value = builder.argument(used.variable);
    if (!value) {
      return tl::make_unexpected(value.error());
    }
    if (auto* array = std::get_if<execute::Array>(&*value); array != nullptr && !used.is_pointer) {
      array->extent = used.extent;
      array->before = 0;
    }
    call.globals.push_back({used.symbol, std::move(*value), used.is_pointer});
  }
  return {};
}

/// What can be called at all.
Result<void> check(const analyze::Signature& signature, std::size_t nests) {
  if (!signature.reason.empty()) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} cannot be called: it {}", signature.function, signature.reason),
                "a function of numbers and arrays around the loop can be run");
  }
  if (signature.is_static) {
    return fail(ErrorCode::bad_input, fmt::format("{} is static", signature.function),
                "the linker does not know it: leave out `static`");
  }
  if (nests != 1) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} has {} nests of loops: its time would be that of all of them",
                            signature.function, nests),
                "a function with this nest alone can be run");
  }
  return {};
}

LoopMeasurement measurement_of(const execute::Measured& measured, std::int64_t iterations) {
  return {iterations, measured.seconds, measured.cycles, measured.notes};
}

}  // namespace

Result<execute::Call> call_of(const analyze::Signature& signature,
                              const std::vector<LoopNest>& nests, const Sizes& sizes,
                              const IndexContents& indices) {
  const auto extents = analyze::extents(nests, sizes);
  if (!extents) {
    return tl::make_unexpected(extents.error());
  }
  const CallBuilder builder(nests, sizes, *extents, indices);
  execute::Call call;
  call.symbol = signature.symbol;
  for (const analyze::Parameter& parameter : signature.parameters) {
    auto argument = builder.argument(parameter);
    if (!argument) {
      return tl::make_unexpected(argument.error());
    }
    call.arguments.push_back(std::move(*argument));
  }
  return add_globals(call, signature, builder).map([&] { return std::move(call); });
}

Result<LoopMeasurement> run_loop(const CompileRequest& request, const std::string& program,
                                 const LoopNest& nest, const Sizes& sizes,
                                 const IndexContents& indices) {
  const auto nests = analyze::loop_nests(program, request.file, nest.function);
  const auto signature = analyze::signature_of(program, request.file, nest.function);
  if (!nests || !signature) {
    return tl::make_unexpected(nests ? signature.error() : nests.error());
  }
  if (auto fine = check(*signature, nests->size()); !fine) {
    return tl::make_unexpected(fine.error());
  }
  const auto iterations = analyze::iterations(nest, sizes);
  if (!iterations || !*iterations || **iterations < 1) {
    return fail(ErrorCode::bad_input, "how often the loop runs is not known",
                "-D gives the sizes that it depends on values");
  }
  auto call = call_of(*signature, *nests, sizes, indices);
  if (!call) {
    return tl::make_unexpected(call.error());
  }
  const BuildFolder folder;
  call->object = folder.path() + "/loop.so";
  if (auto built = compile_shared(request, call->object); !built) {
    return tl::make_unexpected(built.error());
  }
  return execute::run(*call).map(
      [&](const execute::Measured& measured) { return measurement_of(measured, **iterations); });
}

}  // namespace ridge::cli
