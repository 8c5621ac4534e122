import Devices
import Testing

extension Conformance {
  @Suite struct CameraConformanceTests {
    private static let small = StreamConfiguration(
      size: FrameSize(width: 640, height: 480), ringFrameCount: 4, leasedFrameCount: 2)

    @Test(arguments: ConformanceBoard.withCameras)
    func `cameras are listed in order`(board: ConformanceBoard) async throws {
      let cameras = try #require(await board.makeRig().cameras)
      let ids = try await cameras.cameras().map(\.id)
      #expect(!ids.isEmpty)
      #expect(ids == Set(ids).sorted())
      await cameras.shutDown()
    }

    @Test(arguments: ConformanceBoard.withCameras)
    func `a camera is open once at a time`(board: ConformanceBoard) async throws {
      let cameras = try #require(await board.makeRig().cameras)
      let id = try #require(await cameras.cameras().first?.id)
      for _ in 0..<2 {
        let camera = try await cameras.open(id)
        #expect(camera.identity.id == id)
        let error = await #expect(throws: DeviceError.self) { try await cameras.open(id) }
        #expect(error?.code == .busy)
        await camera.close()
      }
      await cameras.shutDown()
    }

    @Test(arguments: ConformanceBoard.withCameras)
    func `a camera that does not exist is absent`(board: ConformanceBoard) async throws {
      let cameras = try #require(await board.makeRig().cameras)
      let error = await #expect(throws: DeviceError.self) {
        try await cameras.open("no such camera")
      }
      #expect(error?.code == .absent)
      await cameras.shutDown()
    }

    @Test(arguments: ConformanceBoard.withCameras)
    func `a resolved configuration can be started and differences are reported`(
      board: ConformanceBoard
    )
      async throws
    {
      try await withCamera(of: board) { camera in
        let huge = StreamConfiguration(size: FrameSize(width: 20_000, height: 20_000))
        let resolved = try await camera.resolve(huge)
        #expect(resolved.format.size.width < 20_000)
        #expect(!resolved.adjustments.isEmpty)
        // A resolved format needs no further adjustment.
        let again = try await camera.resolve(
          StreamConfiguration(
            size: resolved.format.size, pixelFormats: [resolved.format.pixelFormat]))
        #expect(again.format == resolved.format)
        #expect(again.adjustments.isEmpty, "\(again.adjustments)")

        let stream = try await camera.start(Self.small)
        let promised = try await camera.resolve(Self.small)
        #expect(stream.configuration.format == promised.format)
        // The frame in progress has a buffer besides the ring.
        #expect(stream.configuration.bufferCount > Self.small.ringFrameCount)
      }
    }

    @Test(arguments: ConformanceBoard.withCameras)
    func `frames are numbered and stamped in order`(board: ConformanceBoard) async throws {
      try await withCamera(of: board) { camera in
        let clock = SystemMonotonicClock()
        let began = clock.now
        let stream = try await camera.start(Self.small)
        var last: FrameInfo?
        var count = 0
        for await frame in stream.events.frames {
          let age = frame.timestamp.duration(to: clock.now)
          #expect(age > .zero, "\(age) old")
          if let last {
            #expect(frame.id > last.id)
            #expect(frame.sequence > last.sequence)
            #expect(frame.timestamp > last.timestamp)
          }
          last = frame
          count += 1
          if count == 30 { break }
        }
        #expect(count == 30)
        // An instant of another clock is not within the stream's time.
        #expect(try #require(last).timestamp > began)
      }
    }

    @Test(arguments: ConformanceBoard.withCameras)
    func `a lease has the bytes of its format`(board: ConformanceBoard) async throws {
      try await withCamera(of: board) { camera in
        let stream = try await camera.start(Self.small)
        let lease = try await camera.firstLease(of: stream)
        #expect(lease.format == stream.configuration.format)
        if lease.format.pixelFormat != .mjpeg {
          #expect(lease.buffer.byteCount == lease.format.byteCount)
        }
        let (count, sum) = try lease.withBytes { bytes in
          (bytes.count, bytes.reduce(0) { $0 + Int($1) })
        }
        #expect(count == lease.buffer.byteCount)
        #expect(sum > 0)
        #expect(lease.buffer.fileDescriptor >= 0)
      }
    }

    @Test(arguments: ConformanceBoard.withCameras)
    func `the ring moves past old frames`(board: ConformanceBoard) async throws {
      try await withCamera(of: board) { camera in
        let stream = try await camera.start(Self.small)
        var ids: [UInt64] = []
        for await frame in stream.events.frames {
          ids.append(frame.id)
          guard ids.count > Self.small.ringFrameCount * 3 else { continue }
          // On a busy machine, the ring may have moved past a frame before its event is read.
          guard let lease = await camera.lease(frame.id) else { continue }
          #expect(lease.info.id == frame.id)
          #expect(await camera.lease(ids[0]) == nil)
          #expect(await camera.lease(frame.id + 1000) == nil)
          return
        }
        Issue.record("no frame could be leased")
      }
    }

    @Test(arguments: ConformanceBoard.withCameras)
    func `a camera without buffers reports that and goes on with the next one`(
      board: ConformanceBoard
    ) async throws {
      // The rate is low enough for the reader to keep up, even with all code instrumented.
      let slow = StreamConfiguration(
        size: FrameSize(width: 320, height: 240), frameRate: 10, ringFrameCount: 4,
        leasedFrameCount: 2)
      try await withCamera(of: board) { camera in
        let stream = try await camera.start(slow)
        var leases: [FrameLease] = []
        var isReplenished = false
        var starvedAt: UInt64?
        for await event in stream.events {
          switch event {
          case .frame(let frame) where starvedAt == nil:
            if let lease = await camera.lease(frame.id) { leases.append(lease) }
          case .frame(let frame):
            if isReplenished, frame.id > starvedAt ?? 0 { return }
          case .starved where starvedAt == nil:
            #expect(leases.count > slow.leasedFrameCount)
            starvedAt = leases.map(\.info.id).max()
            leases = []
          case .replenished: isReplenished = true
          default: break
          }
        }
        Issue.record("the stream ended; starved after \(starvedAt ?? 0)")
      }
    }

    @Test(arguments: ConformanceBoard.withCameras)
    func `a lease outlives its stream`(board: ConformanceBoard) async throws {
      try await withCamera(of: board) { camera in
        let lease = try await camera.firstLease(of: camera.start(Self.small))
        let before = try lease.withBytes { Array($0) }
        await camera.stop()
        #expect(try lease.withBytes { Array($0) } == before)
        _ = try await camera.firstLease(of: camera.start(Self.small))
        #expect(try lease.withBytes { Array($0) } == before)
      }
    }

    @Test(arguments: ConformanceBoard.withCameras)
    func `numbers go on after a start with another size`(board: ConformanceBoard) async throws {
      try await withCamera(of: board) { camera in
        let first = try await camera.start(Self.small)
        let old = try await camera.firstLease(of: first)
        let larger = StreamConfiguration(size: FrameSize(width: 1280, height: 720))
        let second = try await camera.start(larger)
        // The old events end, and the new frames have the new size.
        for await _ in first.events {}
        let new = try await camera.firstLease(of: second)
        #expect(new.info.id > old.info.id)
        #expect(new.format.size != old.format.size)
        #expect(new.buffer.byteCount == new.format.byteCount)
      }
    }

    @Test(arguments: ConformanceBoard.withCameras)
    func `a lower frame rate is kept or refused`(board: ConformanceBoard) async throws {
      try await withCamera(of: board) { camera in
        let stream = try await camera.start(Self.small)
        _ = try await camera.firstLease(of: stream)
        let applied: Duration
        do throws(DeviceError) {
          applied = try await camera.setFrameRate(5)
        } catch {
          #expect(error.code == .unsupported)
          return
        }
        #expect(abs(applied.inMilliseconds - 200) < 1)
        let changed = SystemMonotonicClock().now
        // A control takes a few frames to take effect. Those from before the change do not count.
        var times: [MonotonicInstant] = []
        for await frame in stream.events.frames where frame.timestamp > changed {
          times.append(frame.timestamp)
          guard times.count > 3 else { continue }
          let span = times[times.count - 3].duration(to: frame.timestamp)
          if span > .milliseconds(380) { break }
          #expect(times.count < 60, "still \(span) for two frames")
          if times.count >= 60 { break }
        }
        // An impossible rate becomes the nearest possible one, which is returned.
        for frameRate in [1000, 0.01] {
          let closest = try await camera.setFrameRate(frameRate)
          if let limits = await camera.capabilities.frameDurations {
            let wanted = Duration.seconds(1 / frameRate)
            let clamped = min(max(wanted, limits.lowerBound), limits.upperBound)
            #expect(abs((closest - clamped).inMilliseconds) < 1, "\(frameRate)")
          }
        }
        try await camera.setFrameRate(30)
      }
    }

    @Test(arguments: ConformanceBoard.withCameras)
    func `stopping ends the events and may be done twice`(board: ConformanceBoard) async throws {
      try await withCamera(of: board) { camera in
        for _ in 0..<3 {
          let stream = try await camera.start(Self.small)
          let lease = try await camera.firstLease(of: stream)
          await camera.stop()
          for await _ in stream.events {}
          #expect(await camera.lease(lease.info.id) == nil)
        }
        await camera.stop()
      }
    }

    @Test(arguments: ConformanceBoard.withCameras)
    func `a closed camera can be reopened and streams`(board: ConformanceBoard) async throws {
      let cameras = try #require(await board.makeRig().cameras)
      let id = try #require(await cameras.cameras().first?.id)
      for _ in 0..<3 {
        let camera = try await cameras.open(id)
        let stream = try await camera.start(Self.small)
        _ = try await camera.firstLease(of: stream)
        // Closing the camera while it streams ends the events too.
        await camera.close()
        for await _ in stream.events {}
      }
      await cameras.shutDown()
    }

    @Test(arguments: ConformanceBoard.withCameras)
    func `after a new start a camera can be opened and old leases can be read`(
      board: ConformanceBoard
    ) async throws {
      let cameras = try #require(await board.makeRig().cameras)
      let id = try #require(await cameras.cameras().first?.id)
      for _ in 0..<3 {
        let camera = try await cameras.open(id)
        let stream = try await camera.start(Self.small)
        let lease = try await camera.firstLease(of: stream)
        await camera.close()
        await cameras.restart()
        let count = try lease.withBytes { $0.count }
        #expect(count == lease.buffer.byteCount)
      }
      await cameras.shutDown()
    }

    /// Opens the first camera of a board, and closes it in any case.
    private func withCamera(
      of board: ConformanceBoard, _ body: (any Camera) async throws -> Void
    ) async throws {
      try await board.withCamera(body)
    }
  }
}

extension ConformanceBoard {
  /// Opens the first camera of a board, and closes it in any case.
  func withCamera(_ body: (any Camera) async throws -> Void) async throws {
    let cameras = try #require(await makeRig().cameras)
    let id = try #require(await cameras.cameras().first?.id)
    let camera = try await cameras.open(id)
    let result: Result<Void, any Error>
    do { result = .success(try await body(camera)) } catch { result = .failure(error) }
    await camera.close()
    await cameras.shutDown()
    try result.get()
  }
}

extension CameraEvents {
  /// The finished frames, without damaged ones and other events.
  var frames: AsyncCompactMapSequence<CameraEvents, FrameInfo> {
    compactMap { event in
      if case .frame(let frame) = event { frame } else { nil }
    }
  }
}

extension Camera {
  /// Leases the first frame of a stream that is still available.
  func firstLease(of stream: CameraStream) async throws -> FrameLease {
    for await frame in stream.events.frames {
      if let lease = await lease(frame.id) { return lease }
    }
    return try #require(nil as FrameLease?, "the stream ended without a frame")
  }
}
