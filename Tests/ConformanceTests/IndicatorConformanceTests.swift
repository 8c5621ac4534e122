import Devices
import TestSupport
import Testing

extension Conformance {
  @Suite struct IndicatorConformanceTests {
    @Test(arguments: ConformanceBoard.all)
    func `a light can be lit and turned dark and is dark after its release`(board: ConformanceBoard)
      async throws
    {
      let rig = try await board.makeRig()
      for light in rig.lights {
        try await light.show(.on)
        try await expect(light, isLit: true, on: rig)
        try await light.show(.off)
        try await expect(light, isLit: false, on: rig)
        try await light.show(.on)
        await light.release()
        try await expect(light, isLit: false, on: rig)
        // A released light can be taken again.
        try await light.show(.on)
        try await expect(light, isLit: true, on: rig)
        await light.release()
      }
    }

    @Test(arguments: ConformanceBoard.all)
    func `blinking keeps its times`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      for light in rig.lights {
        try await light.show(.blink(on: .milliseconds(200), off: .milliseconds(100)))
        var (lit, dark): ([Double], [Double]) = ([], [])
        // On a loaded machine the eye misses some phases, so the median counts.
        for _ in 0..<20 where min(lit.count, dark.count) < 7 {
          let phases = try await phases(of: light, on: rig, for: .milliseconds(3000))
          lit += phases.filter(\.isLit).map(\.milliseconds)
          dark += phases.filter { !$0.isLit }.map(\.milliseconds)
        }
        for (wanted, times) in [(200.0, lit), (100.0, dark)] {
          try #require(times.count >= 7, "\(light.name) changed \(times.count) times in a minute")
          let median = times.sorted()[times.count / 2]
          #expect(abs(median - wanted) < 40, "\(light.name): \(median) ms instead of \(wanted)")
        }
        await light.release()
        try await expect(light, isLit: false, on: rig)
      }
    }

    @Test(arguments: ConformanceBoard.all)
    func `flashes can be counted`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      for light in rig.lights {
        try await light.show(.flashes(3))
        var counts: [Int] = []
        // On a loaded machine the eye may miss a flash, but it never sees one too many.
        for _ in 0..<12 where !counts.contains(3) {
          counts += try await flashCounts(of: light, on: rig)
        }
        #expect(counts.contains(3) && counts.allSatisfy { $0 <= 3 }, "\(light.name): \(counts)")
        await light.release()
      }
    }

    @Test(arguments: ConformanceBoard.all)
    func `a new pattern replaces the old`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      for light in rig.lights {
        try await light.show(.blink(on: .milliseconds(30), off: .milliseconds(30)))
        try await light.show(.flashes(2))
        try await light.show(.on)
        // The kernel may drive the line a moment after the call; a light that blinks on is never still.
        try await eventually {
          try await rig.hands.watch(light, for: .milliseconds(500)).map(\.isLit) == [true]
        }
        await light.release()
      }
    }

    @Test(arguments: ConformanceBoard.all)
    func `a pattern with a lifetime ends by itself unless it is refreshed`(
      board: ConformanceBoard
    ) async throws {
      let rig = try await board.makeRig()
      for light in rig.lights {
        let (clock, lifetime) = (SystemMonotonicClock(), Duration.seconds(5))
        var shown = clock.now
        // The machine may be held up until the pattern has ended.
        func expectLit() async throws {
          try await eventually {
            shown = clock.now
            try await light.show(.on, for: lifetime)
            return try await rig.hands.watch(light, for: .milliseconds(60)).last?.isLit == true
          }
        }
        try await expectLit()
        for _ in 0..<15 {
          let changes = try await rig.hands.watch(light, for: .milliseconds(400))
          // A machine that was held up may have come too late to refresh the pattern.
          let isLate = shown.duration(to: clock.now) >= lifetime
          #expect(isLate || changes.map(\.isLit) == [true], "\(light.name) flickers")
          shown = clock.now
          try await light.show(.on, for: lifetime)
        }
        try await expect(light, isLit: false, on: rig)
        try await expectLit()
        var blinks: [LightChange] = []
        // On a loaded machine the eye may miss the whole second.
        for _ in 0..<12 where blinks.count <= 4 || blinks.last?.isLit == true {
          try await light.show(
            .blink(on: .milliseconds(50), off: .milliseconds(50)), for: .seconds(1))
          blinks = try await rig.hands.watch(light, for: .milliseconds(2500))
        }
        #expect(blinks.count > 4 && blinks.last?.isLit == false, "\(light.name): \(blinks.count)")
        try await light.show(.on)
        let stays = try await rig.hands.watch(light, for: .milliseconds(2000))
        #expect(stays.last?.isLit == true, "\(light.name) has no lifetime any more")
        await light.release()
      }
    }

    @Test(arguments: ConformanceBoard.all)
    func `a light that does not exist is absent`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      let error = await #expect(throws: DeviceError.self) { try await rig.absentLight.show(.on) }
      #expect(error?.code == .absent)
      await rig.absentLight.release()
    }

    private func expect(
      _ light: any Indicator, isLit: Bool, on rig: ConformanceRig
    ) async throws {
      // The kernel may drive the line a moment after the call.
      try await eventually {
        try await rig.hands.watch(light, for: .milliseconds(60)).last?.isLit == isLit
      }
    }

    /// Returns the numbers of flashes of about 150 ms between long pauses.
    private func flashCounts(
      of light: any Indicator, on rig: ConformanceRig
    ) async throws -> [Int] {
      let changes = try await rig.hands.watch(light, for: .milliseconds(5500)).dropFirst()
      let phases = wholePhases(between: Array(changes))
      let pauses = phases.indices.filter { !phases[$0].isLit && phases[$0].milliseconds > 1000 }
      return zip(pauses, pauses.dropFirst()).compactMap { pause, next in
        // A pause that the eye has slept through makes one group of two.
        guard !phases[pause..<next].contains(where: { $0.isLit && $0.milliseconds > 210 }) else {
          return nil
        }
        return phases[pause..<next].count { $0.isLit && abs($0.milliseconds - 150) < 60 }
      }
    }

    /// A time between two changes.
    private struct Phase {
      var isLit: Bool
      var milliseconds: Double
      var isInTime: Bool
    }

    /// Returns the whole phases of a pattern, without those that a loaded machine stretched or cut.
    private func phases(
      of light: any Indicator, on rig: ConformanceRig, for duration: Duration
    ) async throws -> [Phase] {
      // The first change is the light's initial state; the phase before it is not whole.
      let changes = Array(try await rig.hands.watch(light, for: duration).dropFirst())
      return wholePhases(between: changes).filter(\.isInTime)
    }

    private func wholePhases(between changes: [LightChange]) -> [Phase] {
      zip(changes, changes.dropFirst()).map { change, next in
        Phase(
          isLit: change.isLit, milliseconds: change.time.duration(to: next.time).inMilliseconds,
          isInTime: change.isInTime && next.isInTime)
      }
    }
  }
}
