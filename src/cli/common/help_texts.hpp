// Texts of docs/cli/, embedded at build time: the one source of `--help` and of the man pages.
#pragma once

#include <string_view>

namespace ridge::embedded {

extern const std::string_view ridge_help;
extern const std::string_view bench_help;
extern const std::string_view run_help;
extern const std::string_view merge_help;
extern const std::string_view machines_help;
extern const std::string_view predict_help;
extern const std::string_view chart_help;
extern const std::string_view report_help;
extern const std::string_view spmv_help;
extern const std::string_view compare_help;
extern const std::string_view serve_help;
extern const std::string_view import_help;
extern const std::string_view model_help;
extern const std::string_view ridge_cc_help;

}  // namespace ridge::embedded
