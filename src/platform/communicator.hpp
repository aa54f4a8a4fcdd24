// Ranks of a parallel program that exchange messages, whatever library carries them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/result.hpp"

namespace ridge::platform {

class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  [[nodiscard]] virtual unsigned rank() const = 0;
  [[nodiscard]] virtual unsigned ranks() const = 0;
  /// As the library calls itself.
  [[nodiscard]] virtual std::string library() const = 0;

  virtual void send(unsigned to, std::span<const std::byte> message) = 0;
  virtual void receive(unsigned from, std::span<std::byte> message) = 0;
  /// Sends to the partner and receives as much from it, at once.
  virtual void exchange(unsigned partner, std::span<const std::byte> sent,
                        std::span<std::byte> received) = 0;
  virtual void barrier() = 0;
  /// Sums over all ranks, in all of them; both have the same size.
  virtual void sum(std::span<const double> mine, std::span<double> all) = 0;
  /// From one rank to all others.
  virtual void broadcast(unsigned from, std::span<std::byte> message) = 0;
};

/// All ranks of this start, through an MPI library that is opened now and initialised; it is
/// finalised with the object. `file`: the library; nullopt: that of the launcher, as the
/// environment has it. Errors: `unavailable` without such a library, or where it sees one rank
/// alone.
[[nodiscard]] Result<std::unique_ptr<Communicator>> open_mpi(
    const std::optional<std::string>& file);

}  // namespace ridge::platform
