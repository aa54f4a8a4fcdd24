#include "execute/loaded.hpp"

#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <limits>
#include <link.h>
#include <optional>

#include <fmt/format.h>

namespace ridge::execute {
namespace {

/// Of the variable at the address, as the object says; nullopt: it does not.
std::optional<std::uint64_t> bytes_of_symbol(void* address) {
  Dl_info info{};
  void* extra = nullptr;
  if (dladdr1(address, &info, &extra, RTLD_DL_SYMENT) == 0 || extra == nullptr) {
    return std::nullopt;
  }
  const auto& symbol = *static_cast<const ElfW(Sym)*>(extra);
  return symbol.st_size > 0 ? std::optional<std::uint64_t>(symbol.st_size) : std::nullopt;
}

std::uint64_t bytes_needed(const Global& global) {
  if (global.is_pointer) {
    return sizeof(void*);
  }
  if (const auto* array = std::get_if<Array>(&global.value)) {
    return bytes_of(*array).value_or(std::numeric_limits<std::uint64_t>::max());
  }
  const auto* integer = std::get_if<Integer>(&global.value);
  return integer != nullptr ? integer->bytes : std::get<Real>(global.value).is_fp32 ? 4 : 8;
}

bool fits(const Integer& integer) {
  if (integer.bytes >= 8) {
    return true;
  }
  const unsigned bits = 8 * integer.bytes;
  const std::int64_t end = std::int64_t{1} << (integer.is_signed ? bits - 1 : bits);
  return integer.value < end && integer.value >= (integer.is_signed ? -end : 0);
}

Result<void> check(const Argument& value) {
  const auto* integer = std::get_if<Integer>(&value);
  if (integer != nullptr && !fits(*integer)) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} cannot be {}: it has {} bytes", integer->name, integer->value,
                            integer->bytes),
                "take a smaller value, or a wider type in the source");
  }
  return {};
}

/// What the function sees: elements may lie in front of it.
std::uint64_t pointer_of(const Array& array, const Span& span) {
  return span.first + array.before * bytes_of(array.element);
}

/// `spans`: of the arrays among the arguments.
Words words_for(const std::vector<Argument>& arguments, const std::vector<Span>& spans) {
  Words words;
  std::size_t next = 0;
  for (const Argument& argument : arguments) {
    if (const auto* array = std::get_if<Array>(&argument)) {
      words.add_integer(pointer_of(*array, spans.at(next++)));
    } else if (const auto* integer = std::get_if<Integer>(&argument)) {
      words.add_integer(static_cast<std::uint64_t>(integer->value));
    } else if (const auto& real = std::get<Real>(argument); real.is_fp32) {
      words.add_fp32(static_cast<float>(real.value));
    } else {
      words.add_fp64(real.value);
    }
  }
  return words;
}

template <class T>
void write(std::byte* to, const T& value) {
  std::memcpy(to, &value, sizeof value);
}

/// The variables of the call are those of a machine with the least significant byte first.
void set_number(const Argument& value, std::byte* to) {
  if (const auto* integer = std::get_if<Integer>(&value)) {
    std::memcpy(to, &integer->value, integer->bytes);
  } else if (const auto& real = std::get<Real>(value); real.is_fp32) {
    write(to, static_cast<float>(real.value));
  } else {
    write(to, real.value);
  }
}

}  // namespace

Result<LoadedCall> LoadedCall::load(const Call& call) {
  LoadedCall loaded;
  loaded.call_ = &call;
  // Without a slash the loader would look elsewhere. Lazily: what the function does not call may be
  // missing.
  const std::string path = std::filesystem::absolute(call.object).string();
  void* const handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) {
    return fail(ErrorCode::bad_input, fmt::format("cannot load it: {}", dlerror()),
                "give the compiler the files and libraries that it needs");
  }
  loaded.function_ = dlsym(handle, call.symbol.c_str());
  if (loaded.function_ == nullptr) {
    return fail(ErrorCode::bad_input, fmt::format("{} has no symbol {}", call.object, call.symbol),
                "a function that is static, or inline and not used, is not in the object: make it "
                "an ordinary one");
  }
  return loaded.find_globals(handle).and_then([&] { return loaded.check_arguments(); }).map([&] {
    return std::move(loaded);
  });
}

Result<void> LoadedCall::find_globals(void* handle) {
  for (const Global& global : call_->globals) {
    void* const address = dlsym(handle, global.symbol.c_str());
    if (address == nullptr) {
      return fail(ErrorCode::bad_input,
                  fmt::format("{} has no variable {}", call_->object, global.symbol),
                  "remove `static` from it: what is static cannot be found in the object");
    }
    const auto bytes = bytes_of_symbol(address);
    if (bytes && *bytes < bytes_needed(global)) {
      return fail(ErrorCode::bad_input, fmt::format("{} has {} bytes, {} were to be written there",
                                                    global.symbol, *bytes, bytes_needed(global)));
    }
    if (const auto checked = check(global.value); !checked) {
      return checked;
    }
    globals_.push_back(static_cast<std::byte*>(address));
  }
  return {};
}

Result<void> LoadedCall::check_arguments() const {
  for (const Argument& argument : call_->arguments) {
    if (const auto checked = check(argument); !checked) {
      return checked;
    }
  }
  return words_for(call_->arguments, std::vector<Span>(call_->arguments.size())).is_too_long()
             ? Result<void>(fail(ErrorCode::bad_input,
                                 fmt::format("{} has too many arguments", call_->symbol),
                                 "put some of them into global variables"))
             : Result<void>();
}

std::vector<std::uint64_t> LoadedCall::sizes() const {
  std::vector<std::uint64_t> sizes;
  for (const Argument& argument : call_->arguments) {
    if (const auto* array = std::get_if<Array>(&argument)) {
      sizes.push_back(bytes_of(*array).value_or(0));
    }
  }
  for (const Global& global : call_->globals) {
    if (const auto* array = std::get_if<Array>(&global.value); array && global.is_pointer) {
      sizes.push_back(bytes_of(*array).value_or(0));
    }
  }
  return sizes;
}

std::vector<Span> LoadedCall::own_spans() const {
  std::vector<Span> spans;
  for (std::size_t i = 0; i < globals_.size(); ++i) {
    const Global& global = call_->globals[i];
    if (const auto* array = std::get_if<Array>(&global.value); array && !global.is_pointer) {
      spans.push_back(
          {reinterpret_cast<std::uintptr_t>(globals_[i]), bytes_of(*array).value_or(0)});
    }
  }
  return spans;
}

void LoadedCall::bind(const std::vector<Span>& spans) {
  words_ = words_for(call_->arguments, spans);
  std::size_t next = 0;
  for (const Argument& argument : call_->arguments) {
    if (const auto* array = std::get_if<Array>(&argument)) {
      fill(*array, spans.at(next++).data());
    }
  }
  for (std::size_t i = 0; i < globals_.size(); ++i) {
    const Global& global = call_->globals[i];
    const auto* array = std::get_if<Array>(&global.value);
    if (array == nullptr) {
      set_number(global.value, globals_[i]);
    } else if (global.is_pointer) {
      fill(*array, spans.at(next).data());
      write(globals_[i], pointer_of(*array, spans.at(next++)));
    } else {
      fill(*array, globals_[i]);
    }
  }
}

}  // namespace ridge::execute
