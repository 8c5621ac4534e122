import CameraHost
import Devices
import Foundation
import RecorderProgram
import TestSupport
import Testing

@testable import Recorder

@Suite struct RecorderProcessTests {
  /// The program, which is built beside the test bundle.
  private static let program: String = {
    let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: bundle ?? "/").deletingLastPathComponent()
      .appendingPathComponent("platen-recorder").path
  }()

  private var launch: HostLaunch {
    // Confined to its files, the process cannot find its functions' names for a sanitizer.
    HostLaunch(
      path: Self.program, arguments: [], environment: ["TSAN_OPTIONS": "report_bugs=0"])
  }

  private var patient: RecorderDeadlines {
    var deadlines = RecorderDeadlines()
    deadlines.opening = .seconds(120)
    deadlines.recording = .seconds(120)
    deadlines.closing = .seconds(120)
    deadlines.ending = .seconds(120)
    return deadlines
  }

  private func withFile(_ body: (Int32, String) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/movie.mp4"
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      try #require(file >= 0)
      defer { close(file) }
      try await body(file, path)
    }
  }

  /// Gives all frames to a recorder, at its own pace, until it fails.
  private func record(_ frames: PaintedFrames, by recorder: RecorderProcess) async throws {
    for index in frames.times.indices {
      let lease = frames.lease(index)
      try await eventually {
        if await recorder.failure != nil { return true }
        return await recorder.append(lease) == .written
      }
    }
  }

  @Test func `a recording goes through the process into the file`() async throws {
    try await withFile { file, path in
      let frames = PaintedFrames(purpose: 9)
      let recorder = try await RecorderProcess.start(
        launch, frames.part, file: file, deadlines: patient)
      try await record(frames, by: recorder)
      let part = try await recorder.close()
      #expect(part.frameCount == frames.times.count)
      let movie = try await ProbedMovie.probe(path)
      #expect(movie.times == frames.times, "seed \(TestSeed.value)")
      let counts = await recorder.counts
      #expect(counts.safe?.byteCount == part.byteCount)
      try await withFile { copy, copyPath in
        guard part.form == .fragmented else {
          // Its recorder has ended.
          await #expect(throws: RecorderFailure.self) { try await recorder.copy(into: copy) }
          return
        }
        let copied = try await recorder.copy(into: copy)
        #expect(copied.form == .ordinaryCopy)
        #expect(try await ProbedMovie.probe(copyPath).times == frames.times)
        await #expect(throws: RecorderFailure.self) { try await recorder.copy(into: copy) }
      }
      #expect(counts.encoder == "libx264 veryfast")
    }
  }

  @Test func `a written frame is no longer read, and one that cannot be used is told`()
    async throws
  {
    try await withFile { file, _ in
      let frames = PaintedFrames(seconds: 0.5, purpose: 14)
      let recorder = try await RecorderProcess.start(
        launch, frames.part, file: file, deadlines: patient)
      for index in frames.times.indices {
        #expect(await recorder.write(frames.lease(index)) == .written)
      }
      #expect(
        await recorder.write(frames.lease(0))
          == .dropped("A frame is not later than the one before, so it is left out."))
      #expect(await recorder.counts.dropped == 0, "each was ready for the next")
      kill(await recorder.processID, SIGKILL)
      try await eventually { await recorder.failure != nil }
      let failure = try #require(await recorder.failure)
      #expect(await recorder.write(frames.lease(0)) == .dropped(failure.description))
    }
  }

  @Test func `a recorder that is killed leaves what was safe`() async throws {
    try await withFile { file, path in
      let frames = PaintedFrames(purpose: 10)
      let recorder = try await RecorderProcess.start(
        launch, frames.part, file: file, deadlines: patient)
      try await record(frames, by: recorder)
      try await eventually { await recorder.counts.safe != nil }
      kill(await recorder.processID, SIGKILL)
      let failure = await #expect(throws: RecorderFailure.self) { try await recorder.close() }
      #expect(
        failure?.description
          == "The recorder is gone, and what was safe is kept: it was ended by SIGKILL.")
      let safe = try #require(await recorder.counts.safe)
      let count = frames.times.indices.filter { frames.instant($0) < safe.instant }.count
      #expect(PlayedMovie(path: path).times.count >= count)
      #expect(await recorder.append(frames.lease(0)) == .dropped(try #require(failure).description))
    }
  }

  @Test func `a recorder that hangs is killed`() async throws {
    try await withFile { file, _ in
      let frames = PaintedFrames(purpose: 11)
      let clock = ManualClock()
      let recorder = try await RecorderProcess.start(
        launch, frames.part, file: file, clock: clock)
      let process = await recorder.processID
      try #require(stopChild(process))
      #expect(await recorder.append(frames.lease(0)) == .written)
      await clock.untilSleepers(1)
      clock.advance(by: .seconds(20))
      try await eventually { await recorder.failure != nil }
      let failure = await #expect(throws: RecorderFailure.self) { try await recorder.close() }
      #expect(failure?.description.hasPrefix("The recorder did not answer within 20 s") == true)
      try await eventually { kill(process, 0) != 0 }
    }
  }

  @Test func `a killed recorder's process has ended when its part is closed`() async throws {
    try await withFile { file, _ in
      let recorder = try await RecorderProcess.start(
        launch, PaintedFrames(purpose: 15).part, file: file, deadlines: patient)
      let process = await recorder.processID
      await recorder.kill()
      await #expect(throws: RecorderFailure.self) { try await recorder.close() }
      #expect(kill(process, 0) != 0)
    }
  }

  @Test func `a recorder that never answers is killed`() async throws {
    let silent = try ScriptedProgram("exec sleep 600")
    try await withFile { file, _ in
      let clock = ManualClock()
      let starting = Task {
        try await RecorderProcess.start(
          HostLaunch(path: silent.path, arguments: []), PaintedFrames().part, file: file,
          clock: clock)
      }
      await clock.untilSleepers(1)
      clock.advance(by: .seconds(15))
      let failure = await #expect(throws: RecorderFailure.self) { try await starting.value }
      #expect(failure?.description.hasPrefix("The recorder did not answer within 15 s") == true)
    }
  }

  @Test func `a program that is missing or ends is told`() async throws {
    try await withFile { file, _ in
      for (program, ending) in [
        ("/nowhere/recorder", "nothing is recorded: No such file or directory."),
        ("/bin/false", "it ended by itself with status 1."),
      ] {
        let failure = await #expect(throws: RecorderFailure.self) {
          try await RecorderProcess.start(
            HostLaunch(path: program, arguments: []), PaintedFrames().part, file: file,
            deadlines: patient)
        }
        #expect(failure?.description.hasSuffix(ending) == true, "\(failure?.description ?? "")")
      }
    }
  }

  @Test func `the program says its version without a service`() async throws {
    let outcome = try await LocalProgram(Self.program, [RecorderLaunch.versionOption]).run()
    #expect(outcome.status == 0 && outcome.complaint == "")
    #expect(String(decoding: outcome.output, as: UTF8.self) == PlatenVersion.current + "\n")
  }

  @Test func `a file that has reached its limit ends the part`() async throws {
    // A file may have 16 blocks of 1024 bytes then.
    let limited = try ScriptedProgram("ulimit -f 16; exec \(Self.program)")
    try await withFile { file, path in
      let frames = PaintedFrames(seconds: 15, purpose: 12)
      let recorder = try await RecorderProcess.start(
        HostLaunch(
          path: limited.path, arguments: [], environment: ["TSAN_OPTIONS": "report_bugs=0"]),
        frames.part, file: file, deadlines: patient)
      try await record(frames, by: recorder)
      let failure = await #expect(throws: RecorderFailure.self) { try await recorder.close() }
      #expect(
        failure?.description
          == "A recording's file cannot be written, so the part ends: File too large.")
      let safe = try #require(await recorder.counts.safe)
      let count = frames.times.indices.filter { frames.instant($0) < safe.instant }.count
      #expect(PlayedMovie(path: path).times.count == count)
    }
  }

  @Test func `a full device is told`() async throws {
    let full = open("/dev/full", O_RDWR | O_CLOEXEC)
    try #require(full >= 0)
    defer { close(full) }
    let frames = PaintedFrames(purpose: 13)
    let recorder = try await RecorderProcess.start(
      launch, frames.part, file: full, deadlines: patient)
    try await record(frames, by: recorder)
    let failure = await #expect(throws: RecorderFailure.self) { try await recorder.close() }
    #expect(failure?.description.hasSuffix("No space left on device.") == true)
  }

  @Test func `a message that is none ends the part with a sentence`() async throws {
    let (socket, other) = try HostSocket.pair()
    Thread.detachNewThread { RecorderServer(socket: HostSocket(descriptor: other)).run() }
    var space = ReceiveSpace()
    guard case .packet(let first, _) = socket.receive(into: &space) else {
      Issue.record("no greeting")
      return
    }
    let greeting = try HostCodec.message(RecorderReply.self, in: first)
    #expect(greeting == .greeting(version: PlatenVersion.current))
    for packet: [UInt8] in [[1, 2, 3], try HostCodec.json(of: RecorderRequest.open(part))] {
      try socket.send(packet)
      guard case .packet(let answer, _) = socket.receive(into: &space),
        case .failed = try HostCodec.message(RecorderReply.self, in: answer)
      else {
        Issue.record("no sentence for \(packet.count) bytes")
        continue
      }
    }
    socket.shutDown()
  }

  private var part: RecorderPart { PaintedFrames().part }
}
