import CameraHost
import Devices
import Foundation
import Recorder
import RigConfiguration
import SimulatedDevices
import Spool
import Synchronization
import TestSupport
import Testing

@testable import API
@testable import Capture
@testable import Service

/// Recordings from the API's call to the spool's item.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RecordingTests {
  private let scratch = ScratchSpool()

  private func call<Answer: Codable & Sendable>(
    _ endpoint: Endpoint<NoInput, Answer>, _ model: RigModel
  ) async throws -> Answer {
    let handler = try #require(
      model.operations.all.first { $0.operation.id == endpoint.operation.id })
    return try #require(try await handler.run(EndpointRequest()).answer as? Answer)
  }

  @Test func `a recording with a pause becomes two items of its press, and no other begins`()
    async throws
  {
    try await RecordedRig.run(scratch) { rig in
      let started = try await call(Operations.startMovie, rig.model)
      #expect(started.state == "recording")
      let number = try #require(started.press)
      // The answer waits two seconds for the spool, and a busy machine takes longer.
      try await eventually { (try? await rig.model.press(number: number))??.outcome == .pending }
      let second = await #expect(throws: APIError.self) {
        try await call(Operations.startMovie, rig.model)
      }
      #expect(second?.code == .conflict)
      try await rig.untilWritten(15)
      #expect(try await call(Operations.pauseMovie, rig.model).press == number)
      try await eventually { await rig.session.movieStatus.state == .paused }
      let before = await rig.session.movieStatus.frameCount
      _ = try await call(Operations.resumeMovie, rig.model)
      try await rig.untilWritten(before + 15)
      let report = try await call(Operations.stopMovie, rig.model)
      #expect(report.outcome == "stored" && report.reason == "stopped" && report.press == number)
      #expect(report.gaps.map(\.reasons) == [["paused"]])
      let items = try await rig.items(ofPress: number)
      #expect(items.map(\.id.description) == report.items && items.count == 2)
      var frames = 0
      let delivered = rig.world.deliveredFrames().map(\.timestamp.nanoseconds)
      for item in items {
        let track = try await ProbedTrack.probe(item.path)
        #expect(track.codec_name == "h264" && track.width == 640 && track.height == 360)
        let metadata = item.metadata
        #expect(track.nb_read_frames == metadata.frameCount.map { "\($0)" })
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: item.path)))
        #expect(!movieBoxes(of: bytes).contains("moof"), "it is an ordinary movie")
        #expect(metadata.isRecording && metadata.pressNumber == number)
        #expect(metadata.pressSource == .api && metadata.pressMonotonicNanoseconds != nil)
        #expect(metadata.width == 640 && metadata.height == 360 && metadata.captureAngle == 0)
        let duration = try #require(metadata.durationNanoseconds)
        #expect(duration > 300_000_000)
        // The time is that of the first frame in the file, so no more frames lie in its duration.
        let begin = try #require(metadata.captured.monotonicNanoseconds)
        let wanted = try #require(metadata.frameCount) + (metadata.droppedFrames ?? 0)
        let passed = Int64(delivered.count { (begin..<begin + duration).contains($0) })
        // Frames that are dropped before the first one, or after the last one, lie outside of it.
        let count = try #require(metadata.frameCount)
        #expect(delivered.contains(begin), "\(begin)")
        #expect((count - 1...wanted + 1).contains(passed), "\(passed), \(count), \(wanted)")
        frames += Int(metadata.frameCount ?? 0)
      }
      #expect(frames == report.frames)
      var press: PressReport?
      try await eventually {
        press = (try? await rig.model.press(number: number)) ?? nil
        return press?.outcome == .stored
      }
      #expect(press?.source == "api")
      let movie = try await call(Operations.movie, rig.model)
      #expect(movie.state == "idle" && movie.last == report)
    }
  }

  /// Gives a recorder, each start of which leaves the number of its process.
  ///
  /// - Parameter command: the command that takes the place of the program; `nil` for none.
  private func withNumberedRecorder(
    _ command: String? = nil,
    _ body: (_ launch: HostLaunch, _ processes: @escaping @Sendable () -> [Int32]) async throws ->
      Void
  ) async throws {
    let program = try #require(RecorderLaunch.find())
    try await withTemporaryDirectory { directory in
      let numbers = directory + "/processes"
      let told = try ScriptedProgram("echo $$ >>\(numbers); exec \(command ?? program.path)")
      defer { withExtendedLifetime(told) {} }
      var launch = program
      launch.path = told.path
      try await body(launch) {
        let text = (try? String(contentsOfFile: numbers, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { Int32($0) }
      }
    }
  }

  @Test func `a killed recorder keeps what was safe, and the next part begins by itself`()
    async throws
  {
    try await withNumberedRecorder { launch, processes in
      try await RecordedRig.run(scratch, launch: launch) { rig in
        let number = try #require(try await call(Operations.startMovie, rig.model).press)
        // The mark of the first one has been sent when the second one is safe.
        try await eventually { try rig.safeFragmentCount() > 1 }
        kill(try #require(processes().first), SIGKILL)
        try await eventually { processes().count > 1 }
        let before = await rig.session.movieStatus.frameCount
        try await rig.untilWritten(before + 10)
        let report = try await call(Operations.stopMovie, rig.model)
        #expect(report.outcome == "stored" && report.items.count == 2)
        #expect(report.gaps.map(\.reasons) == [["writerFailed"]])
        #expect(try await call(Operations.movie, rig.model).recorderFailures == 1)
        let first = try #require(try await rig.items(ofPress: number).first)
        let track = try await ProbedTrack.probe(first.path)
        let kept = try #require(first.metadata.frameCount)
        #expect(kept >= 5 && Int64(track.nb_read_frames) ?? 0 >= kept)
      }
    }
  }

  /// Runs a rig whose encoder of the hardware fails, when it is opened or at the first frame.
  private func withFailingHardware(
    answers: Bool,
    _ body: (_ rig: RecordedRig, _ processes: @Sendable () -> [Int32]) async throws -> Void
  ) async throws {
    let program = try #require(RecorderLaunch.find())
    try await withTemporaryDirectory { directory in
      let script = directory + "/recorder.py"
      try RecorderScript.failingHardware(answers: answers)
        .write(toFile: script, atomically: true, encoding: .utf8)
      try await withNumberedRecorder("/usr/bin/python3 \(script) \(program.path)") {
        launch, processes in
        try await RecordedRig.run(scratch, launch: launch) { try await body($0, processes) }
      }
    }
  }

  /// Records some frames.
  private func record(_ rig: RecordedRig) async throws -> RecordingReport {
    _ = try await call(Operations.startMovie, rig.model)
    try await rig.untilWritten(10)
    return try await call(Operations.stopMovie, rig.model)
  }

  @Test func `an encoder of the hardware that fails at frames is replaced by software`()
    async throws
  {
    try await withFailingHardware(answers: true) { rig, processes in
      let report = try await record(rig)
      #expect(report.outcome == "stored" && report.items.count == 1)
      #expect(report.gaps.map(\.reasons) == [["writerFailed"]])
      #expect(processes().count == 2, "one part by hardware, and one by software")
      #expect(try rig.openRecordings().isEmpty, "nothing is left of the first part")
    }
  }

  @Test func `an encoder of the hardware that cannot be opened stops no recording`() async throws {
    try await withFailingHardware(answers: false) { rig, processes in
      for count in 2...3 {
        let report = try await record(rig)
        #expect(report.outcome == "stored" && report.items.count == 1 && report.gaps.isEmpty)
        #expect(processes().count == count, "the hardware is tried once")
      }
    }
  }

  @Test func `the end of the service waits for no copy, and the recording stays`() async throws {
    try await withTemporaryDirectory { directory in
      let script = directory + "/recorder.py"
      try RecorderScript.endlessCopy.write(toFile: script, atomically: true, encoding: .utf8)
      try await withNumberedRecorder("/usr/bin/python3 \(script)") { launch, _ in
        try await RecordedRig.run(scratch, launch: launch) { rig in
          _ = try await call(Operations.startMovie, rig.model)
          try await rig.untilWritten(5)
          async let report = call(Operations.stopMovie, rig.model)
          try await eventually { try rig.openRecordings().contains { $0.hasSuffix(".part") } }
          await rig.spool.close()
          #expect(try await report.items.isEmpty)
          #expect(try rig.openRecordings().contains { $0.hasSuffix(".mp4") })
        }
      }
      // The next start stores what was recorded.
      let spool = try await scratch.open()
      await spool.finishAdoption()
      #expect(try await spool.counts().stored == 1)
      await spool.close()
    }
  }

  @Test func `a microphone that is not there is told everywhere, and the pictures are recorded`()
    async throws
  {
    try await RecordedRig.run(scratch, changing: { $0.sound = "none-such" }) { rig in
      let events = rig.session.events.listen(limit: 4096)
      let number = try #require(try await call(Operations.startMovie, rig.model).press)
      try await rig.untilWritten(5)
      let sentence =
        "The microphone \"none-such\" gives no sound, and the movie is recorded without: "
        + "there is no such device."
      #expect(try await call(Operations.movie, rig.model).soundEnd == sentence)
      for await case .movie(.status(let status)) in events where status.soundEnd == sentence {
        break
      }
      let report = try await call(Operations.stopMovie, rig.model)
      #expect(report.outcome == "stored" && report.soundEnd == sentence)
      let item = try #require(try await rig.items(ofPress: number).first)
      #expect(item.metadata.soundEnd == sentence)
      #expect(try await ProbedTrack.probe(item.path).codec_name == "h264")
    }
  }

  @Test func `sound of a device of ALSA's is in the file, and its level in the status`()
    async throws
  {
    try await RecordedRig.run(scratch, changing: { $0.sound = "null" }) { rig in
      let number = try #require(try await call(Operations.startMovie, rig.model).press)
      try await eventually { await rig.session.movieStatus.soundLevel == -96 }
      let report = try await call(Operations.stopMovie, rig.model)
      #expect(report.outcome == "stored" && report.soundEnd == nil)
      let item = try #require(try await rig.items(ofPress: number).first)
      let tracks = try await Tool.run(
        "ffprobe",
        ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", item.path])
      #expect(
        String(decoding: tracks.outputData, as: UTF8.self).split(whereSeparator: \.isNewline)
          == ["h264", "aac"])
    }
  }

  @Test func `a part with safe frames that cannot be stored is not removed`() async throws {
    try await withNumberedRecorder { launch, processes in
      try await RecordedRig.run(scratch, launch: launch) { rig in
        _ = try await call(Operations.startMovie, rig.model)
        try await eventually { try rig.safeFragmentCount() > 1 }
        let path = try #require(try rig.openRecordings().first { $0.hasSuffix(".mp4") })
        // Without its beginning, the file has no whole fragment any more.
        try #require(truncate(path, 0) == 0)
        kill(try #require(processes().first), SIGKILL)
        try await eventually { processes().count > 1 }
        try await rig.untilWritten(10)
        let report = try await call(Operations.stopMovie, rig.model)
        #expect(report.outcome == "stored" && report.items.count == 1)
        #expect(try rig.openRecordings().contains(path))
      }
    }
  }

  @Test func `a gesture waits for no frame, and one while a recording ends is refused as a press`()
    async throws
  {
    // The recorder never answers, so the recording starts until its process ends.
    try await withNumberedRecorder("sleep 600") { launch, processes in
      try await RecordedRig.run(scratch, launch: launch) { rig in
        let movies = try #require(rig.model.movies)
        func push() async throws(MovieError) {
          try await movies.toggle(
            at: SystemMonotonicClock().now, gesture: .long, button: "shutter")
        }
        try await push()
        #expect(await rig.session.movieStatus.state == .starting)
        let first = try #require(await rig.session.movieStatus.press)
        try await eventually { !processes().isEmpty }
        try await push()
        #expect(await rig.session.movieStatus.state == .finishing)
        let error = await #expect(throws: MovieError.self) { try await push() }
        #expect(error?.code == .alreadyRecording)
        let second = try #require(await rig.session.latestMovie?.press)
        #expect(second > first)
        // After the first process, another one is asked to encode by software.
        try await eventually {
          for process in processes() { kill(process, SIGKILL) }
          return await rig.session.movieStatus.state == .idle
        }
        for (press, reason) in [(first, "writerFailed"), (second, "alreadyRecording")] {
          try await eventually { try await rig.spool.press(press)?.outcome != nil }
          #expect(try await rig.spool.press(press)?.outcome == .refused(reason))
        }
      }
    }
  }

  @Test func `without its program a recording is refused, and says what to install`()
    async throws
  {
    try await RecordedRig.run(scratch, launch: nil) { rig in
      let error = await #expect(throws: APIError.self) {
        try await call(Operations.startMovie, rig.model)
      }
      #expect(error?.code == .unsupported)
      #expect(
        error?.message
          == "The movie cannot begin: its program is missing; install the package "
          + "\"platen-recorder\".")
      let last = try #require(try await call(Operations.movie, rig.model).last)
      #expect(last.outcome == "refused" && last.reason == "recorderMissing")
      let number = try #require(last.press)
      try await eventually { try await rig.spool.press(number)?.outcome != nil }
      #expect(try await rig.spool.press(number)?.outcome == .refused("recorderMissing"))
    }
  }

  @Test func `a program that is installed later records without a restart`() async throws {
    let program = try #require(RecorderLaunch.find())
    let isInstalled = Mutex(false)
    try await RecordedRig.run(scratch, launch: isInstalled.withLock { $0 } ? program : nil) {
      rig in
      await #expect(throws: APIError.self) { try await call(Operations.startMovie, rig.model) }
      isInstalled.withLock { $0 = true }
      let started = try await call(Operations.startMovie, rig.model)
      #expect(started.state == "recording")
    }
  }

  @Test func `a limit ends a recording`() async throws {
    try await RecordedRig.run(scratch, changing: { $0.recording.limits.duration = .seconds(5) }) {
      rig in
      let number = try #require(try await call(Operations.startMovie, rig.model).press)
      try await eventually { await rig.session.movieStatus.state == .idle }
      let movie = try await call(Operations.movie, rig.model)
      #expect(movie.last?.reason == "duration" && movie.last?.press == number)
      let none = await #expect(throws: APIError.self) {
        try await call(Operations.stopMovie, rig.model)
      }
      #expect(none?.code == .conflict)
    }
  }

  @Test func `a disk without room for a recording refuses it`() async throws {
    try await RecordedRig.run(scratch, changing: { $0.recording.limits.freeByteCount = 1 << 50 }) {
      rig in
      let error = await #expect(throws: APIError.self) {
        try await call(Operations.startMovie, rig.model)
      }
      #expect(error?.code == .conflict)
      let last = try await call(Operations.movie, rig.model).last
      #expect(last?.reason == "storageFull")
    }
  }

  @Test func `a disk that gets full ends a recording, whose length stays known`() async throws {
    let room: Int64 = 8 << 20
    try await RecordedRig.run(
      scratch, changing: { $0.recording.limits.freeByteCount = room },
      spool: { ($0.maximumBytes, $0.roomBesideSources) = (room * 3 / 2, 0) }
    ) { rig in
      let events = rig.session.events.listen(
        where: { if case .movie = $0 { true } else { false } })
      _ = try await call(Operations.startMovie, rig.model)
      try await eventually { await rig.session.movieStatus.byteCount > 0 }
      // There is room for this picture, and none beside it for the recording.
      _ = try await rig.spool.store(
        NewItem(
          bytes: [UInt8](repeating: 1, count: 5 << 20),
          metadata: NewItem.sample(press: 900).metadata))
      for await case .movie(.status(let status)) in events where status.state == .finishing {
        #expect(status.byteCount > 0)
        break
      }
      try await eventually { await rig.session.movieStatus.state == .idle }
      #expect(try await call(Operations.movie, rig.model).last?.reason == "freeSpace")
    }
  }

  @Test func `a rig without recordings says so`() async throws {
    try await RecordedRig.run(scratch) { rig in
      var model = rig.model
      model.movies = nil
      let error = await #expect(throws: APIError.self) {
        try await call(Operations.movie, model)
      }
      #expect(error?.code == .unsupported)
      #expect(await model.status().movie == nil)
      #expect(await rig.model.status().movie?.state == "idle")
    }
  }
}
