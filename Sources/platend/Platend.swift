import API
import ArgumentParser
import Console
import Devices
import Doctor
import Foundation
import RigConfiguration
import Service
import Settings

/// The command line of the service.
struct Platend: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "platend",
    abstract: "Takes the picture of the moment when the shutter is pressed, and uploads it.",
    discussion: """
      Exit codes: 0 stopped by a signal, or the check found nothing; 1 a part failed, start again, \
      or the doctor found a fault; \
      78 the configuration is wrong; 64 wrong usage.
      """,
    version: PlatenVersion.current)

  @Option(help: "The configuration file.")
  var config = LocalService.configurationPath

  @Flag(help: "Check the configuration, say what is wrong with it, and exit.")
  var checkConfig = false

  @Flag(help: "Turn the lights of the configuration off and exit; for the supervisor.")
  var indicatorsOff = false

  @Flag(help: "Examine the rig without the service: only read, take no device, and exit.")
  var doctor = false

  @Flag(help: "Do one thing to the configuration file, read in JSON; for platenctl.")
  var configure = false

  @Option(help: "Look at one thing without the service: audit, network or time; for platenctl.")
  var look: String?

  @Option(
    help: "Copy the pictures of the spool to a directory without the service; for platenctl.")
  var export: String?

  @Option(
    help: ArgumentHelp(
      "Apply a setup file to the configuration, and exit; - for the standard input.",
      discussion: "Of several files the first one that exists.", valueName: "file"))
  var setUp: [String] = []

  @Flag(
    help: ArgumentHelp(
      "With --set-up: examine the rig, take a picture, and tell both beside the file.",
      discussion: "Once for each file that was applied, when the service runs with it."))
  var firstPicture = false

  @Option(help: "With --doctor: the only part to examine.")
  var part: String?

  @Flag(help: "With --doctor: print JSON.")
  var json = false

  @Flag(
    help: ArgumentHelp(
      "Print the manual page platend(8), and exit; for packages.", visibility: .hidden))
  var manual = false

  func validate() throws {
    if let part, DoctorPart(rawValue: part) == nil {
      throw ValidationError("--part must be a part of the rig, not \"\(part)\".")
    }
    if let look, LocalLook.Matter(rawValue: look) == nil {
      throw ValidationError("--look must be audit, network or time, not \"\(look)\".")
    }
    if firstPicture, setUp.isEmpty { throw ValidationError("--first-picture needs --set-up.") }
    if !doctor, part != nil || json { throw ValidationError("--part and --json need --doctor.") }
  }

  func run() async throws {
    if manual { return try printManual() }
    if doctor { return try await examine() }
    if configure { return try await changeConfiguration() }
    if let export { return try copyPictures(to: export) }
    if let matter = look.flatMap({ LocalLook.Matter(rawValue: $0) }) {
      return try await answer { try await LocalLook(configurationPath: config).look(at: matter) }
    }
    if !setUp.isEmpty { return try await firstPicture ? takeFirstPicture() : applySetup() }
    let service = ServiceStart(config: config)
    let (configuration, refusal) = try service.usableConfiguration(isCheck: checkConfig)
    if checkConfig {
      // The accounts may exist on another machine, so their absence is a warning here.
      for problem in configuration.api.access().problems { ServiceStart.complain(problem) }
      for moved in configuration.movedKeys { ServiceStart.complain("\(moved.warning)") }
      print("\(config): in order")
      return
    }
    if indicatorsOff {
      await PlatenService.turnIndicatorsOff(
        ConfigurationTrial(of: config).replacement(of: configuration) ?? configuration)
      return
    }
    try await service.run(configuration, refusal)
  }

  /// Prints the doctor's findings; exits with 1 when there is a fault.
  private func examine() async throws {
    let parts = part.flatMap { DoctorPart(rawValue: $0) }.map { [$0] } ?? DoctorPart.allCases
    let report = await OfflineDoctor(configurationPath: config).examine(parts)
    let text =
      json
      ? String(decoding: try APICoding.encode(report), as: UTF8.self)
      : report.rendered().joined(separator: "\n")
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
    if report.count(.fault) > 0 { throw ExitCode(1) }
  }

  /// Performs the request of the standard input; prints the answer or the error in JSON.
  private func changeConfiguration() async throws {
    let input = FileHandle.standardInput.readDataToEndOfFile()
    try await answer {
      let request = try APICoding.decode(LocalConfigurationRequest.self, from: input)
      return try await LocalConfiguration(path: config).perform(request)
    }
  }

  /// Copies pictures, and prints in JSON the result of each, then the summary or the error.
  ///
  /// The exit status is 1 when a picture could not be copied, or could not be compared with an
  /// existing sidecar.
  private func copyPictures(to directory: String) throws {
    do {
      let summary = try LocalExport(configurationPath: config).copyAll(to: directory) { report in
        try printLine(report)
      }
      try printLine(summary)
      guard summary.problems == 0 else { throw ExitCode(1) }
    } catch let error as APIError {
      try printLine(ErrorEnvelope(error))
      throw ExitCode(1)
    }
  }

  private func printLine(_ value: some Encodable) throws {
    FileHandle.standardOutput.write(Data(try APICoding.encode(value) + [UInt8(ascii: "\n")]))
  }

  /// Prints an answer or the error in JSON; exits with 1 for an error.
  private func answer(_ ask: () async throws -> [UInt8]) async throws {
    var answer: [UInt8]
    var status = ExitCode.success
    do {
      answer = try await ask()
    } catch let error as APIError {
      answer = try APICoding.encode(ErrorEnvelope(error))
      status = ExitCode(1)
    }
    answer.append(UInt8(ascii: "\n"))
    FileHandle.standardOutput.write(Data(answer))
    if status != .success { throw status }
  }
}
