import ArgumentParser
import Devices
import Foundation

/// The service on the simulated board, as a separate process with a separate spool.
final class RigUnderTest: Sendable {
  /// The service's process.
  let process: Int32
  /// The service's socket.
  let socket: String
  /// The time from the process's start until a press would be accepted.
  let startTime: Duration
  private let directory: String
  private let running: Process

  /// Starts the service and waits until a press would be accepted, for half a minute at most.
  ///
  /// - Parameter directory: the directory, which is made here and removed by ``stop()``.
  init(directory: String, listeners: Int = 32) async throws {
    self.directory = directory
    socket = directory + "/s"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    let file = directory + "/platen.yaml"
    try """
    rig: { id: bench }
    board: simulated
    camera: { preset: 1080p, frame_rate: 30 }
    spool: { directory: \(directory)/spool, minimum_free: 1 MiB }
    api: { socket: \(socket), listeners: \(listeners), rate: 1000 }
    log: { level: warning }
    """.write(toFile: file, atomically: false, encoding: .utf8)
    running = Process()
    running.executableURL = URL(fileURLWithPath: try Self.program("platend"))
    running.arguments = ["--config", file]
    running.standardInput = FileHandle.nullDevice
    running.standardError = FileHandle.nullDevice
    let clock = SystemMonotonicClock()
    let began = clock.now
    try running.run()
    process = running.processIdentifier
    while (try? UnixRequest.json("GET", "/v1/status", over: socket).isReady) != true {
      guard running.isRunning, began.duration(to: clock.now) < .seconds(30) else {
        running.terminate()
        throw ValidationError("the service is not ready within 30 s; its files are in \(directory)")
      }
      try await clock.sleep(for: .milliseconds(5))
    }
    startTime = began.duration(to: clock.now)
  }

  /// Ends the service and removes its files.
  func stop() {
    running.terminate()
    running.waitUntilExit()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Returns the path of a program that was built beside this one.
  static func program(_ name: String) throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name)
    guard FileManager.default.isExecutableFile(atPath: path.path) else {
      throw ValidationError("\"\(path.path)\" is missing; board/bench builds it")
    }
    return path.path
  }
}

extension [String: Any] {
  /// Whether a status reports that a press would be accepted.
  fileprivate var isReady: Bool {
    (self["readiness"] as? [String: Any])?["state"] as? String == "ready"
  }
}
