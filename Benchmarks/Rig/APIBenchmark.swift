import ArgumentParser
import Devices
import Foundation

/// The benchmark of the capture's times with and without a crowd of API listeners, in the same run.
struct APIBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "api",
    abstract: "Presses with and without listeners to the events, some of whom never read.")

  @Option(help: "Listeners.")
  var listeners = 100

  @Option(help: "How many of them never read.")
  var silent = 10

  @Option(help: "Presses in each of the rounds.")
  var presses = 60

  @Option(help: "Rounds, each without listeners and then with them.")
  var rounds = 3

  @Option(help: "A directory for the spool; its file system is part of what is measured.")
  var directory =
    NSTemporaryDirectory() + "platen-bench-\(ProcessInfo.processInfo.processIdentifier)"

  func validate() throws {
    guard silent >= 0, listeners > silent, presses > 0, rounds > 0 else {
      throw ValidationError("There must be more listeners than silent ones, a press and a round.")
    }
  }

  func run() async throws {
    let rig = try await RigUnderTest(directory: directory, listeners: listeners + 8)
    defer { rig.stop() }
    _ = try await times(rig, count: 10)
    var (alone, crowd) = (Times(), Times())
    var bytes = 0
    for _ in 0..<rounds {
      // Both take turns, so that neither has the quieter machine.
      alone += try await times(rig, count: presses)
      let listening = try EventListeners(listeners, silent: silent, socket: rig.socket)
      defer { listening.stop() }
      try await listening.untilListening()
      crowd += try await times(rig, count: presses)
      bytes += listening.bytes
    }
    print("1920x1080, 30 frames a second; \(listeners) listeners, of whom \(silent) never read")
    print("| step | listeners | median ms | 95 of 100 | worst | median as a multiple of none |")
    print("|---|---|---|---|---|---|")
    for (name, path) in [
      ("press → frame chosen", \Times.toFrame), ("press → stored", \Times.toStored),
    ] {
      let (none, all) = (alone[keyPath: path], crowd[keyPath: path])
      print("| \(name) | none | \(none.distribution) | 1.00 |")
      print("| | \(listeners) | \(all.distribution) | \((all.median / none.median).twoDecimals) |")
    }
    print("")
    print("Those who read received \(bytes / 1000) kB in \(rounds * presses) presses.")
  }

  /// The times of presses, in milliseconds.
  private struct Times {
    var toFrame: [Double] = []
    var toStored: [Double] = []

    static func += (times: inout Times, others: Times) {
      times.toFrame += others.toFrame
      times.toStored += others.toStored
    }
  }

  private func times(_ rig: RigUnderTest, count: Int) async throws -> Times {
    let clock = SystemMonotonicClock()
    var times = Times()
    for _ in 0..<count {
      let press = try UnixRequest.json("POST", "/v1/presses", over: rig.socket)
      guard let frame = press["pressToFrameMilliseconds"] as? Double,
        let stored = press["pressToStoredMilliseconds"] as? Double
      else { throw ValidationError("a press was refused; the machine is too slow: \(press)") }
      times.toFrame.append(frame)
      times.toStored.append(stored)
      // Presses must not be in step with the frames.
      try await clock.sleep(for: .milliseconds(Int.random(in: 50...150)))
    }
    return times
  }
}
