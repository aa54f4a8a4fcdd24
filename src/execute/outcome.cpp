#include "execute/outcome.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "core/quantity/duration.hpp"
#include "core/quantity/words.hpp"
#include "execute/child.hpp"
#include "execute/quiet.hpp"

namespace ridge::execute {
namespace {

constexpr const char* kSmaller = "give it smaller sizes, or a longer limit if it ends at all";
constexpr const char* kExtents = "give the array a larger extent, or correct the function";

std::string first_line(const std::string& text) {
  const auto begin = text.find_first_not_of("\r\n ");
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

/// What the function itself said, where it said something.
std::string with_errors(const std::string& sentence, const Ended& ended) {
  const std::string said = first_line(ended.errors);
  return said.empty() ? sentence : sentence + ": " + said;
}

/// How far outside of an array an address lies: negative in front of it, else from its end.
struct Beside {
  const Array* array = nullptr;
  std::uint64_t distance = 0;
  bool is_behind = false;
};

std::optional<Beside> nearest(const Call& call, const Report& report, std::uintptr_t address) {
  constexpr std::uint64_t kReach = std::uint64_t{16} << 20U;
  const std::vector<const Array*> arrays = arrays_of(call);
  std::optional<Beside> found;
  for (std::size_t i = 0; i < std::min<std::size_t>(arrays.size(), report.arrays); ++i) {
    const Span& span = report.spans[i];
    const bool is_behind = address >= span.first;
    const std::uint64_t distance =
        is_behind ? address - std::min(address, span.first + span.bytes) : span.first - address;
    if (distance <= kReach && (!found || distance < found->distance)) {
      found = Beside{arrays[i], distance, is_behind};
    }
  }
  return found;
}

std::string outside(const Array& array, bool is_behind, std::uint64_t distance) {
  const std::uint64_t size = bytes_of(array.element);
  const std::string edge = is_behind ? fmt::format("behind the end of {}", array.name)
                                     : fmt::format("in front of {}", array.name);
  const std::string has = fmt::format(", which has {}", counted(array.extent, "element"));
  const std::uint64_t elements = is_behind ? distance / size + 1 : (distance + size - 1) / size;
  return counted(elements, "element") + " " + edge + has;
}

Error with_fault(const Call& call, const Report& report, const Fault& fault) {
  constexpr std::uintptr_t kNobodys = std::uintptr_t{1} << 16U;
  const std::string does = fmt::format("{} {}", call.symbol, fault.is_write ? "writes" : "reads");
  if (fault.is_on_stack) {
    return {ErrorCode::bad_input, fmt::format("{} has used up its stack", call.symbol),
            "does it call itself without end? Large local arrays need `ulimit -s unlimited`"};
  }
  if (fault.has_address && fault.address < kNobodys) {
    return {ErrorCode::bad_input, does + " through a null pointer",
            "is there a global pointer that was given no array?"};
  }
  const auto beside = fault.has_address ? nearest(call, report, fault.address) : std::nullopt;
  if (beside) {
    return {ErrorCode::bad_input,
            does + " " + outside(*beside->array, beside->is_behind, beside->distance), kExtents};
  }
  return {ErrorCode::bad_input, fmt::format("{} touches memory that is not its own", call.symbol),
          kExtents};
}

Error with_damage(const Call& call, const Damage& damage) {
  const std::vector<const Array*> arrays = arrays_of(call);
  if (damage.array >= arrays.size()) {
    return {ErrorCode::bad_input, fmt::format("{} touches memory that is not its own", call.symbol),
            kExtents};
  }
  const std::uint64_t distance = damage.distance + (damage.is_behind ? 0 : 1);
  return {ErrorCode::bad_input,
          fmt::format("{} writes {}", call.symbol,
                      outside(*arrays[damage.array], damage.is_behind, distance)),
          kExtents};
}

Error signalled(const Call& call, const Report& report, int signal, const Ended& ended) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
      return with_fault(call, report, report.fault);
    case SIGILL:
    case SIGTRAP:
      return {ErrorCode::bad_input,
              fmt::format("{} ran into an instruction that this processor does not have, or into "
                          "a trap of the compiler",
                          call.symbol),
              "compile it for this processor (-march=native)"};
    case SIGFPE:
      return {ErrorCode::bad_input, fmt::format("{} divides an integer by zero", call.symbol),
              "give its parameters other values"};
    case SIGABRT:
      return {ErrorCode::bad_input,
              with_errors(fmt::format("{} ended with abort()", call.symbol), ended),
              "give its parameters values for which it does not"};
    case SIGKILL:
      return {ErrorCode::unavailable, fmt::format("{} was killed", call.symbol),
              "has the system run out of memory? Give it smaller sizes"};
    default:
      return {ErrorCode::bad_input,
              fmt::format("{} was ended by signal {} ({})", call.symbol, signal, strsignal(signal)),
              "give its parameters values for which it is not"};
  }
}

Error late(const Call& call, const Report& report) {
  const std::string limit =
      duration_words(Seconds{std::chrono::duration<double>(call.limit).count()});
  const std::string what =
      report.stage == Stage::loading      ? fmt::format("{} was not loaded", call.object)
      : report.stage == Stage::first_call ? fmt::format("{} had not returned", call.symbol)
                                          : fmt::format("{} was not yet timed", call.symbol);
  return {ErrorCode::unavailable, fmt::format("{} after {}", what, limit), kSmaller};
}

/// What kept the child from its end; nullopt: nothing.
std::optional<Error> problem_of(const Call& call, const Report& report, const Ended& ended) {
  if (report.stage == Stage::refused) {
    return Error{report.code, std::string(report.message.view()), std::string(report.hint.view())};
  }
  if (ended.was_late) {
    return late(call, report);
  }
  if (report.fault.signal != 0) {
    return signalled(call, report, report.fault.signal, ended);
  }
  if (ended.status.signal) {
    return signalled(call, report, *ended.status.signal, ended);
  }
  if (report.has_damage) {
    return with_damage(call, report.damage);
  }
  if (report.stage != Stage::done) {
    const int code = report.has_exited ? report.exit_code : ended.status.code.value_or(0);
    return Error{
        ErrorCode::bad_input,
        with_errors(fmt::format("{} ended the process with exit code {}", call.symbol, code),
                    ended),
        "give its parameters values for which it returns"};
  }
  return std::nullopt;
}

std::vector<Note> notes_of(const Call& call, const Report& report, std::size_t samples,
                           bool is_disturbed) {
  std::vector<Note> notes;
  if (samples <= 2) {
    const std::string length = duration_words(Seconds{report.first_call_seconds});
    notes.push_back({"few-calls", fmt::format("a call takes {}: it was timed {}", length,
                                              samples == 0   ? "once, when it was called first"
                                              : samples == 1 ? "once"
                                                             : "twice")});
  }
  if (is_disturbed) {
    notes.push_back({"disturbed",
                     "others were at work on the same core most of the time: the time "
                     "may be too long"});
  }
  if (report.has_small_pages) {
    notes.push_back({"small-pages",
                     "the arrays lie in pages of 4 KiB: the system gave no larger "
                     "ones, and looking up their addresses takes time of its own"});
  }
  const std::vector<const Array*> arrays = arrays_of(call);
  if (report.subnormal >= 0 && static_cast<std::size_t>(report.subnormal) < arrays.size()) {
    notes.push_back({"subnormal-numbers",
                     fmt::format("{} holds subnormal numbers after the calls: arithmetic on them "
                                 "takes longer than usual",
                                 arrays[static_cast<std::size_t>(report.subnormal)]->name)});
  }
  return notes;
}

}  // namespace

Result<Measured> outcome_of(const Call& call, const Report& report, const Ended& ended) {
  if (auto problem = problem_of(call, report, ended)) {
    return tl::make_unexpected(*std::move(problem));
  }
  const auto count = std::min<std::size_t>(report.samples, kMostSamples);
  const QuietSamples quiet =
      quiet_samples({report.sample.begin(), report.sample.begin() + static_cast<long>(count)});
  const auto calls = static_cast<double>(std::max<std::uint64_t>(1, report.calls_per_sample));
  std::vector<double> seconds;
  std::vector<double> cycles;
  for (const Sample& sample : quiet.samples) {
    seconds.push_back(sample.own_seconds() / calls);
    cycles.push_back(sample.own_seconds() / calls * sample.hertz);
  }
  if (seconds.empty()) {
    seconds.push_back(report.first_call_seconds);
  }
  Measured measured;
  measured.seconds = *estimate_from<Seconds>(std::move(seconds));
  measured.cycles = estimate_from<Cycles>(std::move(cycles));
  measured.calls_per_sample = report.calls_per_sample;
  measured.notes = notes_of(call, report, count, quiet.is_disturbed);
  return measured;
}

}  // namespace ridge::execute
