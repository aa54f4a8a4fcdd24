// Memory of matrices and vectors.
#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace ridge::spmv {

namespace detail {
/// `bytes` at a multiple of 64, from 4 MiB on of 2 MiB with huge pages asked for. Throws
/// std::bad_alloc.
void* allocate_pages(std::size_t bytes);
void free_pages(void* memory) noexcept;
}  // namespace detail

/// A fixed number of elements that nothing has written yet: the thread that first writes one
/// decides on which NUMA node its page lies. Begins at a multiple of 64 bytes. Movable, copied by
/// clone().
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;

  Array() = default;
  explicit Array(std::size_t size)
      : size_(size), elements_(static_cast<T*>(detail::allocate_pages(size * sizeof(T)))) {}
  Array(std::size_t size, T value) : Array(size) {
    for (T& element : *this) {
      element = value;
    }
  }

  [[nodiscard]] Array clone() const {
    Array copy(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      copy[i] = (*this)[i];
    }
    return copy;
  }

  /// Keeps the first `size` elements, at most all; the memory stays as it is.
  void shorten(std::size_t size) {
    assert(size <= size_);
    size_ = size;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T* data() { return elements_.get(); }
  [[nodiscard]] const T* data() const { return elements_.get(); }
  [[nodiscard]] T* begin() { return data(); }
  [[nodiscard]] T* end() { return data() + size_; }
  [[nodiscard]] const T* begin() const { return data(); }
  [[nodiscard]] const T* end() const { return data() + size_; }
  [[nodiscard]] T& operator[](std::size_t i) {
    assert(i < size_);
    return data()[i];
  }
  [[nodiscard]] const T& operator[](std::size_t i) const {
    assert(i < size_);
    return data()[i];
  }
  [[nodiscard]] std::span<T> span() { return {data(), size_}; }
  [[nodiscard]] std::span<const T> span() const { return {data(), size_}; }

 private:
  struct Free {
    void operator()(T* elements) const noexcept { detail::free_pages(elements); }
  };
  std::size_t size_ = 0;
  std::unique_ptr<T, Free> elements_;
};

}  // namespace ridge::spmv
