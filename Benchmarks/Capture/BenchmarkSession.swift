import ArgumentParser
import Capture
import Devices
import Service
import SimulatedDevices
import Spool

/// A capture session on the simulated board with the real pipeline and a separate spool.
struct BenchmarkSession {
  let session: CaptureSession
  let samples: Samples
  let clock = SystemMonotonicClock()
  private let spool: Spool
  private let running: Task<Void, any Error>

  /// Starts the session and waits until it is ready.
  ///
  /// - Parameter measuresEncoding: whether the bare library encodes each frame once more.
  init(
    directory: String, size: FrameSize, frameRate: Double,
    models: [SimulatedCameraModel] = [SimulatedCameraModel()], measuresEncoding: Bool = true,
    change: (inout CaptureSessionConfiguration) -> Void = { _ in }
  ) async throws {
    let logger = BenchmarkSpool.logger
    let spool = try await BenchmarkSpool.open(directory)
    let pipeline = PhotoPipeline(
      rig: PhotoPipeline.Rig(
        id: "bench", make: "Platen", model: "Bench", software: "Platen", bootID: nil),
      spool: spool, logger: logger)
    let samples = Samples(clock: clock)
    var configuration = CaptureSessionConfiguration(
      camera: .first, stream: StreamConfiguration(size: size, frameRate: frameRate))
    change(&configuration)
    let session = CaptureSession(
      configuration: configuration,
      cameras: SimulatedCameraSystem(world: SimulatedWorld(cameraModels: models)),
      numbers: PressNumbers { try await spool.reservePressNumbers(count: $0) },
      clock: clock, logger: logger,
      receive: {
        measuresEncoding
          ? await samples.measure($0, through: pipeline, deliver: $1)
          : await pipeline.process($0, deliver: $1)
      })
    self.session = session
    self.samples = samples
    self.spool = spool
    running = Task { try await session.run() }
    try await untilReady()
  }

  /// Waits until a press would be accepted, for half a minute at most.
  func untilReady() async throws {
    let began = clock.now
    while session.readiness.state != .ready {
      guard began.duration(to: clock.now) < .seconds(30) else {
        throw ValidationError("the session is not ready within 30 s: \(session.readiness)")
      }
      try await clock.sleep(for: .milliseconds(1))
    }
  }

  /// Ends the session and closes its spool.
  func stop() async {
    running.cancel()
    _ = await running.result
    await spool.close()
  }
}
