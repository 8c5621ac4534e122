#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the spool takes from the machine besides its directory; tests put their own in.
struct SpoolEnvironment: Sendable {
  var files: any FileSystem = KernelFileSystem()
  /// The kernel's ID of this boot; read from `/proc/sys/kernel/random/boot_id` when `nil`.
  var bootID: String?
  /// Nanoseconds since 1970 by the wall clock, right or wrong.
  var wallNanoseconds = now(CLOCK_REALTIME)
  /// Nanoseconds of this boot, without the time asleep.
  var monotonicNanoseconds = now(CLOCK_MONOTONIC)
  /// Nanoseconds of this boot, with the time asleep.
  var bootTimeNanoseconds = now(SpoolEnvironment.bootTimeClock)
  /// 64 random bits of the kernel.
  var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  /// Up to how many pages the whole database is checked at the start.
  var wholeCheckPages = IndexCheck.wholePages
  /// Removals after which their directories are synchronised.
  var unsyncedLimit = History.usualUnsyncedLimit

  /// Rows and names of files that are looked at before the spool is open, or a slice more; what is left
  /// is looked at behind.
  var entriesOfStart = 20_000
  /// How long a full disk or a lack of descriptors holds up what is looked at behind.
  var pauseOfRest = Duration.seconds(30)

  #if canImport(Glibc)
    private static let bootTimeClock = CLOCK_BOOTTIME
  #else
    private static let bootTimeClock = CLOCK_MONOTONIC
  #endif

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
    do throws(SystemError) {
      let bytes = try KernelFileSystem().readFile(path, limit: 128)
      return String(decoding: bytes.filter { $0 > 32 && $0 < 127 }, as: UTF8.self)
    } catch {
      throw SpoolError(.unusable, path, error.call.problem, cause: error.message)
    }
  }
}
