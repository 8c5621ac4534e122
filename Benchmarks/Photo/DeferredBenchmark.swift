import Capture
import Devices
import RigConfiguration
import Service
import SimulatedDevices
import Spool

/// The benchmark from a press to stable storage: an average at once, and a proxy with its source.
struct DeferredBenchmark {
  let page: BenchmarkFrame
  let threadCount: Int
  let rounds: Int
  let directory: String

  private let clock = SystemMonotonicClock()

  /// The error that a press got no picture, or not the version that is measured.
  private struct NotStored: Error {}

  /// Alternates between the two ways, so that both see the same disk, and prints their times.
  func run() async throws {
    let spool = try await BenchmarkSpool.open(directory)
    let form = try await takeForm()
    form.frame.end()
    let frames = (1...5).map { BenchmarkBuffer(NoisyFrame(page, seed: $0 + 31)) }
    var (averages, proxies): ([Double], [Double]) = ([], [])
    for round in 0...rounds {
      let average = try await seconds(spool, frames, form, isDeferred: false, number: 2 * round + 1)
      let proxy = try await seconds(spool, frames, form, isDeferred: true, number: 2 * round + 2)
      // The first round touches the memory.
      guard round > 0 else { continue }
      averages.append(average)
      proxies.append(proxy)
    }
    await spool.close()
    let ratio = proxies.median / averages.median
    print("")
    print("| press to stored, 5 frames | median s | multiple of the average at once | limit |")
    print("|---|---|---|---|")
    print("| average at once | \(averages.median.twoDecimals) | 1.00 | - |")
    print("| proxy with its source | \(proxies.median.twoDecimals) | \(ratio.twoDecimals) | 0.60 |")
  }

  private func seconds(
    _ spool: Spool, _ frames: [BenchmarkBuffer], _ form: CapturedPhoto, isDeferred: Bool,
    number: Int
  ) async throws -> Double {
    var image = ImageSection()
    image.isDeferred = isDeferred
    let pipeline = PhotoPipeline(
      rig: PhotoPipeline.Rig(
        id: "bench", make: "Platen", model: "Bench", software: "Platen", bootID: nil),
      image: image, coreCount: threadCount, spool: spool, logger: BenchmarkSpool.logger)
    let captured = photo(of: frames, number: number, form)
    let began = clock.now
    guard case .stored = await pipeline.process(captured) else { throw NotStored() }
    let passed = began.duration(to: clock.now).inMilliseconds / 1000
    let proxy = try await spool.nextProxy()
    guard (proxy != nil) == isDeferred else { throw NotStored() }
    if let proxy { try await spool.keepProxy(proxy.id, because: .storage) }
    return passed
  }

  /// Takes a photo on the simulated board, as the form of those that are measured.
  private func takeForm() async throws -> CapturedPhoto {
    let (photos, photo) = AsyncStream.makeStream(
      of: CapturedPhoto.self, bufferingPolicy: .bufferingNewest(1))
    let session = CaptureSession(
      configuration: CaptureSessionConfiguration(
        camera: .first,
        stream: StreamConfiguration(size: FrameSize(width: 640, height: 360), frameRate: 30)),
      cameras: SimulatedCameraSystem(world: SimulatedWorld(clock: clock)),
      numbers: PressNumbers { 1..<(1 + Int64($0)) }, clock: clock, logger: BenchmarkSpool.logger,
      receive: { taken, _ in
        photo.yield(taken)
        return .refused(.encodingFailed)
      })
    let running = Task { try await session.run() }
    defer { running.cancel() }
    while session.readiness.state != .ready { try await clock.sleep(for: .milliseconds(10)) }
    _ = try await session.press(at: clock.now, source: .api)
    for await taken in photos { return taken }
    throw NotStored()
  }

  private func photo(
    of frames: [BenchmarkBuffer], number: Int, _ form: CapturedPhoto
  ) -> CapturedPhoto {
    let leases = frames.enumerated().map { index, buffer in
      FrameLease(
        info: FrameInfo(
          id: UInt64(index + 1), sequence: UInt64(index + 1), timestamp: clock.now,
          exposureDuration: .milliseconds(10)),
        format: page.format, buffer: buffer)
    }
    var photo = form
    photo.press.number = Int64(number)
    photo.settings.prioritization = .quality
    photo.frame = leases[0]
    photo.neighbors = Array(leases.dropFirst())
    return photo
  }
}

/// A frame in memory that no camera wants back.
private final class BenchmarkBuffer: FrameBuffer {
  let fileDescriptor: Int32 = -1
  let offset = 0
  private let bytes: [UInt8]

  init(_ frame: NoisyFrame) { bytes = [UInt8](frame.bytes) }

  var byteCount: Int { bytes.count }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
    bytes.withUnsafeBytes { body($0) }
  }

  func giveBack() {}
}
