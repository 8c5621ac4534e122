import Glibc

/// The machine's services that the spool uses besides its directory; tests replace them.
struct SpoolEnvironment: Sendable {
  var files: any FileSystem = KernelFileSystem()
  /// The kernel's ID of this boot; read from `/proc/sys/kernel/random/boot_id` when `nil`.
  var bootID: String?
  /// The wall clock in nanoseconds since 1970, right or wrong.
  var wallNanoseconds = now(CLOCK_REALTIME)
  /// The nanoseconds of this boot, without the time asleep.
  var monotonicNanoseconds = now(CLOCK_MONOTONIC)
  /// The nanoseconds of this boot, with the time asleep.
  var bootTimeNanoseconds = now(CLOCK_BOOTTIME)
  /// The source of 64 random bits of the kernel.
  var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  /// The number of pages up to which the start checks the whole database.
  var wholeCheckPages = IndexCheck.wholePages
  /// The number of removals after which their directories are synchronized.
  var unsyncedLimit = History.usualUnsyncedLimit

  /// The number of rows and file names that are compared before the spool is open, or a slice more.
  ///
  /// The background compares the rest.
  var entriesOfStart = 20_000
  /// The pause of the background comparison after a full disk or a lack of descriptors.
  var pauseOfRest = Duration.seconds(30)
  /// The first and the longest pause between attempts to store a recording that was refused.
  var pausesOfAttempts = (shortest: Duration.seconds(30), longest: Duration.seconds(3600))

  /// Reads a clock of the system, in nanoseconds.
  static func now(_ clock: clockid_t) -> @Sendable () -> Int64 {
    {
      var time = timespec()
      clock_gettime(clock, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
  }

  func currentBootID() throws(SpoolError) -> String {
    if let bootID { return bootID }
    let path = "/proc/sys/kernel/random/boot_id"
    do throws(FileSystemError) {
      let bytes = try KernelFileSystem().readFile(path, limit: 128)
      return String(decoding: bytes.filter { $0 > 32 && $0 < 127 }, as: UTF8.self)
    } catch {
      throw SpoolError(.unusable, path, error.call.problem, cause: error.message)
    }
  }
}
