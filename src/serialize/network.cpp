#include "serialize/network.hpp"

#include "core/describe/network.hpp"
#include "serialize/described/write.hpp"
#include "serialize/json_writer.hpp"

namespace ridge::serialize {
namespace {

/// What stands beside the times of layers: the name of the roof that binds.
struct RoofNames {
  const NetworkTimes& times;

  void write(Writer& writer, std::string_view key, const LayerTime& time) const {
    if (time.bound) {
      writer.member(key, times.roofs[*time.bound].name);
    }
  }
  template <class Other>
  void write(Writer& /*writer*/, std::string_view /*key*/, const Other& /*other*/) const {}
};

/// What stands beside a network: its times on machines.
struct OnMachines {
  const std::vector<NetworkTimes>& machines;

  void write(Writer& writer, std::string_view key, const Network& /*network*/) const {
    writer.objects(key, machines, [&](const NetworkTimes& times) {
      write_members(writer, times, RoofNames{times});
    });
  }
  template <class Other>
  void write(Writer& /*writer*/, std::string_view /*key*/, const Other& /*other*/) const {}
};

}  // namespace

std::string write_network(const Network& network, const std::vector<NetworkTimes>& times) {
  Writer writer;
  writer.member("schema", "ridge.network/1");
  write_members(writer, network, OnMachines{times});
  return writer.finish();
}

}  // namespace ridge::serialize
