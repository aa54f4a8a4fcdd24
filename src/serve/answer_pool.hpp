// Threads that make answers, so that a page that takes long keeps nobody else waiting.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "serve/http_message.hpp"

namespace ridge::serve {

class AnswerPool {
 public:
  struct Answer {
    std::uint64_t connection = 0;
    HttpResponse response;
  };

  /// `respond` is called from all threads, `finished` after each answer.
  AnswerPool(std::size_t threads, std::function<HttpResponse(const HttpRequest&)> respond,
             std::function<void()> finished);
  AnswerPool(const AnswerPool&) = delete;
  AnswerPool& operator=(const AnswerPool&) = delete;
  /// Waits for the answers that are being made; those that nobody began are not.
  ~AnswerPool();

  /// Nothing is made where `wanted` is gone before its turn.
  void order(std::uint64_t connection, HttpRequest request, std::weak_ptr<const void> wanted);
  /// What was finished since the last call.
  [[nodiscard]] std::vector<Answer> take();

 private:
  struct Order {
    std::uint64_t connection = 0;
    HttpRequest request;
    std::weak_ptr<const void> wanted;
  };
  void work();
  [[nodiscard]] HttpResponse made(const Order& order) const;

  std::function<HttpResponse(const HttpRequest&)> respond_;
  std::function<void()> finished_;
  std::mutex mutex_;
  std::condition_variable ordered_;
  std::deque<Order> orders_;
  std::vector<Answer> answers_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace ridge::serve
