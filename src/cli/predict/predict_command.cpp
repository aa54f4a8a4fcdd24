// `ridge predict`: what a kernel, a network or a measured program would reach on other machines.
#include "cli/common/command.hpp"
#include "cli/predict/predict_options.hpp"
#include "cli/predict/predict_subjects.hpp"

namespace ridge::cli {

Result<int> run_predict(const std::vector<std::string>& arguments) {
  PredictOptions options;
  const auto outcome = parse_predict_options(arguments, options);
  if (!outcome) {
    return tl::make_unexpected(outcome.error());
  }
  if (*outcome == ParseOutcome::help_shown) {
    return 0;
  }
  const auto subject = predict_subject(options);
  if (!subject) {
    return tl::make_unexpected(subject.error());
  }
  switch (*subject) {
    case PredictSubject::kernel_list:
      return list_kernels(options);
    case PredictSubject::kernel:
      return predict_kernel(options);
    case PredictSubject::computation:
      return predict_computation(options);
    case PredictSubject::network:
      return predict_network(options);
    case PredictSubject::result:
      break;
  }
  return predict_result(options);
}

}  // namespace ridge::cli
