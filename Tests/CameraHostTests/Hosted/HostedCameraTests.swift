import CameraHost
import Devices
import Foundation
import SimulatedDevices
import Testing
import TestSupport

/// Camera processes take long to start, so the tests run one after the other.
@Suite(.serialized, .timeLimit(.minutes(20))) enum HostedCameras {}

extension HostedCameras {
  /// A camera in another process as long as there is no fault.
  @Suite struct HostedCameraTests {
    @Test func `frames come and a frame is read without a copy`() async throws {
      let system = Fixture.system("simulated")
      let camera = try await system.openFirst()
      let stream = try await camera.start(Fixture.small)
      let frames = await stream.events.frames(5)
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.id < $1.id })
      let lease = try #require(await camera.leaseNext(of: stream))
      #expect(lease.info.id > frames.last?.id ?? .max)
      #expect(lease.format == stream.configuration.format)
      let sum = try lease.withBytes { bytes in bytes.reduce(0) { $0 + Int($1) } }
      #expect(sum > 0)
      // The memory is the camera process's own: the same file, seen from both sides.
      let here = try FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(lease.buffer.fileDescriptor)")
      #expect(here.contains("memfd:platen-frame"))
      await camera.close()
      await system.shutDown()
      #expect(system.processID == nil)
      #expect(system.lastEnd == nil)
      // The memory can be read after the process is gone.
      #expect(try lease.withBytes { bytes in bytes.reduce(0) { $0 + Int($1) } } == sum)
    }

    @Test func `a prepared process serves the first call`() async throws {
      let system = Fixture.system("simulated")
      await system.prepare()
      let process = try #require(system.processID)
      let cameras = try await system.cameras()
      #expect(!cameras.isEmpty)
      #expect(system.processID == process)
      #expect(system.startCount == 1)
      await system.shutDown()
    }

    @Test func `a process that cannot be prepared is the first call's error`() async throws {
      let system = HostedCameraSystem(
        launch: HostLaunch(path: "/nonexistent", arguments: []), logger: .silent)
      await system.prepare()
      #expect(system.processID == nil)
      await #expect(throws: DeviceError.self) { _ = try await system.cameras() }
    }

    @Test func `each buffer is sent and mapped once a stream`() async throws {
      let system = Fixture.system("simulated")
      let camera = try await system.openFirst()
      let stream = try await camera.start(Fixture.small)
      var descriptors: Set<Int32> = []
      var leases = 0
      for await event in stream.events {
        guard case .frame(let frame) = event, let lease = await camera.lease(frame.id) else {
          continue
        }
        descriptors.insert(lease.buffer.fileDescriptor)
        leases += 1
        if leases == 40 { break }
      }
      #expect(descriptors.count <= stream.configuration.bufferCount)
      #expect(try Holdings.now().mappings <= stream.configuration.bufferCount)
      await camera.close()
      await system.shutDown()
      // A buffer that is being mapped for a press to come is held until then.
      _ = try await Holdings.settled { $0.mappings == 0 }
    }

    @Test func `buffers are mapped with all pages before a picture needs them`() async throws {
      let system = Fixture.system("simulated")
      let camera = try await system.openFirst()
      let stream = try await camera.start(Fixture.slow)
      // While nothing is leased, the ring takes no other buffers than one more.
      let fewest = Fixture.small.ringFrameCount
      try await eventually {
        let frames = try MappedFrame.all()
        return frames.count >= fewest && frames.allSatisfy { $0.resident == $0.size }
      }
      #expect(try MappedFrame.all().count <= stream.configuration.bufferCount)
      await camera.close()
      await system.shutDown()
    }

    @Test func `a ring without a buffer to spare is mapped by its presses alone`() async throws {
      let system = Fixture.system("simulated")
      let camera = try await system.openFirst()
      var configuration = Fixture.small
      configuration.ringFrameCount = 3
      let stream = try await camera.start(configuration)
      _ = await stream.events.frames(3 * stream.configuration.bufferCount)
      #expect(try MappedFrame.all().isEmpty)
      await camera.close()
      await system.shutDown()
    }

    @Test func `a returned lease is free in the process`() async throws {
      let system = Fixture.system("simulated")
      let camera = try await system.openFirst()
      let stream = try await camera.start(Fixture.slow)
      var held: [FrameLease] = []
      var isReplenished = false
      for await event in stream.events {
        switch event {
        case .frame(let frame) where !isReplenished:
          if let lease = await camera.lease(frame.id) { held.append(lease) }
        case .starved: held = []
        case .replenished: isReplenished = true
        default: break
        }
        if isReplenished { break }
      }
      #expect(isReplenished)
      await camera.close()
      await system.shutDown()
    }

    @Test func `a released camera is closed`() async throws {
      let system = Fixture.system("simulated")
      let id = try #require(try await system.cameras().first).id
      do {
        let camera = try await system.open(id)
        _ = try await camera.start(Fixture.small)
        let error = await #expect(throws: DeviceError.self) { try await system.open(id) }
        #expect(error?.code == .busy)
      }
      // The closing is on its way: an attempt that comes too early is refused.
      var camera: (any Camera)?
      try await eventually {
        camera = try? await system.open(id)
        return camera != nil
      }
      await camera?.close()
      await system.shutDown()
    }

    @Test func `an error in the process is thrown here`() async throws {
      let system = Fixture.system("simulated")
      let camera = try await system.openFirst()
      let wanted = StreamConfiguration(
        size: FrameSize(width: 640, height: 480), pixelFormats: [.mjpeg])
      let error = await #expect(throws: DeviceError.self) { try await camera.start(wanted) }
      #expect(error?.code == .unsupported)
      #expect(error?.device == camera.identity.id)
      await camera.close()
      let closed = await #expect(throws: DeviceError.self) { try await camera.start(Fixture.small) }
      #expect(closed?.code == .absent)
      await system.shutDown()
    }

    @Test func `many callers share one process`() async throws {
      let system = Fixture.system("simulated")
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<20 { group.addTask { try await system.cameras().count } }
        for try await count in group { #expect(count == 1) }
      }
      #expect(system.startCount == 1)
      await system.shutDown()
    }

    @Test func `a dropped system ends its process`() async throws {
      var process: Int32 = 0
      do {
        let system = Fixture.system("simulated")
        _ = try await system.cameras()
        process = try #require(system.processID)
      }
      try await eventually { !exists(process) }
    }
  }
}
