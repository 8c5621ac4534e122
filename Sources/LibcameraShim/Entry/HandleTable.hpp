// The numbers for objects that cross the C border instead of pointers.
#pragma once

#include <cerrno>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "Failure.hpp"

namespace platen {

/// Gives out numbers for objects and finds them again; a number is never used twice.
///
/// A found object stays alive while the caller holds the pointer. So closing a handle in one thread
/// cannot destroy the object in use by another.
template <typename Object>
class HandleTable {
 public:
  uint64_t insert(std::shared_ptr<Object> object) {
    std::lock_guard lock(mutex_);
    objects_.emplace(++last_, std::move(object));
    return last_;
  }

  /// Returns the object; throws EBADF for a number that is stale or was never given out.
  std::shared_ptr<Object> find(uint64_t handle) const {
    std::lock_guard lock(mutex_);
    auto found = objects_.find(handle);
    if (found == objects_.end())
      throw Failure{-EBADF, "it has been closed"};
    return found->second;
  }

  /// Forgets a number; returns its object, or null.
  std::shared_ptr<Object> remove(uint64_t handle) {
    std::lock_guard lock(mutex_);
    auto found = objects_.find(handle);
    if (found == objects_.end())
      return nullptr;
    auto object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<uint64_t, std::shared_ptr<Object>> objects_;
  uint64_t last_ = 0;
};

}  // namespace platen
