import ArgumentParser
import Devices
import Foundation

/// The benchmark of the idle service's and the console's costs.
struct CostBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cost",
    abstract:
      "Processor, wake-ups, allocations and memory of the idle service, a console, a preview.")

  @Option(help: "Seconds over which each is measured.")
  var seconds = 60

  @Option(help: "A directory for the spool.")
  var directory =
    NSTemporaryDirectory() + "platen-bench-\(ProcessInfo.processInfo.processIdentifier)"

  func validate() throws {
    guard (1...3600).contains(seconds) else {
      throw ValidationError("--seconds must be from 1 to 3600, not \(seconds).")
    }
  }

  func run() async throws {
    let rig = try await RigUnderTest(directory: directory)
    defer { rig.stop() }
    // The work of the start must not count as idleness.
    try await SystemMonotonicClock().sleep(for: .seconds(min(5, seconds)))
    print("Simulated board, 1920x1080, 30 frames a second; \(seconds) s each")
    print("Ready \(rig.startTime.inMilliseconds.twoDecimals) ms after its start")
    print(ProcessCost.heads)
    try await measure([("service, idle", rig.process)])
    let console = try Conversation(socket: rig.socket)
    defer { console.stop() }
    try await console.settle()
    try await measure([
      ("service, with a console", rig.process), ("console, idle", console.process),
    ])
    console.type("preview\n")
    try await console.settle()
    try await measure([
      ("service, with a preview", rig.process), ("console, preview", console.process),
    ])
  }

  private func measure(_ processes: [(String, Int32)]) async throws {
    let clock = SystemMonotonicClock()
    let began = clock.now
    let before = try processes.map { try ProcessCost(of: $0.1) }
    try await clock.sleep(for: .seconds(seconds))
    let passed = began.duration(to: clock.now).inMilliseconds / 1000
    for (process, earlier) in zip(processes, before) {
      print(
        try ProcessCost(of: process.1).row(process.0, since: earlier, seconds: passed))
    }
  }
}

/// A console on a pseudoterminal, whose output is discarded.
private final class Conversation: Sendable {
  let process: Int32
  private let master: Int32
  private let running: Process

  init(socket: String) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &slave, nil, nil, &size) == 0 else {
      throw ValidationError("there is no pseudoterminal: \(SystemError.last)")
    }
    self.master = master
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    running = Process()
    running.executableURL = URL(fileURLWithPath: try RigUnderTest.program("platenctl"))
    running.arguments = ["console", "--socket", socket, "--idle-logout", "0"]
    running.environment = ["TERM": "vt100", "HOME": (socket as NSString).deletingLastPathComponent]
    running.standardInput = terminal
    running.standardOutput = terminal
    running.standardError = terminal
    try running.run()
    process = running.processIdentifier
    Thread.detachNewThread { [master] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while read(master, &buffer, buffer.count) > 0 || errno == EINTR {}
    }
  }

  /// Waits until an action has taken effect.
  func settle() async throws {
    try await SystemMonotonicClock().sleep(for: .seconds(3))
  }

  func type(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
  }

  func stop() {
    running.terminate()
    running.waitUntilExit()
  }
}
