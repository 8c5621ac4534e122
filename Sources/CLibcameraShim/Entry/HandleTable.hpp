// Numbers for objects: what crosses the C border instead of pointers.
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
/// An object that is found stays alive while the caller holds the pointer, so closing a handle in
/// one thread cannot pull the object from under another.
template <typename Object>
class HandleTable {
 public:
  uint64_t insert(std::shared_ptr<Object> object) {
    std::lock_guard lock(mutex_);
    objects_.emplace(++last_, std::move(object));
    return last_;
  }

  /// Throws EBADF for a number that is stale or never was.
  std::shared_ptr<Object> find(uint64_t handle) const {
    std::lock_guard lock(mutex_);
    auto found = objects_.find(handle);
    if (found == objects_.end())
      throw Failure{-EBADF, "it has been closed"};
    return found->second;
  }

  /// Forgets a number; returns what it stood for, or null.
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
