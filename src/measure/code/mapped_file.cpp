#include "measure/code/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ridge::measure {

MappedFile::MappedFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    void* mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    data_ = mapped != MAP_FAILED ? static_cast<const std::uint8_t*>(mapped) : nullptr;
  }
  if (file >= 0) {
    close(file);
  }
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) {
    munmap(const_cast<std::uint8_t*>(data_), size_);
  }
}

}  // namespace ridge::measure
