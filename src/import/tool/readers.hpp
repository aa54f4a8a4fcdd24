// The readers of all tools' files: importer.cpp has the table of them. Errors of every `read`:
// `bad_input` with file, line and reason.
#pragma once

#include <string_view>

#include "import/importer.hpp"

namespace ridge::imports {

[[nodiscard]] bool sniff_google_benchmark(std::string_view beginning);
[[nodiscard]] Result<Imported> read_google_benchmark(const Source& source);
[[nodiscard]] bool sniff_likwid_perfctr(std::string_view beginning);
[[nodiscard]] Result<Imported> read_likwid_perfctr(const Source& source);
[[nodiscard]] bool sniff_likwid_bench(std::string_view beginning);
[[nodiscard]] Result<Imported> read_likwid_bench(const Source& source);
[[nodiscard]] bool sniff_perf_stat(std::string_view beginning);
[[nodiscard]] Result<Imported> read_perf_stat(const Source& source);
[[nodiscard]] bool sniff_ncu(std::string_view beginning);
[[nodiscard]] Result<Imported> read_ncu(const Source& source);
[[nodiscard]] bool sniff_nsys(std::string_view beginning);
[[nodiscard]] Result<Imported> read_nsys(const Source& source);
[[nodiscard]] bool sniff_rocprof(std::string_view beginning);
[[nodiscard]] Result<Imported> read_rocprof(const Source& source);
[[nodiscard]] bool sniff_ert(std::string_view beginning);
[[nodiscard]] Result<Imported> read_ert(const Source& source);
[[nodiscard]] bool sniff_carm(std::string_view beginning);
[[nodiscard]] Result<Imported> read_carm(const Source& source);
[[nodiscard]] bool sniff_papi(std::string_view beginning);
[[nodiscard]] Result<Imported> read_papi(const Source& source);
[[nodiscard]] bool sniff_sde(std::string_view beginning);
[[nodiscard]] Result<Imported> read_sde(const Source& source);
[[nodiscard]] bool sniff_caliper(std::string_view beginning);
[[nodiscard]] Result<Imported> read_caliper(const Source& source);
[[nodiscard]] bool sniff_advisor(std::string_view beginning);
[[nodiscard]] Result<Imported> read_advisor(const Source& source);
[[nodiscard]] bool sniff_advisor_roofs(std::string_view beginning);
[[nodiscard]] Result<Imported> read_advisor_roofs(const Source& source);
[[nodiscard]] bool sniff_sde_masks(std::string_view beginning);
[[nodiscard]] Result<Imported> read_sde_masks(const Source& source);
[[nodiscard]] bool sniff_miniperf(std::string_view beginning);
[[nodiscard]] Result<Imported> read_miniperf(const Source& source);

}  // namespace ridge::imports
