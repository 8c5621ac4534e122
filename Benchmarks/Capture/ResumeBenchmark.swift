import ArgumentParser
import Capture
import Devices
import SimulatedDevices
import Synchronization

/// The benchmark of the time until a fault is shown, and from its end until presses are accepted.
struct ResumeBenchmark {
  private enum Fault: String, CaseIterable {
    case cancelBurst = "cancel burst"
    case disconnect = "unplugged for a second"
    case busy = "another process has it for a second"
    case permissionDenied = "no permission for a second"
    case noMemory = "no memory for a second"
    case stall = "stalled for 5 s, old frames after it"
    case errorFrames = "damaged frames for 5 s"
  }

  let rounds: Int

  func run() async throws {
    print(
      "\nTime to resume, in real time, each in a new session of 640x360 at 30 frames a second, "
        + "\(rounds) rounds; all kinds at the same time")
    print(
      "| fault | shown after, median ms | its end → ready, median ms | worst "
        + "| worst as a multiple of a start |")
    print("|---|---|---|---|---|")
    let rounds = rounds
    let rows = try await withThrowingTaskGroup(
      of: (Fault, [(start: Double, shown: Double, resumed: Double)]).self
    ) { group in
      for fault in Fault.allCases {
        group.addTask {
          var samples: [(start: Double, shown: Double, resumed: Double)] = []
          for _ in 0..<rounds { samples.append(try await Self.measure(fault)) }
          return (fault, samples)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    let start = rows.values.joined().map(\.start).median
    for fault in Fault.allCases {
      let resumed = (rows[fault] ?? []).map(\.resumed)
      print(
        "| \(fault.rawValue) | \((rows[fault] ?? []).map(\.shown).median.twoDecimals) | "
          + "\(resumed.median.twoDecimals) | \(resumed.percentile(1).twoDecimals) | "
          + "\((resumed.percentile(1) / max(start, 0.001)).twoDecimals) |")
    }
    print("A start of a session takes \(start.twoDecimals) ms until it is ready (median).")
  }

  private static func measure(
    _ fault: Fault
  ) async throws -> (start: Double, shown: Double, resumed: Double) {
    let clock = SystemMonotonicClock()
    let world = SimulatedWorld(clock: clock)
    let counter = Mutex<Int64>(1)
    let session = CaptureSession(
      configuration: CaptureSessionConfiguration(
        camera: .first,
        stream: StreamConfiguration(size: FrameSize(width: 640, height: 360), frameRate: 30)),
      cameras: SimulatedCameraSystem(world: world),
      numbers: PressNumbers { count in
        counter.withLock { next in
          defer { next += Int64(count) }
          return next..<(next + Int64(count))
        }
      },
      clock: clock, logger: BenchmarkSpool.logger, receive: { _, _ in .refused(.encodingFailed) })
    let started = clock.now
    let running = Task { try await session.run() }
    defer { running.cancel() }
    try await until(session, clock) { $0 == .ready }
    let ready = clock.now
    // The pause puts each fault at another place between two frames.
    try await clock.sleep(for: .milliseconds(Int.random(in: 300...400)))

    let began = clock.now
    make(fault, in: world)
    try await until(session, clock) { $0 != .ready }
    let shown = clock.now
    try await clock.sleep(until: began.advanced(by: lasts(fault)))
    for fault in CameraFault.allCases { world.clear(fault) }
    let ended = clock.now
    try await until(session, clock) { $0 == .ready }
    let resumed = clock.now
    running.cancel()
    _ = await running.result
    return (
      started.duration(to: ready).inMilliseconds, began.duration(to: shown).inMilliseconds,
      ended.duration(to: resumed).inMilliseconds
    )
  }

  private static func lasts(_ fault: Fault) -> Duration {
    switch fault {
    case .cancelBurst: .zero
    case .stall, .errorFrames: .seconds(5)
    case .disconnect, .busy, .permissionDenied, .noMemory: .seconds(1)
    }
  }

  /// Begins a fault; if it shows only at an opening or a start, the fault also causes one.
  private static func make(_ fault: Fault, in world: SimulatedWorld) {
    switch fault {
    case .cancelBurst: world.cancelStreams()
    case .disconnect: world.inject(.absent)
    case .busy:
      world.inject(.busy)
      world.inject(.absent)
    case .permissionDenied:
      world.inject(.permissionDenied)
      world.inject(.absent)
    case .noMemory:
      world.inject(.outOfMemory)
      world.cancelStreams()
    case .stall: world.inject(.stalled)
    case .errorFrames: world.inject(.damaged)
    }
    guard fault == .busy || fault == .permissionDenied else { return }
    Task {
      // The camera is plugged in again at once; its fault lasts longer.
      try? await world.clock.sleep(for: .milliseconds(100))
      world.clear(.absent)
    }
  }

  private static func until(
    _ session: CaptureSession, _ clock: SystemMonotonicClock,
    _ isWanted: (CaptureReadiness) -> Bool
  ) async throws {
    let began = clock.now
    while !isWanted(session.readiness.state) {
      guard began.duration(to: clock.now) < .seconds(120) else {
        throw ValidationError("the session is \(session.readiness) for 2 minutes")
      }
      try await clock.sleep(for: .milliseconds(1))
    }
  }
}
