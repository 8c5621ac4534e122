import ArgumentParser
import Devices
import Foundation

/// The benchmark of a capture from the press to stable storage on the simulated board.
///
/// The results are compared with bare libjpeg-turbo and with the promised limits.
struct CaptureBenchmark: AsyncParsableCommand {
  /// The parts of the benchmark, in this order.
  enum Part: String, CaseIterable, ExpressibleByArgument {
    case press, feedback, rate, resume, encode
  }

  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: """
      Selection error, press to light and to stored, shots a minute, time to resume, and encoding; \
      on the simulated board, beside bare libjpeg-turbo on the same frames.
      """)

  @Option(parsing: .upToNextOption, help: "What is measured; all of it when nothing is said.")
  var parts = Part.allCases

  @Option(help: "Presses that are measured.")
  var presses = 200

  @Option(help: "Presses before that, which are not.")
  var warmUp = 10

  @Option(help: "Width of the picture.")
  var width = 1920

  @Option(help: "Height of the picture.")
  var height = 1080

  @Option(help: "Frames a second.")
  var frameRate = 30.0

  @Option(help: "Seconds of shooting for each quality and size.")
  var seconds = 10

  @Option(help: "Times that each fault is made.")
  var faults = 3

  @Option(help: "Rounds of encoding.")
  var rounds = 10

  @Option(help: "A directory for the spools; its file system is part of what is measured.")
  var directory =
    NSTemporaryDirectory() + "platen-bench-\(ProcessInfo.processInfo.processIdentifier)"

  func validate() throws {
    guard [presses, seconds, faults, rounds].allSatisfy({ $0 > 0 }), warmUp >= 0 else {
      throw ValidationError("the numbers of presses, seconds, faults and rounds are above 0")
    }
  }

  func run() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let size = FrameSize(width: width, height: height)
    for part in parts {
      let place = directory + "/" + part.rawValue
      switch part {
      case .press:
        try await PressBenchmark(
          presses: presses, warmUp: warmUp, size: size, frameRate: frameRate, directory: place
        ).run()
      case .feedback:
        try await FeedbackBenchmark(
          presses: presses, size: size, frameRate: frameRate, directory: place
        ).run()
      case .rate:
        for size in [size, FrameSize(width: 4056, height: 3040)] {
          try await RateBenchmark(
            seconds: seconds, size: size, frameRate: frameRate, directory: place + "-\(size.width)"
          ).run()
        }
      case .resume: try await ResumeBenchmark(rounds: faults).run()
      case .encode:
        print("\nEncoding, as `encode` prints it:")
        try await EncodeBenchmark.parse(["--rounds", "\(rounds)", "--stripes", "2"]).run()
      }
    }
  }
}
