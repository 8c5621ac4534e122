import Devices
import SimulatedDevices
import TestSupport
import Testing

@testable import Capture

/// Recordings of a session on the simulated board.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SessionMovieTests {
  private func rig(
    cameraModels: [SimulatedCameraModel] = [SimulatedCameraModel()],
    _ change: (inout CaptureSessionConfiguration) -> Void = { _ in }
  ) async -> VirtualSession {
    let rig = VirtualSession(cameraModels: cameraModels) {
      $0.recordsMovies = true
      change(&$0)
    }
    await rig.wait()
    return rig
  }

  private func start(
    _ rig: VirtualSession, _ film: Film, _ settings: MovieSettings = MovieSettings()
  ) async throws -> Int {
    try await rig.session.startMovie(settings) { film.makeWriter() }
  }

  private func stored(_ rig: VirtualSession, _ number: Int) async throws -> StoredMovie {
    let session = rig.session
    let outcome = await rig.during { await session.outcome(ofMovie: number) }
    guard case .stored(let movie)? = outcome else {
      throw MovieError(.nothingRecorded, problem: "is not stored", cause: "\(outcome as Any)")
    }
    return movie
  }

  /// The frames of the film that should be in it and are not.
  private func missing(_ rig: VirtualSession, _ film: Film) async throws -> [UInt64] {
    let frames = await film.frames
    let (first, last) = (try #require(frames.first), try #require(frames.last))
    let filmed = Set(frames.map(\.id))
    return rig.world.deliveredFrames().map(\.id).filter {
      (first.id...last.id).contains($0) && !filmed.contains($0)
    }
  }

  // MARK: Photos beside it

  /// The smallest ring, with all other captures in flight, as in the test of small rings.
  @Test func `a press during a recording takes the nearest frame, and none from it`()
    async throws
  {
    let model = SimulatedCameraModel(pipelineLatency: 0, startUpFrames: 0)
    let rig = await rig(cameraModels: [model]) {
      $0.stream.ringFrameCount = 4
      $0.maximumCapturesInFlight = 3
    }
    let film = Film()
    await rig.pass(.seconds(1))
    let stream = try #require(await rig.session.currentStatus.stream)
    #expect(stream.bufferCount == 9 && stream.leasedFrameCount == 4, "one lease is the movie's")
    let interval = try #require(stream.frameDuration)
    let movie = try await start(rig, film)
    for phase in 0..<16 {
      await rig.harness.store.hold()
      var numbers: [Int64] = []
      for _ in 0..<2 {
        let time = rig.clock.now.advanced(by: .zero - FrameSelector.choiceTime)
        numbers.append(try await rig.session.press(at: time, source: .button))
      }
      let newest = try #require(rig.world.deliveredFrames().last)
      let known = newest.exposureMidpoint.advanced(by: interval * 6 + interval * phase / 16)
      await rig.pass(rig.clock.now.duration(to: known))
      let time = rig.clock.now.advanced(by: .zero - .milliseconds(114))
      numbers.append(try await rig.session.press(at: time, source: .button))
      await rig.harness.store.letGo()
      let session = rig.session
      for number in numbers {
        let record = try #require(await rig.during { await session.outcome(of: number) })
        let moment = record.press.time
        let best = try #require(
          rig.world.deliveredFrames().map {
            abs(moment.duration(to: $0.exposureMidpoint).inMilliseconds)
          }.min())
        let error = abs(try #require(record.selectionError).inMilliseconds)
        #expect(error <= best + 0.001, "phase \(phase): the frame is not the nearest")
      }
    }
    try await rig.session.stopMovie()
    let outcome = try await stored(rig, movie)
    #expect(outcome.droppedFrameCount == 0 && outcome.gaps == [])
    let expected = try #require(await film.parts.first?.expectedFrameRate)
    #expect(abs(expected * (interval / .seconds(1)) - 1) < 0.001)
    // Some five frames pass in each phase.
    let filmed = await film.frames.count
    #expect(outcome.frameCount == filmed && filmed > 64)
    #expect(try await missing(rig, film) == [])
    #expect(await film.faultCount == 0)
    await rig.stop()
  }

  @Test func `a slow writer holds one frame, and photos have theirs`() async throws {
    let rig = await rig()
    let film = Film()
    let movie = try await start(rig, film)
    await rig.pass(.seconds(1))
    await film.hold()
    await rig.pass(.seconds(2))
    #expect(await film.heldCount == MovieOutput.leasedFrameCount)
    let record = await rig.press()
    #expect(record?.frame != nil)
    #expect(await rig.session.currentStatus.isStarved == false)
    let dropped = await rig.session.movieStatus.droppedFrameCount
    #expect(dropped > 30, "two seconds are 60 frames, and half of the ring may wait")
    await film.letGo()
    await rig.pass(.seconds(1))
    try await rig.session.stopMovie()
    let outcome = try await stored(rig, movie)
    #expect(outcome.parts.count == 1 && outcome.gaps == [])
    #expect(try await missing(rig, film).count == outcome.droppedFrameCount)
    #expect(await film.faultCount == 0)
    await rig.stop()
  }

  @Test func `only a session with recordings asks for their lease`() async throws {
    let rig = VirtualSession()
    await rig.wait()
    let without = try #require(await rig.session.currentStatus.stream)
    let film = Film()
    let error = await #expect(throws: MovieError.self) { try await start(rig, film) }
    #expect(error?.code == .noFrames)
    await rig.stop()

    let other = await self.rig()
    let with = try #require(await other.session.currentStatus.stream)
    #expect(with.bufferCount == without.bufferCount + MovieOutput.leasedFrameCount)
    #expect(with.leasedFrameCount == without.leasedFrameCount)
    await other.stop()
  }

  // MARK: Parts

  @Test func `a stalled camera ends a part, and the next one begins by itself`() async throws {
    let rig = await rig()
    let film = Film()
    let movie = try await start(rig, film)
    await rig.pass(.seconds(1))
    rig.world.inject(.stalled)
    await rig.wait { $0.session.readiness.reasons.contains(.cameraStalled) }
    #expect(await rig.session.movieStatus.state == .interrupted(.cameraStalled))
    rig.world.clear(.stalled)
    await rig.wait()
    await rig.pass(.seconds(1))
    #expect(await rig.session.movieStatus.state == .recording)
    try await rig.session.stopMovie()
    let outcome = try await stored(rig, movie)
    #expect(outcome.parts.count >= 2 && outcome.gaps.count == outcome.parts.count - 1)
    #expect(outcome.gaps.first?.reasons.contains(.interrupted(.cameraStalled)) == true)
    #expect(await film.faultCount == 0)
    await rig.stop()
  }

  @Test func `a part that takes long to be stored delays no other`() async throws {
    let rig = await rig()
    let film = Film()
    let movie = try await start(rig, film)
    await rig.pass(.seconds(1))
    await film.holdParts()
    try await rig.session.pauseMovie()
    try await rig.session.resumeMovie()
    await rig.pass(.seconds(1))
    #expect(await rig.session.movieStatus.state == .recording)
    #expect(await film.parts.count == 2)
    try await rig.session.stopMovie()
    await rig.pass(.seconds(1))
    #expect(await rig.session.movieStatus.state == .finishing)
    await film.letPartsGo()
    let outcome = try await stored(rig, movie)
    #expect(outcome.parts.count == 2 && outcome.gaps.map(\.reasons) == [[.paused]])
    #expect(await film.faultCount == 0)
    await rig.stop()
  }

  @Test func `another size ends a part, and the next one has it`() async throws {
    let rig = await rig()
    let film = Film()
    let movie = try await start(rig, film)
    await rig.pass(.seconds(1))
    let session = rig.session
    let size = FrameSize(width: 480, height: 270)
    let resolved = await rig.during { try? await session.configure { $0.preset = .custom(size) } }
    #expect(resolved != nil)
    await rig.pass(.seconds(1))
    try await session.stopMovie()
    let outcome = try await stored(rig, movie)
    let parts = await film.parts
    #expect(parts.map(\.format.size) == [FrameSize(width: 320, height: 180), size])
    #expect(outcome.gaps.map(\.reasons) == [[.streamEnded]])
    await rig.stop()
  }

  @Test func `the rotation is that of the start, without the mirror of a front camera`()
    async throws
  {
    let rig = await rig(cameraModels: [SimulatedCameraModel(position: .front)]) {
      $0.mountingAngle = 180
    }
    #expect(try await rig.session.previewFrame().isMirrored)
    func turn(_ acceleration: Acceleration) async {
      for _ in 0..<2 {
        await rig.session.update(
          AccelerometerSample(acceleration: acceleration, time: rig.clock.now))
      }
    }
    await turn(Acceleration(x: -9.8, y: 0, z: 0))
    let film = Film()
    let movie = try await start(rig, film)
    await rig.pass(.milliseconds(500))
    await turn(Acceleration(x: 0, y: 9.8, z: 0))
    try await rig.session.pauseMovie()
    try await rig.session.resumeMovie()
    await rig.pass(.milliseconds(500))
    try await rig.session.stopMovie()
    let outcome = try await stored(rig, movie)
    #expect(outcome.parts.count == 2)
    #expect(await film.parts.map(\.captureAngle) == [270, 270])
    #expect(await rig.session.captureAngle == 180, "photos follow the rig")
    await rig.stop()
  }

  // MARK: Ends and events

  @Test func `the state critical ends a recording, keeps it, and refuses another one`()
    async throws
  {
    let rig = await rig()
    let film = Film()
    let movie = try await start(rig, film)
    await rig.pass(.seconds(1))
    let session = rig.session
    let critical = ThermalPolicy().constraints(in: .critical).capture
    await rig.during { await session.apply(critical) }
    let outcome = try await stored(rig, movie)
    #expect(outcome.end == .tooHot && outcome.frameCount > 20 && outcome.gaps == [])
    let error = await #expect(throws: MovieError.self) { try await start(rig, film) }
    #expect(error?.code == .tooHot)
    await rig.during { await session.apply(.none) }
    await rig.wait()
    let second = try await start(rig, film)
    #expect(second == movie + 2, "the refused one has a number, too")
    await rig.stop()
  }

  @Test func `the end of a session closes the recording before the events end`() async throws {
    let rig = await rig()
    let film = Film()
    let events = rig.session.events.listen(limit: 4096)
    let movie = try await start(rig, film)
    await rig.pass(.seconds(1))
    await rig.stop()
    var finished: [MovieRecord] = []
    var states: [MovieStatus.State] = []
    for await case .movie(let event) in events {
      switch event {
      case .finished(let record): finished.append(record)
      case .status(let status): states.append(status.state)
      }
    }
    #expect(finished.map(\.number) == [movie])
    guard case .stored(let stored)? = finished.first?.outcome else {
      Issue.record("the recording is not stored")
      return
    }
    #expect(stored.end == .sessionEnded && stored.gaps == [])
    #expect(states == [.starting, .recording, .finishing, .idle])
  }

  @Test func `dropped frames are told while the recording goes on, once a second`() async throws {
    let rig = await rig()
    let film = Film()
    let events = rig.session.events.listen(limit: 4096)
    let movie = try await start(rig, film)
    await rig.pass(.seconds(1))
    await film.hold()
    await rig.pass(.seconds(5))
    await film.letGo()
    try await rig.session.stopMovie()
    let outcome = try await stored(rig, movie)
    await rig.stop()
    var told: [Int] = []
    for await case .movie(let event) in events {
      guard case .status(let status) = event, status.state == .recording else { continue }
      told.append(status.droppedFrameCount)
    }
    #expect(outcome.droppedFrameCount > 100, "five seconds are 150 frames")
    #expect(told.first == 0 && told == told.sorted() && Set(told).count == told.count)
    #expect((4...7).contains(told.count), "\(told)")
  }

  @Test func `requests without a recording, and a second recording, are refused`() async throws {
    let rig = await rig()
    let film = Film()
    let session = rig.session
    let none = await #expect(throws: MovieError.self) { try await session.pauseMovie() }
    #expect(none?.code == .notRecording)
    let movie = try await start(rig, film)
    let second = await #expect(throws: MovieError.self) { try await start(rig, film) }
    #expect(second?.code == .alreadyRecording)
    guard case .refused(let refusal)? = await session.outcome(ofMovie: movie + 1) else {
      Issue.record("the second recording is not refused")
      return
    }
    #expect(refusal == second)
    #expect(await session.outcome(ofMovie: movie + 2) == nil)
    await rig.pass(.milliseconds(500))
    try await session.stopMovie()
    _ = try await stored(rig, movie)
    await rig.stop()
  }

  @Test func `an interrupted session starts no recording, and says why`() async throws {
    let rig = await rig()
    let film = Film()
    await rig.session.stop()
    let error = await #expect(throws: MovieError.self) { try await start(rig, film) }
    #expect(error?.code == MovieError.Code(.stoppedByTechnician))
    #expect(error?.description == "the movie cannot begin: a technician has stopped captures")
    await rig.session.resume()
    await rig.wait()
    let movie = try await start(rig, film)
    await rig.pass(.milliseconds(500))
    try await rig.session.stopMovie()
    #expect(try await stored(rig, movie).gaps == [])
    await rig.stop()
  }

  @Test func `the number of its press goes with a recording, also when it is refused`()
    async throws
  {
    let rig = await rig()
    let film = Film()
    let events = rig.session.events.listen(limit: 4096)
    var settings = MovieSettings()
    settings.press = 42
    let movie = try await start(rig, film, settings)
    await rig.pass(.milliseconds(500))
    #expect(await rig.session.movieStatus.press == 42)
    settings.press = 43
    await #expect(throws: MovieError.self) { try await start(rig, film, settings) }
    try await rig.session.stopMovie()
    _ = try await stored(rig, movie)
    #expect(await film.parts.map(\.press) == [42])
    await rig.stop()
    var finished: [Int64?] = []
    for await case .movie(.finished(let record)) in events { finished.append(record.press) }
    #expect(finished == [43, 42])
  }

  @Test func `a test of a button interrupts no recording`() async throws {
    let rig = await rig()
    let film = Film()
    let movie = try await start(rig, film)
    await rig.pass(.milliseconds(500))
    await rig.session.beginInterruption(.buttonTest)
    await rig.pass(.milliseconds(500))
    #expect(await rig.session.movieStatus.state == .recording)
    await rig.session.endInterruption(.buttonTest)
    try await rig.session.stopMovie()
    #expect(try await stored(rig, movie).parts.count == 1)
    await rig.stop()
  }
}
