// The rules behind findings.hpp, in groups by what they look at: for each what it finds, and where
// a model exists what is gained without it. The table is in findings.cpp.
#pragma once

#include <optional>
#include <string>

#include "core/value/profile.hpp"
#include "predict/findings/gain.hpp"
#include "predict/findings/subject.hpp"

namespace ridge::predict {

/// Code, sentence, evidence, origin, no gain. nullopt: does not apply, or its evidence is unknown.
using Rule = std::optional<Finding> (*)(const Subject& subject);
/// Whether what a rule is about takes a part of the time that is worth a word (5 %); true where the
/// time is not known.
using Matter = bool (*)(const Subject& subject);

bool arithmetic_matters(const Subject& subject);  ///< with chains and divider
bool data_matters(const Subject& subject);  ///< from beyond L1: their rates or their latencies
bool memory_matters(const Subject& subject);

/// Wall seconds if each line that is loaded from beyond L1 were waited for alone; 0 when unknown.
double seconds_of_waiting(const Subject& subject);

/// Of the region without what `finding` says; nullopt: some input of the model is unknown.
using GainModel = std::optional<Gain> (*)(const Subject& subject, const Finding& finding);

// The roof itself.
std::optional<Finding> above_roof(const Subject& subject);
std::optional<Finding> at_roof(const Subject& subject);
std::optional<Finding> few_threads(const Subject& subject);
std::optional<Gain> gain_of_threads(const Subject& subject, const Finding& finding);

// Waiting for data.
std::optional<Finding> pointer_chase(const Subject& subject);
std::optional<Finding> waits_for_loads(const Subject& subject);
/// More lines on their way at a time: of both rules.
std::optional<Gain> gain_of_lines_in_flight(const Subject& subject, const Finding& finding);

// Arithmetic.
std::optional<Finding> dependency_chain(const Subject& subject);
std::optional<Gain> gain_without_chain(const Subject& subject, const Finding& finding);
std::optional<Finding> not_vectorised(const Subject& subject);
std::optional<Finding> scalar_flops(const Subject& subject);
std::optional<Gain> gain_of_vectors(const Subject& subject, const Finding& finding);
std::optional<Finding> narrow_vectors(const Subject& subject);
std::optional<Gain> gain_of_wider_vectors(const Subject& subject, const Finding& finding);
std::optional<Finding> unfused_multiply_add(const Subject& subject);
std::optional<Gain> gain_of_fusing(const Subject& subject, const Finding& finding);
std::optional<Finding> idle_lanes(const Subject& subject);
std::optional<Gain> gain_of_all_lanes(const Subject& subject, const Finding& finding);
std::optional<Finding> divisions(const Subject& subject);
std::optional<Gain> gain_without_divisions(const Subject& subject, const Finding& finding);

// Memory nodes.
std::optional<Finding> one_node(const Subject& subject);
std::optional<Gain> gain_of_nodes(const Subject& subject, const Finding& finding);
std::optional<Finding> remote_memory(const Subject& subject);
std::optional<Gain> gain_of_near_memory(const Subject& subject, const Finding& finding);

// Pages.
std::optional<Finding> page_faults(const Subject& subject);
std::optional<Gain> gain_without_faults(const Subject& subject, const Finding& finding);

// Calls and loops.
/// Calls of mathematical functions and of code that Ridge cannot see take part in its time.
bool has_uncounted_calls(const Region& region);
/// The function of most of them.
std::string most_called(const Region& region);
std::optional<Finding> library_math(const Subject& subject);
std::optional<Finding> opaque_calls(const Subject& subject);
std::optional<Finding> small_function(const Subject& subject);
std::optional<Finding> short_loop(const Subject& subject);
/// Everything above the roof is taken for overhead.
std::optional<Gain> gain_without_overhead(const Subject& subject, const Finding& finding);

// Accesses and traffic.
std::optional<Finding> indirect_access(const Subject& subject);
std::optional<Gain> gain_of_order(const Subject& subject, const Finding& finding);
std::optional<Finding> strided_access(const Subject& subject);
std::optional<Gain> gain_of_unit_stride(const Subject& subject, const Finding& finding);
std::optional<Finding> gather_scatter(const Subject& subject);
std::optional<Gain> gain_without_gathers(const Subject& subject, const Finding& finding);
std::optional<Finding> excess_traffic(const Subject& subject);
std::optional<Gain> gain_of_least_traffic(const Subject& subject, const Finding& finding);
std::optional<Finding> write_allocate(const Subject& subject);
std::optional<Gain> gain_of_non_temporal_stores(const Subject& subject, const Finding& finding);
std::optional<Finding> needs_last_level(const Subject& subject);

// Use of lines, reuse, several threads.
std::optional<Finding> poor_line_use(const Subject& subject);
std::optional<Gain> gain_of_full_lines(const Subject& subject, const Finding& finding);
std::optional<Finding> reuse_just_misses(const Subject& subject);
std::optional<Gain> gain_of_reuse(const Subject& subject, const Finding& finding);
std::optional<Finding> load_imbalance(const Subject& subject);
std::optional<Gain> gain_of_balance(const Subject& subject, const Finding& finding);
std::optional<Finding> rank_imbalance(const Subject& subject);
std::optional<Gain> gain_of_even_ranks(const Subject& subject, const Finding& finding);
std::optional<Finding> serial_part(const Subject& subject);
/// Among the threads that wait for it.
std::optional<Gain> gain_of_sharing_out(const Subject& subject, const Finding& finding);
std::optional<Finding> false_sharing(const Subject& subject);
std::optional<Finding> shared_writes(const Subject& subject);
std::optional<Gain> gain_without_sharing(const Subject& subject, const Finding& finding);

}  // namespace ridge::predict
