// The shim's exceptions, and their conversion to an errno and a text at the C border.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <utility>

namespace platen {

/// A failure with a negative errno and its cause in words.
struct Failure {
  int error;
  std::string cause;
};

/// Returns the system's words for a negative errno.
inline std::string describe(int error) {
  char buffer[128] = {};
  return ::strerror_r(-error, buffer, sizeof buffer);
}

/// Runs the body of a C function: no exception leaves, and the cause of a failure is copied out.
template <typename Body>
int guarded(char *cause, size_t cause_size, Body &&body) noexcept {
  auto report = [&](int error, const char *text) {
    if (cause && cause_size)
      std::snprintf(cause, cause_size, "%s", text);
    return error;
  };
  report(0, "");
  try {
    return std::forward<Body>(body)();
  } catch (const Failure &failure) {
    return report(failure.error, failure.cause.c_str());
  } catch (const std::bad_alloc &) {
    return report(-ENOMEM, "there is no memory left");
  } catch (const std::exception &exception) {
    return report(-EIO, exception.what());
  } catch (...) {
    return report(-EIO, "libcamera threw something unknown");
  }
}

/// Does the same for functions that have no room for a cause.
template <typename Body>
int guarded(Body &&body) noexcept {
  return guarded(nullptr, 0, std::forward<Body>(body));
}

}  // namespace platen
