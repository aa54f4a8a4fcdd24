#include "serialize/kernel_prediction.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include "serialize/json_writer.hpp"
#include "serialize/resource_prediction_value.hpp"

namespace ridge::serialize {
namespace {

std::string_view to_text(Overlap overlap) {
  return overlap == Overlap::compute ? "compute" : overlap == Overlap::data ? "data" : "none";
}

void write_resource(Writer& writer, const ResourceTime& resource) {
  writer.member("resource", resource.resource);
  writer.member("unit", resource.unit);
  writer.member("amount", resource.amount);
  writer.member("rate", resource.rate);
  if (resource.latency > 0.0) {
    writer.member("latency", resource.latency);
  }
  writer.member("seconds", resource.seconds);
  writer.member("overlap", to_text(resource.overlap));
  writer.member("rate_name", resource.rate_name);
  if (resource.basis) {
    writer.member("basis", to_string(*resource.basis));
  }
  writer.member("origin", to_string(resource.origin));
  writer.member("source", resource.source);
  if (!resource.verified) {
    writer.member("verified", false);
  }
  writer.member("intensity", resource.intensity);
  writer.member("roof", resource.roof);
  writer.member("cache_aware_roof", resource.cache_aware_roof);
}

std::optional<std::string> resource_name(const ResourcePrediction& prediction,
                                         const std::optional<std::size_t>& index) {
  return index ? std::optional(prediction.resources[*index].resource) : std::nullopt;
}

std::optional<double> per_byte(std::uint64_t amount, std::uint64_t bytes) {
  return amount > 0 && bytes > 0
             ? std::optional(static_cast<double>(amount) / static_cast<double>(bytes))
             : std::nullopt;
}

void write_work(Writer& writer, const OperationCounts& work) {
  writer.member("flops", work.flops());
  const auto present = [&](std::string_view key, std::uint64_t count) {
    if (count > 0) {
      writer.member(key, count);
    }
  };
  present("add", work.add);
  present("mul", work.mul);
  present("fma", work.fma);
  present("div", work.div);
  present("sqrt", work.sqrt);
  present("any", work.any);
  present("other", work.other);
  present("intops", work.intops);
}

}  // namespace

void write_members(Writer& writer, const Demand& demand) {
  writer.object("work", [&] { write_work(writer, demand.work); });
  writer.object("traffic", [&] {
    writer.member("read", demand.least.read);
    writer.member("written", demand.least.written);
    writer.member("allocate", demand.least.allocate);
  });
  const std::uint64_t flops = demand.work.flops();
  if (flops > 0) {
    writer.object("intensity", [&] {
      writer.member("least", per_byte(flops, demand.least.total(false)));
      writer.member("write_allocate", per_byte(flops, demand.least.total(true)));
    });
  }
}

void write_members(Writer& writer, const ResourcePrediction& prediction) {
  writer.member("machine", prediction.machine);
  writer.member("name", prediction.machine_name);
  writer.member("missing", prediction.missing);
  writer.member("unit", prediction.unit);
  writer.member("work", prediction.work);
  if (prediction.seconds) {
    writer.object("seconds", [&] {
      writer.member("full_overlap", *prediction.seconds);
      writer.member("ecm", prediction.ecm_seconds);
      writer.member("no_overlap", prediction.sum_seconds);
    });
  }
  writer.member("attainable", prediction.attainable);
  writer.member("attainable_without_overlap", prediction.attainable_without_overlap);
  writer.member("binding", resource_name(prediction, prediction.binding));
  writer.member("next", resource_name(prediction, prediction.next));
  writer.objects("resources", prediction.resources,
                 [&](const ResourceTime& resource) { write_resource(writer, resource); });
  if (prediction.energy) {
    writer.object("energy", [&] {
      writer.member("joules", prediction.energy->joules);
      writer.member("dynamic_joules", prediction.energy->dynamic_joules);
      writer.member("watts", prediction.energy->watts);
      writer.member("flops_per_joule", prediction.energy->flops_per_joule);
    });
  }
  writer.objects("notes", prediction.notes, [&](const Note& note) {
    writer.member("code", note.code);
    writer.member("text", note.text);
  });
}

std::string write_kernel_prediction(const KernelPrediction& prediction) {
  Writer writer;
  writer.member("schema", "ridge.prediction/1");
  writer.object("kernel", [&] {
    writer.member("name", prediction.kernel.name);
    writer.member("precision", prediction.demand.precision);
    writer.object("parameters", [&] {
      for (const KernelPrediction::Value& value : prediction.parameters) {
        writer.member(value.name, value.value);
      }
    });
    write_members(writer, prediction.demand);
    if (!prediction.by_cache.empty()) {
      writer.objects("traffic_by_cache", prediction.by_cache,
                     [&](const KernelPrediction::BelowCache& below) {
                       writer.member("cache_bytes", below.cache_bytes);
                       writer.member("read", below.traffic.read);
                       writer.member("written", below.traffic.written);
                       writer.member("allocate", below.traffic.allocate);
                     });
    }
    writer.member("origin", "modelled");
    writer.member("source", prediction.kernel.source);
  });
  writer.objects("machines", prediction.machines,
                 [&](const ResourcePrediction& machine) { write_members(writer, machine); });
  return writer.finish();
}

std::string write_kernels(const std::vector<KernelText>& kernels) {
  Writer writer;
  writer.member("schema", "ridge.kernels/1");
  writer.objects("kernels", kernels, [&](const KernelText& kernel) {
    writer.member("name", kernel.name);
    writer.member("summary", kernel.summary);
    writer.objects("parameters", kernel.parameters, [&](const KernelText::Parameter& parameter) {
      writer.member("name", parameter.name);
      writer.member("meaning", parameter.meaning);
      writer.member("default", parameter.fallback);
    });
    writer.member("work", kernel.work);
    writer.member("traffic", kernel.traffic);
    writer.member("cache", kernel.cache);
    writer.member("source", kernel.source);
  });
  return writer.finish();
}

}  // namespace ridge::serialize
