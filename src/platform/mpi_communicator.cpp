// MPI without mpi.h: on x86-64 every argument of these functions is an integer or a pointer, so one
// set of declarations serves both families of binary interfaces. Open MPI's handles are addresses
// of objects in the library; those of MPICH and its relatives (MVAPICH, Intel MPI, Cray MPICH) are
// numbers, the same since MPICH 3.1 (the MPICH ABI compatibility initiative).
#include <array>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <vector>

#include <fmt/format.h>

#include "platform/communicator.hpp"

namespace ridge::platform {
namespace {

using Handle = std::uintptr_t;

constexpr std::array<const char*, 3> kOpenMpi{"libmpi.so.40", "libmpi.so.80", "libmpi.so.20"};
constexpr std::array<const char*, 4> kMpich{"libmpich.so.12", "libmpi.so.12", "libmpi_cray.so.12",
                                            "libmpi.so"};

/// What differs between the two families.
struct Handles {
  Handle world = 0;
  Handle byte = 0;
  Handle fp64 = 0;
  Handle sum = 0;
  Handle no_status = 0;
};
constexpr Handles kMpichHandles{0x44000000, 0x4c00010d, 0x4c00080b, 0x58000003, 1};

struct Functions {
  int (*init)(int*, char***) = nullptr;
  int (*finalize)() = nullptr;
  int (*rank)(Handle, int*) = nullptr;
  int (*size)(Handle, int*) = nullptr;
  int (*library)(char*, int*) = nullptr;
  int (*send)(const void*, int, Handle, int, int, Handle) = nullptr;
  int (*receive)(void*, int, Handle, int, int, Handle, Handle) = nullptr;
  int (*exchange)(const void*, int, Handle, int, int, void*, int, Handle, int, int, Handle,
                  Handle) = nullptr;
  int (*barrier)(Handle) = nullptr;
  int (*sum)(const void*, void*, int, Handle, Handle, Handle) = nullptr;
  int (*broadcast)(void*, int, Handle, int, Handle) = nullptr;
};

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

std::optional<Functions> functions_of(void* library) {
  Functions found;
  const bool all =
      find(library, "MPI_Init", found.init) && find(library, "MPI_Finalize", found.finalize) &&
      find(library, "MPI_Comm_rank", found.rank) && find(library, "MPI_Comm_size", found.size) &&
      find(library, "MPI_Get_library_version", found.library) &&
      find(library, "MPI_Send", found.send) && find(library, "MPI_Recv", found.receive) &&
      find(library, "MPI_Sendrecv", found.exchange) &&
      find(library, "MPI_Barrier", found.barrier) && find(library, "MPI_Allreduce", found.sum) &&
      find(library, "MPI_Bcast", found.broadcast);
  return all ? std::optional(found) : std::nullopt;
}

Handles handles_of(void* library) {
  const auto address = [&](const char* name) {
    return reinterpret_cast<Handle>(dlsym(library, name));
  };
  const Handle world = address("ompi_mpi_comm_world");
  return world == 0 ? kMpichHandles
                    : Handles{world, address("ompi_mpi_byte"), address("ompi_mpi_double"),
                              address("ompi_mpi_op_sum"), 0};
}

/// The names to try, those of the launcher's family first.
std::vector<std::string> candidates(const std::optional<std::string>& file) {
  if (file) {
    return {*file};
  }
  std::vector<std::string> names(kOpenMpi.begin(), kOpenMpi.end());
  const bool is_mpich = std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr &&
                        (std::getenv("PMI_SIZE") != nullptr || std::getenv("PMI_RANK") != nullptr);
  names.insert(is_mpich ? names.begin() : names.end(), kMpich.begin(), kMpich.end());
  return names;
}

int length_of(std::size_t size) {
  return static_cast<int>(size);
}

/// "Open MPI v4.1.4" of its long first line; "MPICH Version: 4.0.2" has a tab and more lines.
std::string short_version(std::string text) {
  text = text.substr(0, text.find_first_of(",\n"));
  std::string words;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\t' || c == '\0';
    if (!is_space || (!words.empty() && words.back() != ' ')) {
      words += is_space ? ' ' : c;
    }
  }
  if (const auto word = words.find(" Version:"); word != std::string::npos) {
    words.erase(word, std::string_view(" Version:").size());
  }
  return words;
}

class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator(const Functions& functions, const Handles& handles)
      : mpi_(functions), handles_(handles) {
    mpi_.init(nullptr, nullptr);
    int number = 0;
    mpi_.rank(handles_.world, &number);
    rank_ = static_cast<unsigned>(number);
    mpi_.size(handles_.world, &number);
    ranks_ = static_cast<unsigned>(number);
  }
  ~MpiCommunicator() override { mpi_.finalize(); }

  [[nodiscard]] unsigned rank() const override { return rank_; }
  [[nodiscard]] unsigned ranks() const override { return ranks_; }
  [[nodiscard]] std::string library() const override {
    // More than MPI_MAX_LIBRARY_VERSION_STRING of any library: 256 to 8192.
    std::vector<char> text(16384);
    int length = 0;
    mpi_.library(text.data(), &length);
    return short_version(std::string(text.data()));
  }
  void send(unsigned to, std::span<const std::byte> message) override {
    mpi_.send(message.data(), length_of(message.size()), handles_.byte, static_cast<int>(to), kTag,
              handles_.world);
  }
  void receive(unsigned from, std::span<std::byte> message) override {
    mpi_.receive(message.data(), length_of(message.size()), handles_.byte, static_cast<int>(from),
                 kTag, handles_.world, handles_.no_status);
  }
  void exchange(unsigned partner, std::span<const std::byte> sent,
                std::span<std::byte> received) override {
    mpi_.exchange(sent.data(), length_of(sent.size()), handles_.byte, static_cast<int>(partner),
                  kTag, received.data(), length_of(received.size()), handles_.byte,
                  static_cast<int>(partner), kTag, handles_.world, handles_.no_status);
  }
  void barrier() override { mpi_.barrier(handles_.world); }
  void sum(std::span<const double> mine, std::span<double> all) override {
    mpi_.sum(mine.data(), all.data(), length_of(mine.size()), handles_.fp64, handles_.sum,
             handles_.world);
  }
  void broadcast(unsigned from, std::span<std::byte> message) override {
    mpi_.broadcast(message.data(), length_of(message.size()), handles_.byte, static_cast<int>(from),
                   handles_.world);
  }

 private:
  static constexpr int kTag = 1;
  Functions mpi_;
  Handles handles_;
  unsigned rank_ = 0;
  unsigned ranks_ = 1;
};

constexpr const char* kNameLibrary =
    "name the library that the launcher belongs to: --mpi-library /path/to/libmpi.so";

}  // namespace

Result<std::unique_ptr<Communicator>> open_mpi(const std::optional<std::string>& file) {
  std::string tried;
  for (const std::string& name : candidates(file)) {
    // Its plugins look for its symbols, so they must be seen by all.
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
      const char* why = dlerror();
      tried += fmt::format("{}{}", tried.empty() ? "" : ", ", file && why != nullptr ? why : name);
      continue;
    }
    const auto functions = functions_of(library);
    if (!functions) {
      return fail(ErrorCode::unavailable, fmt::format("{} is no MPI library", name), kNameLibrary);
    }
    auto made = std::make_unique<MpiCommunicator>(*functions, handles_of(library));
    if (made->ranks() < 2) {
      return fail(ErrorCode::unavailable,
                  fmt::format("{} ({}) sees one rank", made->library(), name),
                  fmt::format("start it by `mpirun -n 2 ridge bench --mpi`; where that is what you "
                              "did, {}",
                              kNameLibrary));
    }
    return made;
  }
  return fail(ErrorCode::unavailable, fmt::format("no MPI library could be opened: {}", tried),
              kNameLibrary);
}

}  // namespace ridge::platform
