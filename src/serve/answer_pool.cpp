#include "serve/answer_pool.hpp"

#include <exception>
#include <utility>

namespace ridge::serve {

AnswerPool::AnswerPool(std::size_t threads, std::function<HttpResponse(const HttpRequest&)> respond,
                       std::function<void()> finished)
    : respond_(std::move(respond)), finished_(std::move(finished)) {
  for (std::size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { work(); });
  }
}

AnswerPool::~AnswerPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  ordered_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

void AnswerPool::order(std::uint64_t connection, HttpRequest request,
                       std::weak_ptr<const void> wanted) {
  {
    const std::lock_guard lock(mutex_);
    orders_.push_back({connection, std::move(request), std::move(wanted)});
  }
  ordered_.notify_one();
}

std::vector<AnswerPool::Answer> AnswerPool::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(answers_, {});
}

void AnswerPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ordered_.wait(lock, [this] { return ending_ || !orders_.empty(); });
    if (ending_) {
      return;
    }
    const Order order = std::move(orders_.front());
    orders_.pop_front();
    if (order.wanted.expired()) {
      continue;
    }
    lock.unlock();
    HttpResponse response = made(order);
    lock.lock();
    answers_.push_back({order.connection, std::move(response)});
    finished_();
  }
}

HttpResponse AnswerPool::made(const Order& order) const {
  try {
    return respond_(order.request);
  } catch (const std::exception&) {
    return refusal(500, "this could not be answered");
  }
}

}  // namespace ridge::serve
