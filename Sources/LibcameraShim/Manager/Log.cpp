// libcamera's own log lines: to standard error above a severity.
#include <unistd.h>

#include <atomic>
#include <ostream>
#include <streambuf>
#include <string_view>

// <libcamera/logging.h> follows <ostream>, which it needs and does not include.
#include <libcamera/logging.h>

#include "../Entry/Failure.hpp"
#include "platen_cameras.h"

namespace {

/// Passes whole lines of the wanted severity to standard error.
///
/// libcamera can set levels only by category and exact name, and only once the category has been
/// used. The severity is in each line in all versions, so the lines are filtered instead. libcamera
/// writes a line with one call, from any thread: the only state here is the level.
class Sieve : public std::streambuf {
 public:
  std::atomic<int> level{PLATEN_CAMERAS_LOG_WARNING};

 protected:
  std::streamsize xsputn(const char *text, std::streamsize length) override {
    if (severity({text, static_cast<size_t>(length)}) <= level.load(std::memory_order_relaxed)) {
      // A failure to write a log line cannot be reported anywhere.
      [[maybe_unused]] auto written = ::write(STDERR_FILENO, text, static_cast<size_t>(length));
    }
    return length;
  }

  int_type overflow(int_type character) override { return traits_type::not_eof(character); }

 private:
  static int severity(std::string_view line) {
    // "[h:mm:ss.ns] [pid] SEVERITY category file:line message": the word is among the first few.
    auto head = line.substr(0, 64);
    if (head.find("FATAL") != head.npos || head.find("ERROR") != head.npos)
      return PLATEN_CAMERAS_LOG_ERROR;
    if (head.find(" WARN ") != head.npos)
      return PLATEN_CAMERAS_LOG_WARNING;
    return PLATEN_CAMERAS_LOG_WARNING + 1;
  }
};

}  // namespace

extern "C" int platen_cameras_set_log_level(platen_cameras_log_level level) {
  return platen::guarded([&] {
    // Never freed: libcamera's threads may log until the process ends.
    static auto *sieve = new Sieve;
    static auto *stream = new std::ostream(sieve);
    sieve->level = level;
    return libcamera::logSetStream(stream);
  });
}
