import Devices
import Foundation
import Glibc

/// The main thread of a test process, which waits in `dispatchMain()` with no signal blocked.
package enum MainThread {
  /// A block of the signals of ended children, from the first use until the process ends.
  ///
  /// Every test with libcamera in its own process needs the block, as ``ChildEndSignal`` says. The
  /// main thread waits in a signal handler from then on, with its own signals.
  ///
  /// - Returns: whether the main thread was found blocking the signals within 10 seconds.
  package static let blocksChildEnds: Bool = {
    signal(SIGUSR2) { _ in
      ChildEndSignal.block()
      while true { pause() }
    }
    kill(getpid(), SIGUSR2)
    for _ in 0..<10_000 {
      if isBlocking { return true }
      usleep(1000)
    }
    return false
  }()

  private static var isBlocking: Bool {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let blocked = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
    let mask = blocked.flatMap { UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16) } ?? 0
    return mask & 1 << (UInt64(SIGCHLD) - 1) != 0
  }
}
