import ArgumentParser
import Devices
import Foundation
import RigConfiguration
import Service
import SimulatedDevices

/// The benchmark from the edge of the button's line to the light, through the whole service.
struct FeedbackBenchmark {
  /// The limit for the light's answer, in milliseconds.
  private static let limit = 50.0

  let presses: Int
  let size: FrameSize
  let frameRate: Double
  let directory: String

  func run() async throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let file = directory + "/platen.yaml"
    let text = """
      rig: { id: bench }
      board: simulated
      camera: { size: \(size), frame_rate: \(frameRate) }
      shutter: { line: SHUTTER }
      indicators: { ready: { led: ready } }
      spool: { directory: \(directory)/spool, minimum_free: 1 MiB }
      api: { socket: \(directory)/socket }
      """
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let configuration = try PlatenConfiguration.load(path: file)
    let clock = SystemMonotonicClock()
    let world = SimulatedWorld(clock: clock)
    let running = Task {
      try await PlatenService.run(configuration, world: world, logger: BenchmarkSpool.logger)
    }
    var times: [Double] = []
    for _ in 0..<presses {
      // The light is lit and steady when a press would be accepted.
      try await until("ready", clock) { isLit(world) }
      try await clock.sleep(for: .milliseconds(Int.random(in: 20...80)))
      let pressed = world.press(bounce: .typical)
      try await until("the answer to a press", clock) { answer(to: pressed, world) != nil }
      if let answered = answer(to: pressed, world) {
        times.append(pressed.duration(to: answered).inMilliseconds)
      }
      // The debouncer must have seen the release before the next press.
      try await clock.sleep(for: .milliseconds(150))
    }
    running.cancel()
    _ = await running.result
    print(
      "\nPress → light: from the edge to the ready light's change, the whole service, "
        + "\(times.count) presses; limit \(Int(Self.limit)) ms")
    print("| what | median ms | 95 of 100 | worst | worst as a multiple of the limit |")
    print("|---|---|---|---|---|")
    let worst = times.percentile(1) / Self.limit
    print("| press → light | \(times.distribution) | \(worst.twoDecimals) |")
  }

  private func isLit(_ world: SimulatedWorld) -> Bool {
    guard let state = world.indicatorStates[.ready] else { return false }
    return state.pattern == .on && !state.hasEnded(at: world.clock.now)
  }

  /// Returns the time at which the light's pattern first changed after the press.
  private func answer(to pressed: MonotonicInstant, _ world: SimulatedWorld) -> MonotonicInstant? {
    world.indicatorHistory(.ready).first { $0.since >= pressed && $0.pattern != .on }?.since
  }

  private func until(
    _ what: String, _ clock: SystemMonotonicClock, _ isReached: () -> Bool
  ) async throws {
    let began = clock.now
    while !isReached() {
      guard began.duration(to: clock.now) < .seconds(20) else {
        throw ValidationError("\(what) did not come within 20 s")
      }
      try await clock.sleep(for: .milliseconds(1))
    }
  }
}
