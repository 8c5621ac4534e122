import CameraHost
import Devices
import Foundation
import Recorder
import RigConfiguration
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Capture
@testable import Service

/// A rig on the simulated board that records with the program itself.
struct RecordedRig {
  let model: RigModel
  let session: CaptureSession
  let world: SimulatedWorld
  let spool: Spool

  /// Runs a rig; frames of 640 × 480 pixels become movies of 640 × 360.
  ///
  /// - Parameter launch: the program that records, found at each start.
  static func run(
    _ scratch: ScratchSpool,
    launch: @autoclosure @escaping @Sendable () -> HostLaunch? = RecorderLaunch.find(),
    changing change: (inout MovieSection) -> Void = { _ in },
    spool configure: (inout SpoolConfiguration) -> Void = { _ in },
    _ body: (RecordedRig) async throws -> Void
  ) async throws {
    let spool = try await scratch.open(configure)
    let clock = SystemMonotonicClock()
    let world = SimulatedWorld(clock: clock)
    var configuration = CaptureSessionConfiguration.patient(FrameSize(width: 640, height: 480))
    configuration.stream.ringFrameCount = 16
    configuration.recordsMovies = true
    let log = RecordedLog()
    let numbers = PressNumbers { try await spool.reservePressNumbers(count: $0) }
    let session = CaptureSession(
      configuration: configuration, cameras: SimulatedCameraSystem(world: world),
      numbers: numbers, clock: clock, logger: log.logger,
      receive: { _, _ in .refused(.encodingFailed) })
    let ledger = LedgerService(
      session: session, spool: spool, clock: clock, bootID: "b", logger: log.logger)
    var section = MovieSection()
    section.isEnabled = true
    section.recording.limits.freeByteCount = 1
    change(&section)
    var movies = MovieControl(
      session: session, section: section, rigID: "rig-1", spool: spool, numbers: numbers,
      enter: { ledger.note($0) }, bootID: "b", clock: clock, logger: log.logger)
    // Confined to its files, the process cannot find its functions' names for a sanitizer.
    movies.launch = {
      var program = launch()
      program?.environment["TSAN_OPTIONS"] = "report_bugs=0"
      return program
    }
    // A busy machine may take longer than a rig.
    movies.deadlines.opening = .seconds(120)
    movies.deadlines.recording = .seconds(120)
    movies.deadlines.closing = .seconds(120)
    movies.deadlines.ending = .seconds(120)
    var model = RigModel(
      rigID: "rig-1", board: .simulated, session: session, spool: spool,
      spoolConfiguration: scratch.configuration, targets: [],
      monitor: RigMonitor(hasAccelerometer: false), indicatorNames: [:], world: world,
      clock: clock, startedAt: clock.now)
    model.movies = movies
    let rig = RecordedRig(model: model, session: session, world: world, spool: spool)
    let entering = Task { try await ledger.run() }
    let running = Task { try await session.run() }
    do {
      try await eventually { session.readiness.state == .ready }
      try await body(rig)
    } catch {
      running.cancel()
      _ = await running.result
      entering.cancel()
      _ = await entering.result
      throw error
    }
    running.cancel()
    _ = await running.result
    entering.cancel()
    _ = await entering.result
    await spool.close()
  }

  /// Waits until the recording has so many frames in its open part and those before.
  func untilWritten(_ frames: Int) async throws {
    try await eventually { await session.movieStatus.frameCount >= frames }
  }

  /// The paths of the files and entries of open recordings.
  func openRecordings() throws -> [String] {
    let folder = model.spoolConfiguration.directory + "/recordings"
    return try FileManager.default.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
  }

  /// The number of fragments on stable storage in the files of open recordings.
  ///
  /// A fragment gets its name when it is safe.
  func safeFragmentCount() throws -> Int {
    try openRecordings().reduce(0) { count, path in
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      return count + Array(bytes).ranges(of: Array("moof".utf8)).count
    }
  }

  /// The recording of a press on stable storage, part for part.
  func items(ofPress number: Int64) async throws -> [ItemRecord] {
    let entry = try #require(try await spool.press(number))
    var items: [ItemRecord] = []
    for id in entry.items { items.append(try #require(try await spool.item(id))) }
    return items
  }
}

/// A movie's video track as ffprobe tells it.
struct ProbedTrack: Decodable {
  private struct Answer: Decodable { var streams: [ProbedTrack] }

  var codec_name: String
  var width: Int
  var height: Int
  var nb_read_frames: String

  /// Reads a file, whose frames are all decoded.
  static func probe(_ path: String) async throws -> ProbedTrack {
    let tool = try await Tool.run(
      "ffprobe",
      ["-v", "error", "-count_frames", "-show_streams", "-of", "json", path])
    #expect(tool.exitCode == 0 && tool.complaint.isEmpty, "\(tool.complaint)")
    let answer = try JSONDecoder().decode(Answer.self, from: tool.outputData)
    return try #require(answer.streams.first)
  }
}
