import Devices
import Foundation
import Glibc
import Logging
import TestSupport
import Testing

@testable import LinuxDevices

private let hooks = "/sys/kernel/debug/vimc-rig"

extension LibcameraTests {
  /// The tests of a camera with faults on demand: vimc in the virtual rig.
  ///
  /// Its hooks are files in debugfs.
  @Suite(
    .enabled("needs the virtual rig's camera") { FileManager.default.fileExists(atPath: hooks) })
  struct RigCameraTests {
    private let clock = SystemMonotonicClock()

    private func set(_ hook: String, _ value: Int) throws {
      try String(value).write(
        toFile: "\(hooks)/\(hook)", atomically: false, encoding: .utf8)
    }

    private func withCamera(_ body: (any Camera) async throws -> Void) async throws {
      #expect(MainThread.blocksChildEnds)
      try set("fault", 0)
      let system = LibcameraSystem(verbosity: .errors, logger: Logger(label: "test"))
      let listed = try #require(try await system.cameras().first)
      let camera = try await system.open(listed.id)
      #expect(camera.identity == listed)
      do {
        try await body(camera)
      } catch {
        Issue.record(error)
      }
      try set("fault", 0)
      await camera.close()
      await system.shutDown()
      // Only a system that was shut down cleanly makes room for another one.
      let next = LibcameraSystem(verbosity: .errors, logger: Logger(label: "test"))
      #expect(try await next.cameras().map(\.id) == [listed.id])
      await next.shutDown()
    }

    private let small = StreamConfiguration(size: FrameSize(width: 640, height: 480))

    /// Reads events until there are `count` frames.
    private func frames(
      _ count: Int, of events: inout CameraEvents.Iterator
    ) async -> [FrameInfo] {
      var frames: [FrameInfo] = []
      while frames.count < count, let event = await events.next(isolation: #isolation) {
        if case .frame(let info) = event { frames.append(info) }
      }
      return frames
    }

    private func rate(_ frames: [FrameInfo]) -> Double {
      guard let first = frames.first, let last = frames.last, frames.count > 1 else { return 0 }
      let span = first.timestamp.duration(to: last.timestamp).inMilliseconds / 1000
      return Double(frames.count - 1) / span
    }

    @Test func `frames come and a lease holds its frame`() async throws {
      try await withCamera { camera in
        let resolved = try await camera.resolve(small)
        #expect(resolved.format.size == FrameSize(width: 636, height: 480))
        #expect(resolved.format.pixelFormat == .rgb)
        let began = clock.now
        let stream = try await camera.start(small)
        #expect(stream.configuration.format == resolved.format)
        #expect(stream.configuration.adjustments.count == 2)
        var events = stream.events.makeAsyncIterator()
        let first = await frames(10, of: &events)
        for (frame, next) in zip(first, first.dropFirst()) {
          #expect(frame.id < next.id)
          #expect(frame.timestamp < next.timestamp)
        }
        let newest = try #require(first.last).timestamp
        // An instant of another clock is not within the stream's time.
        #expect(newest > began && newest <= clock.now)

        let id = try #require(first.last?.id)
        let lease = try #require(await camera.lease(id))
        #expect(lease.info == first.last)
        let before = try lease.withBytes { Data($0) }
        #expect(before.count == lease.format.byteCount)
        _ = await frames(40, of: &events)
        #expect(try lease.withBytes { Data($0) } == before)
        #expect(await camera.lease(1) == nil)
        await camera.stop()
        var unread = 0
        while await events.next(isolation: #isolation) != nil { unread += 1 }
        #expect(unread <= 256)
        #expect(try lease.withBytes { Data($0) } == before)
      }
    }

    @Test func `a camera with all frames leased starves and recovers`() async throws {
      try await withCamera { camera in
        var events = try await camera.start(small).events.makeAsyncIterator()
        var leases: [FrameLease] = []
        reading: while let event = await events.next(isolation: #isolation) {
          switch event {
          case .frame(let info):
            if let lease = await camera.lease(info.id) { leases.append(lease) }
          case .starved: break reading
          default: Issue.record("unexpected \(event)")
          }
        }
        #expect(leases.count > small.leasedFrameCount)
        leases.removeAll()
        var isReplenished = false
        while let event = await events.next(isolation: #isolation) {
          if case .replenished = event { isReplenished = true }
          if case .frame = event, isReplenished { break }
        }
        #expect(isReplenished)
        #expect(await frames(20, of: &events).count == 20)
      }
    }

    @Test func `a leased frame can be leased again`() async throws {
      try await withCamera { camera in
        var events = try await camera.start(small).events.makeAsyncIterator()
        let id = try #require(await frames(5, of: &events).last?.id)
        do {
          let one = await camera.lease(id)
          let other = await camera.lease(id)
          #expect(one?.info == other?.info && one != nil)
        }
        #expect(await camera.lease(id)?.info.id == id)
      }
    }

    @Test func `damaged frames are reported and do not end the stream`() async throws {
      try await withCamera { camera in
        var events = try await camera.start(small).events.makeAsyncIterator()
        _ = await frames(3, of: &events)
        try set("fault", 2)
        var damaged = 0
        while damaged < 20, let event = await events.next(isolation: #isolation) {
          if case .damagedFrame = event { damaged += 1 }
        }
        #expect(damaged == 20)
        try set("fault", 0)
        #expect(await frames(20, of: &events).count == 20)
      }
    }

    @Test func `a stalled camera can be stopped and restarted`() async throws {
      try await withCamera { camera in
        var events = try await camera.start(small).events.makeAsyncIterator()
        _ = await frames(3, of: &events)
        try set("fault", 1)
        await camera.stop()
        try set("fault", 0)
        events = try await camera.start(small).events.makeAsyncIterator()
        #expect(await frames(10, of: &events).count == 10)
      }
    }

    @Test(arguments: [5.0, 12.5, 25])
    func `a camera without frame durations is paced`(frameRate: Double) async throws {
      try await withCamera { camera in
        var paced = small
        paced.frameRate = frameRate
        let stream = try await camera.start(paced)
        #expect(stream.configuration.frameDuration == .nanoseconds(Int64(1e9 / frameRate)))
        var events = stream.events.makeAsyncIterator()
        // A busy machine delays frames, so that it takes longer to an even row of them.
        try await eventually {
          let measured = rate(await frames(16, of: &events))
          return measured > frameRate * 0.8 && measured < frameRate * 1.1
        }
      }
    }

    @Test func `the frame rate drops while streaming`() async throws {
      try await withCamera { camera in
        var events = try await camera.start(small).events.makeAsyncIterator()
        try await eventually { rate(await frames(40, of: &events)) > 15 }
        #expect(try await camera.setFrameRate(5) == .milliseconds(200))
        try await eventually {
          let slow = rate(await frames(10, of: &events))
          return slow > 4 && slow < 5.6
        }
      }
    }

    @Test func `fifty streams leave no resources behind`() async throws {
      func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      }
      try await withCamera { camera in
        let sizes = [(640, 480), (1280, 720), (1920, 1080), (800, 600)]
        var leases: [FrameLease] = []
        var descriptors: [Int] = []
        for cycle in 0..<50 {
          let (width, height) = sizes[cycle % sizes.count]
          let wanted = StreamConfiguration(size: FrameSize(width: width, height: height))
          var events = try await camera.start(wanted).events.makeAsyncIterator()
          let frame = try #require(await frames(2, of: &events).last)
          if cycle % 3 == 0, let lease = await camera.lease(frame.id) { leases = [lease] }
          if cycle % 2 == 0 { await camera.stop() }
          let bytes = try leases.first?.withBytes { $0.count } ?? 0
          #expect(bytes > 0)
          if cycle % 12 == 1 { descriptors.append(try openDescriptors()) }
        }
        let first = try #require(descriptors.first)
        #expect(descriptors.allSatisfy { $0 <= first + 2 }, "\(descriptors)")
      }
    }

    /// The driver would map a heap's memory into the kernel for each frame.
    @Test func `frames are in the driver's own memory`() async throws {
      try await withCamera { camera in
        let stream = try await camera.start(small)
        #expect(stream.configuration.leasedFrameCount == small.leasedFrameCount)
        let list = try String(
          contentsOfFile: "/sys/kernel/debug/dma_buf/bufinfo", encoding: .utf8)
        let buffers = list.split(separator: "\n").filter { $0.contains("\tvideobuf2") }
        #expect(buffers.count >= stream.configuration.bufferCount)
      }
    }

    @Test func `an unavailable format is refused`() async throws {
      try await withCamera { camera in
        let wanted = StreamConfiguration(
          size: FrameSize(width: 640, height: 480), pixelFormats: [.nv12, .mjpeg])
        for _ in 0..<2 {
          let error = await #expect(throws: DeviceError.self) { try await camera.start(wanted) }
          #expect(error?.code == .unsupported)
          _ = try await camera.start(small)
        }
        let error = await #expect(throws: DeviceError.self) { try await camera.start(wanted) }
        #expect(error?.cause == "the camera has only BGR888 RGB888")
      }
    }
  }
}
