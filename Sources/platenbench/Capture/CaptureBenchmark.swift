import ArgumentParser
import Capture
import Devices
import Foundation
import Logging
import Platen
import SimulatedDevices
import Spool

/// From the press to stable storage on the simulated board, beside bare libjpeg-turbo.
struct CaptureBenchmark: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract:
      "Press to stored on the simulated board, beside bare libjpeg-turbo on the same frames.")

  @Option(help: "Presses that are measured.")
  var presses = 60

  @Option(help: "Presses before that, which are not.")
  var warmUp = 10

  @Option(help: "Width of the picture.")
  var width = 1920

  @Option(help: "Height of the picture.")
  var height = 1080

  @Option(help: "Frames a second.")
  var frameRate = 30.0

  @Option(help: "A directory for the spool; its file system is part of what is measured.")
  var directory =
    NSTemporaryDirectory() + "platen-bench-\(ProcessInfo.processInfo.processIdentifier)"

  func run() async throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
    let spool = try await Spool.open(
      SpoolConfiguration(directory: directory, rigID: "bench", minimumFreeBytes: 1 << 20),
      logger: logger)
    let pipeline = PhotoPipeline(
      rig: PhotoPipeline.Rig(
        id: "bench", make: "Platen", model: "Bench", software: "Platen", quality: 90, bootID: nil),
      spool: spool, logger: logger)
    let clock = SystemMonotonicClock()
    let samples = Samples(clock: clock)
    let session = CaptureSession(
      configuration: CaptureSessionConfiguration(
        camera: .first,
        stream: StreamConfiguration(
          size: FrameSize(width: width, height: height), frameRate: frameRate, ringFrameCount: 8)),
      cameras: SimulatedCameraSystem(world: SimulatedWorld()),
      numbers: PressNumbers { try await spool.reservePressNumbers(count: $0) },
      clock: clock, logger: logger,
      receive: { await samples.measure($0, through: pipeline) })
    let running = Task { try await session.run() }
    while await session.readiness.state != .ready {
      try await clock.sleep(for: .milliseconds(20))
    }
    for number in 1...(warmUp + presses) {
      let press = try await session.press(at: clock.now, source: .button)
      guard let record = await session.outcome(of: press), case .stored = record.outcome else {
        throw ValidationError("press \(press) was refused; the machine is too slow for this run")
      }
      if number <= warmUp { await samples.forget() }
      // Presses are not to keep step with the frames.
      try await clock.sleep(for: .milliseconds(100 + number * 37 % 60))
    }
    running.cancel()
    _ = await running.result
    await spool.close()
    await print(samples)
  }

  private func print(_ samples: Samples) async {
    let encode = await samples.bareEncode
    let rows = [
      ("press → frame chosen", await samples.pressToFrame),
      ("frame → stored (EXIF, fsync, row)", await samples.frameToStored),
      ("press → stored", await samples.pressToStored),
      ("bare libjpeg-turbo encode", encode),
    ]
    Swift.print(
      "\(width)x\(height) YUV 4:2:0, quality 90, \(frameRate) frames a second, \(presses) presses")
    Swift.print("| step | median ms | worst ms | median as a multiple of the bare encode |")
    Swift.print("|---|---|---|---|")
    for (name, times) in rows {
      let sorted = times.sorted()
      let median = sorted[sorted.count / 2]
      let worst = sorted[sorted.count - 1]
      let ratio = median / encode.sorted()[encode.count / 2]
      Swift.print(
        "| \(name) | \(median.twoDecimals) | \(worst.twoDecimals) | \(ratio.twoDecimals) |")
    }
  }
}
