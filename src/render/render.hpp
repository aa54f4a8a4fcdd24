// Values to text: the one header for callers. Pure functions, no operating system.
#pragma once

#include "render/format_si.hpp"
#include "render/style.hpp"
#include "render/svg/roofline_svg.hpp"
#include "render/terminal/bench_summary.hpp"
#include "render/terminal/loop_table.hpp"
#include "render/terminal/machine_table.hpp"
#include "render/terminal/roofline_chart.hpp"
#include "render/terminal/run_summary.hpp"
