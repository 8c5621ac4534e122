import API
import ArgumentParser
import Console
import Devices

/// `platenctl calibrate`.
struct CalibrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate", abstract: "Guide through what a rig is set right by, once.",
    subcommands: [
      CalibrateCameraCommand.self, CalibrateLevelCommand.self, CalibrateScaleCommand.self,
    ])
}

/// `platenctl calibrate level`.
struct CalibrateLevelCommand: ConfirmedCommand, ManneredCommand {
  static let configuration = CommandConfiguration(
    commandName: "level",
    abstract: "Find out how the accelerometer is mounted, and set its mount matrix.",
    discussion: """
      Lay the rig in three positions, one after the other, as you are told; a position counts when \
      the rig has rested in it, without a key. A matrix within \
      \(Int(LevelResult.nearAngle)) degrees of right angles is set as such, unless --exact. It holds \
      from the next start of the service.
      """)

  @OptionGroup var connection: ConnectionOptions

  @OptionGroup var confirmed: ConfirmationOptions

  @Flag(help: "Set the matrix as it was measured, also when it is close to right angles.")
  var exact = false

  @Flag(help: "Show the matrix and set nothing.")
  var dryRun = false

  /// The prompts are shown at once; each position has its time limit, after which the command ends.
  var manner: CommandManner { .reports }

  var confirmation: Confirmation? {
    dryRun
      ? nil
      : Confirmation(
        "This measures how the accelerometer is mounted and sets \"\(Self.key)\"", word: .rig)
  }

  private static let key = "accelerometer.mount_matrix"
  /// The API lets a caller ask fifty times a second, and a sensor measures ten times.
  private static let pause = Duration.milliseconds(50)

  func run() async throws {
    try await connection.report { client in
      let result = try await measure(client)
      guard !dryRun else { return }
      let matrix = exact || !result.isRightAngled ? result.measured : result.rightAngled
      let change = ConfigurationChange(set: [Self.key: "\"\(matrix)\""])
      try connection.show(await client.call(Operations.changeConfiguration, change))
    }
  }

  /// Goes through the positions.
  private func measure(_ client: RigClient) async throws -> LevelResult {
    var guide = LevelGuide()
    var silence = 0
    while true {
      let report = try await client.call(Operations.accelerometer)
      guard report.state.value != AccelerometerState.none else {
        Terminal.complain("The configuration names no accelerometer.", code: "unsupported")
        throw ExitCode(1)
      }
      // A sensor in a bad state may still have an earlier reading.
      let isUsable =
        report.state.value == .ok && report.reading.map { $0.ageMilliseconds < 2000 } == true
      silence = isUsable ? 0 : silence + 1
      guard .milliseconds(50) * silence < .seconds(10) else {
        Terminal.complain(
          "The accelerometer gives no readings (\(report.state)); nothing was changed.",
          code: "unavailable")
        throw ExitCode(1)
      }
      if isUsable, let reading = report.reading {
        let sensor = Acceleration(
          x: reading.sensor[0], y: reading.sensor[1], z: reading.sensor[2])
        let time = MonotonicInstant(nanoseconds: reading.timeNanoseconds)
        for note in guide.take(sensor, at: time) {
          if case .failed(let reason) = note {
            Terminal.complain(reason, code: "failed")
            throw ExitCode(1)
          }
          if case .finished(let result) = note {
            try connection.show(result)
            return result
          }
          // A program gets the result only; the prompts are for people.
          if !connection.json { Terminal.show(note) }
        }
      }
      // Readings of the accelerometer are no events of the rig, as there are too many.
      try await Task.sleep(for: Self.pause)
    }
  }
}

/// `platenctl calibrate camera`.
struct CalibrateCameraCommand: ConfirmedCommand {
  static let configuration = CommandConfiguration(
    commandName: "camera",
    abstract: "Fix exposure, white balance and focus on an empty page, and say what changed.",
    discussion: """
      Lay an empty page under the camera first. What is found is kept for the camera, also over \
      restarts, until "platenctl session forget". Takes up to 10 seconds, longer with slow frames.
      """)

  @OptionGroup var connection: ConnectionOptions

  @OptionGroup var confirmed: ConfirmationOptions

  var confirmation: Confirmation? { .newCalibration }

  func run() async throws {
    try await connection.report { client in
      let previewSize = PreviewSize(width: 24, height: 24)
      let before = try await client.call(Operations.preview, previewSize)
      if !connection.json { Terminal.show(PageState("before  ", before)) }
      let (calibration, after) = try await connection.passingTime("calibrating") {
        let calibration = try await client.call(Operations.calibrateCamera)
        return (calibration, try await client.preview(previewSize, newerThan: before.frame, by: 4))
      }
      try connection.show(PageCalibration(before: before, calibration: calibration, after: after))
    }
  }
}

extension RigClient {
  /// Returns a preview that is a number of frames newer than another, or the newest after 5 s.
  func preview(
    _ previewSize: PreviewSize, newerThan frame: Int64, by count: Int64
  ) async throws -> PreviewReport {
    let clock = SystemMonotonicClock()
    let deadline = clock.now.advanced(by: .seconds(5))
    while true {
      let report = try await call(Operations.preview, previewSize)
      // A camera that was reopened counts from the beginning.
      if report.frame >= frame + count || report.frame < frame || clock.now >= deadline {
        return report
      }
      // A new frame is no event of the rig.
      try await clock.sleep(for: .milliseconds(100))
    }
  }
}
