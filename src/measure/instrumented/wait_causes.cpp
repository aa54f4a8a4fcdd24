#include "measure/instrumented/wait_causes.hpp"

#include <algorithm>
#include <utility>

namespace ridge::measure {
namespace {

/// So many looks at a region tell whether several threads are in it at a time.
constexpr std::uint64_t kEnoughTicks = 20;

}  // namespace

/// One look, sorted by what threads do.
struct WaitBlame::Scene {
  std::vector<Worker> workers;
  std::map<Waiting, unsigned> waiting;  ///< threads
  std::set<std::uint32_t> joins;        ///< of the parallel regions that run
  double waiting_without_cpu = 0.0;     ///< mean of those that wait
  unsigned between = 0;                 ///< workers while no parallel region runs
  bool is_crowded = false;              ///< more threads than CPUs
};

WaitBlame::WaitBlame(const StackTable& stacks, const RegionTable& table,
                     const std::vector<RegionTimes>& times, const CpusOfProcess& cpus,
                     std::vector<bool> asleep)
    : stacks_(stacks), table_(table), times_(times), cpus_(cpus), asleep_(std::move(asleep)) {
  find_bodies();
  find_places();
}

bool WaitBlame::is_join(std::uint32_t region) const {
  return region != kNoRegion && table_.regions[region].wait == WaitKind::join;
}

std::uint32_t WaitBlame::function_around(std::uint32_t region) const {
  while (region != kNoRegion && table_.regions[region].kind != RegionKind::function) {
    region = table_.regions[region].parent.value_or(kNoRegion);
  }
  return region;
}

/// The thread that starts a parallel region is in its body above the call that starts it.
void WaitBlame::find_bodies() {
  for (std::uint32_t node = 1; node < stacks_.size(); ++node) {
    const std::uint32_t below = table_.find(stacks_.region(stacks_.parent(node)));
    const std::uint32_t body = function_around(table_.find(stacks_.region(node)));
    if (stacks_.parent(node) != 0 && is_join(below) && body != kNoRegion) {
      bodies_[below].insert(body);
      joins_[body].insert(below);
    }
  }
}

void WaitBlame::find_places() {
  places_.resize(stacks_.size());
  for (std::uint32_t node = 1; node < stacks_.size(); ++node) {  // parents come first
    const Place& below = places_[stacks_.parent(node)];
    Place place{table_.find(stacks_.region(node)), below.team, below.join};
    const std::uint32_t body = function_around(place.top);
    if (is_join(below.top)) {
      place.team = body;
      place.join = below.top;
    } else if (stacks_.is_outermost(node) && joins_.contains(body)) {
      place.team = body;  // a thread that the runtime started
    }
    places_[node] = place;
  }
}

/// A loop of the body that each thread enters once: they may take turns at it only because there
/// was one CPU for them.
bool WaitBlame::is_entered_by_all(const Worker& worker) const {
  std::uint32_t outermost = worker.region;
  std::uint32_t at = worker.region;
  while (at != kNoRegion && table_.regions[at].kind != RegionKind::function) {
    outermost = at;
    at = table_.regions[at].parent.value_or(kNoRegion);
  }
  if (at == kNoRegion || at != worker.team) {
    return false;
  }
  const std::uint64_t of_body = table_.regions[at].counts.entries;
  return of_body > 0 && table_.regions[outermost].counts.entries >= of_body;
}

bool WaitBlame::is_alone(const Worker& worker) const {
  const RegionTimes& seen = times_[worker.region];
  if (seen.threads_self > 1) {
    return false;
  }
  return table_.regions[worker.region].by_thread.size() == 1 ||
         (seen.ticks_self >= kEnoughTicks && !is_entered_by_all(worker));
}

WaitBlame::Scene WaitBlame::scene_of(const Look& look) const {
  Scene scene;
  double without_cpu = 0.0;
  unsigned waiting = 0;
  for (std::size_t i = 0; i < look.nodes.size(); ++i) {
    const Place& place = places_[look.nodes[i]];
    if (place.join != kNoRegion) {
      scene.joins.insert(place.join);
    }
    if (place.top == kNoRegion) {
      continue;
    }
    if (!table_.regions[place.top].wait) {
      scene.workers.push_back({place.top, place.team, look.without_cpu[i], asleep_[look.nodes[i]]});
      continue;
    }
    ++waiting;
    without_cpu += look.without_cpu[i];
    if (is_join(place.top)) {
      scene.joins.insert(place.top);
    }
    ++scene.waiting[{place.top, is_join(place.top) ? kNoRegion : place.team}];
  }
  const auto is_asleep = [](const Worker& worker) { return worker.is_asleep; };
  const auto sleeping = static_cast<std::size_t>(
      std::count_if(scene.workers.begin(), scene.workers.end(), is_asleep));
  if (sleeping < scene.workers.size()) {
    std::erase_if(scene.workers, is_asleep);
  }
  scene.waiting_without_cpu = waiting > 0 ? without_cpu / waiting : 0.0;
  const std::size_t threads =
      look.nodes.size() - sleeping + look.idle.size() + cpus_.threads_elsewhere;
  scene.is_crowded = cpus_.cpus > 0 && threads > cpus_.cpus;
  add_idle(look, scene);
  return scene;
}

/// Threads of another team than those that run may be of no team: nothing is said of them.
void WaitBlame::add_idle(const Look& look, Scene& scene) const {
  for (const std::uint32_t node : look.idle) {
    const auto known = joins_.find(places_[node].team);
    if (known == joins_.end()) {
      continue;
    }
    if (scene.joins.empty()) {
      ++scene.between;
      continue;
    }
    const auto& joins = known->second;
    const auto runs = std::find_if(joins.begin(), joins.end(),
                                   [&](std::uint32_t join) { return scene.joins.contains(join); });
    if (runs != joins.end()) {
      ++scene.waiting[{*runs, kNoRegion}];
    }
  }
}

/// Those of its team, of a lock those that may hold it.
std::vector<WaitBlame::Worker> WaitBlame::waited_for(const Waiting& waiting,
                                                     const Scene& scene) const {
  std::vector<Worker> found;
  const auto bodies = bodies_.find(waiting.region);
  for (const Worker& worker : scene.workers) {
    const bool is_of_team = is_join(waiting.region)
                                ? bodies != bodies_.end() && bodies->second.contains(worker.team)
                                : worker.team == waiting.team && waiting.team != kNoRegion;
    if (is_of_team) {
      found.push_back(worker);
    }
  }
  const auto is_holder = [&](const Worker& worker) { return is_alone(worker); };
  if (table_.regions[waiting.region].wait == WaitKind::lock &&
      std::any_of(found.begin(), found.end(), is_holder)) {
    std::erase_if(found, [&](const Worker& worker) { return !is_holder(worker); });
  }
  if (found.empty() && scene.workers.size() == 1 && scene.workers.front().team == kNoRegion) {
    return scene.workers;
  }
  return found;
}

void WaitBlame::charge(const Waiting& waiting, double seconds, const Scene& scene,
                       std::vector<RegionTimes>& times) const {
  WaitSeconds& sum = times[waiting.region].waits;
  double& without_cpu = scene.is_crowded ? sum.oversubscribed : sum.busy;
  const auto workers = waited_for(waiting, scene);
  if (workers.empty()) {
    without_cpu += seconds * scene.waiting_without_cpu;
    sum.unexplained += seconds * (1.0 - scene.waiting_without_cpu);
    return;
  }
  const Worker& first = workers.front();
  const bool is_serial = table_.regions[waiting.region].wait == WaitKind::lock ||
                         first.team == kNoRegion || (workers.size() == 1 && is_alone(first));
  const double each = seconds / static_cast<double>(workers.size());
  for (const Worker& worker : workers) {
    without_cpu += each * worker.without_cpu;
    (is_serial ? sum.serial : sum.imbalance) += each * (1.0 - worker.without_cpu);
    times[worker.region].caused += each;
  }
}

void WaitBlame::add(const Look& look, std::vector<RegionTimes>& times) const {
  const Scene scene = scene_of(look);
  for (const auto& [waiting, threads] : scene.waiting) {
    charge(waiting, look.seconds * threads, scene, times);
  }
  if (scene.between > 0 && scene.workers.size() == 1) {
    times[scene.workers.front().region].caused += look.seconds * scene.between;
  }
  std::vector<std::uint32_t> blamed;
  for (const Worker& worker : scene.workers) {
    blamed.push_back(worker.region);
  }
  for (const auto& [waiting, threads] : scene.waiting) {
    if (scene.workers.empty()) {
      blamed.insert(blamed.end(), threads, waiting.region);
    }
  }
  for (const std::uint32_t region : blamed) {
    times[region].share += look.share / static_cast<double>(blamed.size());
  }
}

}  // namespace ridge::measure
