// `ridge predict --kernel` and `--list`: the catalogue.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/demand_subject.hpp"
#include "cli/common/terminal.hpp"
#include "cli/predict/demand_prediction.hpp"
#include "cli/predict/predict_output.hpp"
#include "cli/predict/predict_subjects.hpp"
#include "core/quantity/quantity_text.hpp"
#include "predict/catalogue/kernels.hpp"
#include "predict/catalogue/solve.hpp"
#include "render/document/projection/prediction_table.hpp"
#include "serialize/kernel_prediction.hpp"

namespace ridge::cli {
namespace {

using predict::Assignment;
using predict::Kernel;
using predict::KernelGoal;
using predict::SizedKernel;

std::optional<std::string> value_given(const std::vector<Assignment>& given,
                                       std::string_view name) {
  for (const Assignment& assignment : given) {
    if (assignment.name == name) {
      return assignment.value;
    }
  }
  return std::nullopt;
}

/// --nnz-per-row: rows from non-zeros, or non-zeros from rows.
Result<void> add_rows(const Kernel& kernel, const PredictOptions& options,
                      std::vector<Assignment>& given) {
  if (!options.per_row) {
    return {};
  }
  const auto per_row = predict::parse_amount(*options.per_row);
  const auto rows = value_given(given, "m");
  const auto nonzeros = value_given(given, "nnz");
  const auto known = predict::parse_amount(rows ? *rows : nonzeros.value_or(""));
  const auto names = predict::parameter_names(kernel);
  const bool sparse = std::find(names.begin(), names.end(), "nnz") != names.end();
  if (!sparse || !per_row || *per_row <= 0 || rows.has_value() == nonzeros.has_value() || !known) {
    return fail(
        ErrorCode::usage,
        "--nnz-per-row is for a sparse kernel of which rows (m) or non-zeros (nnz) are given",
        "such as --kernel spmv-csr -D nnz=14.6M --nnz-per-row 7.1");
  }
  const predict::Amount other =
      std::max<predict::Amount>(1, std::round(rows ? *known * *per_row : *known / *per_row));
  given.push_back({rows ? "nnz" : "m", fmt::format("{:.0f}", static_cast<double>(other))});
  return {};
}

/// The one goal of --solve PARAMETER.
Result<KernelGoal> goal_of(const PredictOptions& options) {
  std::vector<KernelGoal> goals;
  const auto add = [&](const std::optional<std::string>& text, KernelGoal::Quantity quantity) {
    if (text) {
      const bool bytes = quantity == KernelGoal::Quantity::traffic;
      const auto value = bytes ? parse_bytes(*text) : parse_quantity(*text, {"flop", "Flop"});
      goals.push_back({quantity, value.value_or(-1.0)});
    }
  };
  add(options.traffic, KernelGoal::Quantity::traffic);
  add(options.balance, KernelGoal::Quantity::balance);
  add(options.intensity, KernelGoal::Quantity::intensity);
  add(options.work.empty() ? std::nullopt : std::optional(options.work.front()),
      KernelGoal::Quantity::work);
  if (goals.size() != 1 || goals[0].value <= 0.0) {
    return fail(ErrorCode::usage, "--solve PARAMETER needs one goal above 0",
                "one of --traffic 258MB, --balance 8.5 (byte/flop), --intensity 0.1 (flop/byte), "
                "--work 2e9");
  }
  return goals[0];
}

struct Subject {
  SizedKernel kernel;
  std::optional<Solved> solved;
};

/// With the solved parameter: as it is where it may be any number, else the nearest whole one.
Result<Subject> solved_subject(const Kernel& kernel, std::vector<Assignment> given,
                               const std::string& precision, const PredictOptions& options) {
  const auto goal = goal_of(options);
  if (!goal) {
    return tl::make_unexpected(goal.error());
  }
  const auto value = predict::solve_parameter(kernel, given, precision, *options.solve, *goal);
  if (!value) {
    return tl::make_unexpected(value.error());
  }
  given.push_back({*options.solve, fmt::format("{:.17g}", *value)});
  auto sized = predict::size_kernel(kernel, given, precision);
  if (!sized) {
    given.back().value = fmt::format("{:.0f}", *value);
    sized = predict::size_kernel(kernel, given, precision);
  }
  return std::move(sized).map([&](SizedKernel done) {
    return Subject{std::move(done), Solved{*options.solve, *value, ""}};
  });
}

Result<Subject> kernel_subject(const std::string& name, const std::vector<Assignment>& assignments,
                               const PredictOptions& options) {
  const auto kernel = kernel_named(name);
  if (!kernel) {
    return tl::make_unexpected(kernel.error());
  }
  const std::string precision = options.precision.value_or("fp64");
  if (!element_bytes(precision)) {
    return fail(ErrorCode::usage, fmt::format("--precision: there is no `{}`", precision),
                fmt::format("one of {}", fmt::join(known_precisions(), ", ")));
  }
  std::vector<Assignment> given = assignments;
  if (options.kernels.size() > 1) {  // each takes those that it has
    const auto names = predict::parameter_names(**kernel);
    std::erase_if(given, [&](const Assignment& assignment) {
      return std::find(names.begin(), names.end(), assignment.name) == names.end();
    });
  }
  if (auto rows = add_rows(**kernel, options, given); !rows) {
    return tl::make_unexpected(std::move(rows.error()));
  }
  if (options.solve && !solves_on_machines(options)) {
    return solved_subject(**kernel, given, precision, options);
  }
  auto sized = predict::size_kernel(**kernel, given, precision);
  if (!sized) {
    return tl::make_unexpected(with_parameters(std::move(sized.error()), **kernel, given));
  }
  return Subject{std::move(*sized), std::nullopt};
}

/// A parameter that none of several kernels has is a slip of the pen.
Result<void> check_assignments(const std::vector<Assignment>& given,
                               const PredictOptions& options) {
  for (const Assignment& assignment : given) {
    const bool known =
        options.kernels.size() < 2 ||
        std::any_of(
            options.kernels.begin(), options.kernels.end(),
            [&](const std::string& name) {
              const Kernel* kernel = predict::find_kernel(name);
              const auto names = kernel != nullptr ? predict::parameter_names(*kernel)
                                                   : std::vector<std::string>{assignment.name};
              return std::find(names.begin(), names.end(), assignment.name) != names.end();
            });
    if (!known) {
      return fail(ErrorCode::bad_input,
                  fmt::format("none of these kernels has a parameter `{}`", assignment.name),
                  "`ridge predict --list` lists the kernels and their parameters.");
    }
  }
  return {};
}

DemandSubject demand_subject(const Subject& subject, std::optional<double> seconds) {
  DemandSubject made = subject_of(subject.kernel);
  made.prediction.solved = subject.solved;
  made.prediction.measured_seconds = seconds;
  return made;
}

}  // namespace

Result<int> list_kernels(const PredictOptions& options) {
  std::vector<KernelText> texts;
  for (const Kernel& kernel : predict::kernels()) {
    texts.push_back(text_of(kernel));
  }
  return deliver(serialize::write_kernels(texts),
                 render::kernel_list(texts, text_style(stdout, options.ascii)), options);
}

Result<int> predict_kernel(const PredictOptions& options) {
  std::vector<Assignment> given;
  for (const std::string& text : options.parameters) {
    auto assignment = predict::parse_assignment(text);
    if (!assignment) {
      return tl::make_unexpected(assignment.error());
    }
    given.push_back(std::move(*assignment));
  }
  const auto seconds = measured_time(options);
  if (!seconds) {
    return tl::make_unexpected(seconds.error());
  }
  if (auto fine = check_assignments(given, options); !fine) {
    return tl::make_unexpected(std::move(fine.error()));
  }
  std::vector<DemandSubject> subjects;
  for (const std::string& name : options.kernels) {
    auto subject = kernel_subject(name, given, options);
    if (!subject) {
      return tl::make_unexpected(std::move(subject.error()));
    }
    subjects.push_back(demand_subject(*subject, *seconds));
  }
  return predict_demands(std::move(subjects), options);
}

}  // namespace ridge::cli
