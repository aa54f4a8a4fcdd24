#include "cli/predict/predict_choices.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/nearest_names.hpp"
#include "cli/common/prediction_target.hpp"
#include "core/quantity/quantity_text.hpp"
#include "predict/catalogue/kernels.hpp"
#include "predict/projection/core_share.hpp"
#include "predict/projection/derived_machine.hpp"
#include "predict/projection/what_if.hpp"

namespace ridge::cli {
namespace {

// Of what is computed with: no sum or quotient of them leaves the range of numbers.
constexpr double kLongest = 1e30;   // s
constexpr double kSlowest = 1e-30;  // byte/s

/// One of two words.
template <class E>
Result<std::optional<E>> one_of(std::string_view option, const std::optional<std::string>& word,
                                E first, E second) {
  if (!word) {
    return std::optional<E>{};
  }
  for (const E value : {first, second}) {
    if (*word == to_string(value)) {
      return std::optional(value);
    }
  }
  return fail(ErrorCode::usage, fmt::format("{}: there is no `{}`", option, *word),
              fmt::format("{} or {}", to_string(first), to_string(second)));
}

Result<void> add_latencies(const PredictOptions& options, predict::PredictionChoices& choices) {
  for (const std::string& text : options.latencies) {
    const auto assignment = predict::parse_assignment(text);
    const auto seconds = assignment ? parse_seconds(assignment->value) : std::nullopt;
    if (!seconds || *seconds > kLongest) {
      return fail(ErrorCode::usage, fmt::format("--latency: `{}` is none", text),
                  "RESOURCE=TIME, such as PCIe=10us or DRAM=90ns");
    }
    choices.latencies[assignment->name] = *seconds;
  }
  return {};
}

/// --demand NAME=AMOUNT and its --rate NAME=RATE[+LATENCY].
Result<void> add_own(const PredictOptions& options, predict::PredictionChoices& choices) {
  for (const std::string& text : options.demands) {
    const auto assignment = predict::parse_assignment(text);
    const auto amount = assignment ? parse_bytes(assignment->value) : std::nullopt;
    if (!amount) {
      return fail(ErrorCode::usage, fmt::format("--demand: `{}` is none", text),
                  "NAME=AMOUNT, such as network=1GB");
    }
    predict::OwnResource own;
    own.name = assignment->name;
    own.amount = *amount;
    choices.own.push_back(std::move(own));
  }
  for (const std::string& text : options.rates) {
    const auto assignment = predict::parse_assignment(text);
    const std::string value = assignment ? assignment->value : "";
    // "1e+9B/s" has a plus of its own.
    const auto plus =
        parse_byte_rate(value) ? value.size() : std::min(value.rfind('+'), value.size());
    const auto rate = parse_byte_rate(std::string_view(value).substr(0, plus));
    const auto latency =
        plus < value.size() ? parse_seconds(std::string_view(value).substr(plus + 1)) : 0.0;
    const auto own =
        std::find_if(choices.own.begin(), choices.own.end(), [&](const predict::OwnResource& each) {
          return assignment && each.name == assignment->name;
        });
    if (!rate || *rate < kSlowest || !latency || *latency > kLongest || own == choices.own.end()) {
      return fail(ErrorCode::usage, fmt::format("--rate: `{}` is no rate of a --demand", text),
                  "NAME=RATE or NAME=RATE+LATENCY, such as network=12.5GB/s+2us");
    }
    own->rate = *rate;
    own->latency = *latency;
  }
  for (const predict::OwnResource& own : choices.own) {
    if (own.rate <= 0.0) {
      return fail(ErrorCode::usage, fmt::format("--demand {} has no --rate", own.name),
                  fmt::format("add --rate {}=12.5GB/s", own.name));
    }
  }
  return {};
}

Result<void> add_overlap(const PredictOptions& options, predict::PredictionChoices& choices) {
  if (!options.overlap_of) {
    return {};
  }
  auto expression = predict::OverlapExpression::parse(*options.overlap_of);
  if (!expression) {
    return tl::make_unexpected(std::move(expression.error()));
  }
  choices.overlap = std::move(*expression);
  return {};
}

Result<void> add_transfer(const PredictOptions& options, predict::PredictionChoices& choices) {
  const std::string data = options.data.value_or("device");
  if (data != "device" && data != "host") {
    return fail(ErrorCode::usage, fmt::format("--data: there is no `{}`", data), "host or device");
  }
  if (data == "host") {
    choices.transfer = {options.link.value_or("PCIe"), options.duplex, options.overlap};
  } else if (options.link || options.duplex || options.overlap) {
    return fail(ErrorCode::usage,
                "--link, --duplex and --overlap say how data of the host come over",
                "add --data host");
  }
  return {};
}

/// "DRAM", or shares of several nodes that add up to 1.
Result<void> add_memory(const PredictOptions& options, predict::PredictionChoices& choices) {
  constexpr double kRounding = 1e-6;
  double sum = 0.0;
  for (const std::string& text : options.memory) {
    const auto sign = text.find('=');
    const auto node = parse_level(std::string_view(text).substr(0, sign));
    const auto share = sign == std::string::npos
                           ? std::optional(1.0)
                           : parse_quantity(std::string_view(text).substr(sign + 1), {});
    const bool again =
        node && std::any_of(choices.memory.begin(), choices.memory.end(),
                            [&](const predict::MemoryShare& other) { return other.node == *node; });
    if (!node || !is_memory_level(*node) || !share || again) {
      return fail(ErrorCode::usage, fmt::format("--memory: `{}` is no node of a memory", text),
                  "DRAM, HBM, CXL or NVRAM, or shares of several: HBM=0.8,DRAM=0.2");
    }
    choices.memory.push_back({*node, *share});
    sum += *share;
  }
  if (!choices.memory.empty() && !(std::abs(sum - 1.0) < kRounding)) {
    return fail(ErrorCode::usage, fmt::format("--memory: the shares add up to {:g}, not to 1", sum),
                "one node, or a share of each: HBM=0.8,DRAM=0.2");
  }
  return {};
}

/// --stores, --cold, --working-set, --launches.
Result<void> add_traffic(const PredictOptions& options, predict::PredictionChoices& choices) {
  auto stores = one_of("--stores", options.stores, predict::Stores::write_allocate,
                       predict::Stores::nontemporal);
  if (!stores) {
    return tl::make_unexpected(std::move(stores.error()));
  }
  choices.stores = *stores;
  choices.cold = options.cold;
  choices.launches = options.launches.value_or(1U);
  if (!options.working_set) {
    return {};
  }
  choices.working_set = parse_bytes(*options.working_set);
  if (!choices.working_set || *choices.working_set <= 0.0) {
    return fail(ErrorCode::usage,
                fmt::format("--working-set: `{}` is no size", *options.working_set),
                "bytes that the loop repeats over, such as 24kB");
  }
  if (options.cold) {
    return fail(ErrorCode::usage, "--cold and --working-set contradict each other",
                "data that are used once have no working set");
  }
  return {};
}

/// A node that none of the machines has is a slip of the pen.
Result<void> check_memory(const predict::PredictionChoices& choices,
                          const std::vector<TargetMachine>& targets) {
  std::string known;
  for (const TargetMachine& target : targets) {
    const std::vector<Level> nodes = predict::memory_nodes(target);
    if (std::all_of(choices.memory.begin(), choices.memory.end(),
                    [&](const predict::MemoryShare& part) {
                      return std::find(nodes.begin(), nodes.end(), part.node) != nodes.end();
                    })) {
      return {};
    }
    std::string names;
    for (const Level node : nodes) {
      names += fmt::format("{}{}", names.empty() ? "" : " and ", to_string(node));
    }
    known += fmt::format("{}{} has {}", known.empty() ? "" : "; ", target.figures.key,
                         names.empty() ? "none" : names);
  }
  return targets.empty() ? Result<void>()
                         : fail(ErrorCode::bad_input,
                                "--memory: the bandwidth of such a node is not known here",
                                fmt::format("memory nodes: {}", known));
}

/// --cores, where kernels and computations run on some of them.
Result<void> choose_cores(const PredictOptions& options, std::vector<TargetMachine>& targets) {
  if (!options.cores || !options.subjects.empty()) {
    return {};
  }
  const bool again =
      std::any_of(options.what_if.begin(), options.what_if.end(),
                  [](const std::string& text) { return text.starts_with("cores="); });
  if (*options.cores == 0 || again) {
    return fail(ErrorCode::usage,
                again ? "--cores and --what-if cores=N contradict each other"
                      : "predict: --cores must be at least 1",
                "--cores N: so many of the machine's cores work");
  }
  for (TargetMachine& target : targets) {
    if (auto done = predict::run_on_cores(target, *options.cores); !done) {
      return done;
    }
  }
  return {};
}

/// A link that none of the machines has is a slip of the pen.
Result<void> check_link(const std::string& wanted, const std::vector<TargetMachine>& targets) {
  std::vector<std::string> known;
  for (const TargetMachine& target : targets) {
    for (const PublishedLink& link : target.figures.links) {
      if (link.name == wanted) {
        return {};
      }
      if (std::find(known.begin(), known.end(), link.name) == known.end()) {
        known.push_back(link.name);
      }
    }
  }
  return fail(ErrorCode::bad_input, fmt::format("--link: no `{}` is known here", wanted),
              known.empty() ? "no link of these machines is known"
                            : fmt::format("known: {}", fmt::join(known, ", ")));
}

/// Measured traffic does not follow the size of a cache, and no cache enters the times of a
/// network.
Result<void> check_changes(const PredictOptions& options) {
  const bool network = !options.subjects.empty() && options.subjects[0].ends_with(".onnx");
  for (const std::string& change : options.what_if) {
    const bool of_cache =
        change.size() > 1 && change[0] == 'L' && change[1] >= '0' && change[1] <= '9';
    if (network && of_cache) {
      return fail(ErrorCode::usage,
                  fmt::format("--what-if: no cache enters the times of a network: `{}`", change),
                  "its layers move their data through the main memory");
    }
    if (options.kernels.empty() && predict::resized_cache(change)) {
      return fail(
          ErrorCode::usage,
          fmt::format("--what-if: traffic that was simulated does not follow `{}`", change),
          "simulate the other caches: ridge run --also big=L1=48K/12,L2=2M/16,... -- PROGRAM");
    }
  }
  return {};
}

/// --on and --machine; `none` stands for no machine at all.
Result<std::vector<TargetMachine>> named_targets(const PredictOptions& options) {
  const std::vector<std::string> names = options.machines();
  const bool none = names == std::vector<std::string>{"none"};
  auto targets = none ? Result<std::vector<TargetMachine>>() : find_targets(names);
  return std::move(targets).and_then([&](std::vector<TargetMachine> found) {
    return with_own_machines(std::move(found), options.own_machines);
  });
}

}  // namespace

Result<predict::PredictionChoices> prediction_choices(const PredictOptions& options) {
  predict::PredictionChoices choices;
  auto basis = one_of("--basis", options.basis, Basis::theoretical, Basis::sustained);
  if (!basis) {
    return tl::make_unexpected(std::move(basis.error()));
  }
  auto pipes = one_of("--pipes", options.pipes, Pipes::vector, Pipes::matrix);
  if (!pipes) {
    return tl::make_unexpected(std::move(pipes.error()));
  }
  choices.basis = *basis;
  choices.pipes = *pipes;
  choices.cache_aware = options.cache_aware;
  for (const auto add :
       {add_transfer, add_latencies, add_own, add_overlap, add_memory, add_traffic}) {
    if (auto fine = add(options, choices); !fine) {
      return tl::make_unexpected(std::move(fine.error()));
    }
  }
  return choices;
}

Result<std::vector<TargetMachine>> changed_targets(const PredictOptions& options) {
  if (auto fine = check_changes(options); !fine) {
    return tl::make_unexpected(std::move(fine.error()));
  }
  auto targets = named_targets(options);
  if (!targets) {
    return targets;
  }
  if (options.link) {
    if (auto known = check_link(*options.link, *targets); !known) {
      return tl::make_unexpected(std::move(known.error()));
    }
  }
  predict::PredictionChoices memory;
  auto known = add_memory(options, memory).and_then([&] { return check_memory(memory, *targets); });
  if (known) {
    known = choose_cores(options, *targets);
  }
  if (!known) {
    return tl::make_unexpected(std::move(known.error()));
  }
  for (TargetMachine& target : *targets) {
    for (const std::string& change : options.what_if) {
      auto applied = predict::apply_what_if(target, change);
      if (applied) {
        continue;
      }
      Error error = std::move(applied.error());
      if (error.hint.empty()) {
        const auto keys = predict::what_if_keys(target);
        const auto near = nearest_names(change.substr(0, change.find('=')), keys);
        error.hint = fmt::format("{}it has {}",
                                 near.empty() ? "" : fmt::format("did you mean {}? ", near.front()),
                                 fmt::join(keys, ", "));
      }
      return tl::make_unexpected(std::move(error));
    }
  }
  return targets;
}

}  // namespace ridge::cli
