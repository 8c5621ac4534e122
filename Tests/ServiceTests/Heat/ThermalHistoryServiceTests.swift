import Capture
import Devices
import Foundation
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct ThermalHistoryServiceTests {
  private let log = RecordedLog()

  private func file(_ directory: String) -> ThermalHistoryFile {
    ThermalHistoryFile(directory: directory, logger: log.logger)
  }

  /// Returns the service of a run, whose machine may know the time.
  private func service(
    _ bench: ServiceBench, _ directory: String, boot: String = "a", wall: Int64? = nil
  ) -> ThermalHistoryService {
    ThermalHistoryService(file: file(directory), monitor: bench.monitor, clock: bench.clock) {
      now in
      BootMoment(
        bootID: boot, monotonicNanoseconds: now.nanoseconds,
        wallNanoseconds: wall.map { now.nanoseconds + $0 })
    }
  }

  private func note(_ celsius: Double, on bench: ServiceBench) async {
    var heat = RigMonitor.Heat()
    heat.temperatures = [RigMonitor.Temperature(zone: "cpu", celsius: celsius)]
    await bench.monitor.note(heat: heat, readAt: bench.clock.now)
  }

  private func temperatures(_ bench: ServiceBench) async -> [Double?] {
    await bench.monitor.thermalHistory.samples.map { $0.celsius["cpu"] }
  }

  @Test func `the day goes on after a restart of the service`() async throws {
    try await withTemporaryDirectory { directory in
      let first = ServiceBench()
      try await first.whileRunning(service(first, directory)) {
        await first.clock.untilSleepers(1)
        await note(48, on: first)
      }
      let second = ServiceBench()
      second.clock.advance(by: .seconds(120))
      try await second.whileRunning(service(second, directory)) {
        await second.clock.untilSleepers(1)
        #expect(await temperatures(second) == [48])
        await note(49, on: second)
      }
      let kept = try #require(await file(directory).read())
      #expect(kept.zones == ["cpu"] && kept.rows.map(\.last) == [480, 490])
    }
  }

  @Test func `the file is written every ten minutes`() async throws {
    try await withTemporaryDirectory { directory in
      let bench = ServiceBench()
      try await bench.whileRunning(service(bench, directory)) {
        await bench.clock.untilSleepers(1)
        await note(48, on: bench)
        await bench.clock.run(for: .seconds(599))
        await bench.clock.untilSleepers(1)
        #expect(!FileManager.default.fileExists(atPath: directory + "/heat.json"))
        await bench.clock.run(for: .seconds(1))
        await bench.clock.untilSleepers(1)
        #expect(await file(directory).read()?.rows.count == 1)
      }
    }
  }

  @Test func `after a reboot the day waits for the clock`() async throws {
    try await withTemporaryDirectory { directory in
      let first = ServiceBench()
      try await first.whileRunning(service(first, directory, wall: 1_000_000_000_000_000_000)) {
        await first.clock.untilSleepers(1)
        await note(48, on: first)
      }
      let written = await file(directory).read()
      // This run ends before the clock is synchronized.
      let second = ServiceBench()
      try await second.whileRunning(service(second, directory, boot: "b")) {
        await second.clock.untilSleepers(1)
        await note(49, on: second)
        await second.clock.run(for: .seconds(1200))
        await second.clock.untilSleepers(1)
        #expect(await temperatures(second).first == 49)
      }
      #expect(await file(directory).read() == written)
      let third = ServiceBench()
      try await third.whileRunning(
        service(third, directory, boot: "c", wall: 1_000_003_600_000_000_000)
      ) {
        await third.clock.untilSleepers(1)
        #expect(await temperatures(third) == [48])
        let start = await third.monitor.thermalHistory.samples.first?.start
        #expect(start == MonotonicInstant(nanoseconds: 0), "an hour before the hour after boot")
      }
    }
  }

  @Test func `a clock that is never synchronized costs the earlier day alone`() async throws {
    try await withTemporaryDirectory { directory in
      let first = ServiceBench()
      try await first.whileRunning(service(first, directory, wall: 1_000_000_000_000_000_000)) {
        await first.clock.untilSleepers(1)
        await note(48, on: first)
      }
      let second = ServiceBench()
      try await second.whileRunning(service(second, directory, boot: "b")) {
        await second.clock.untilSleepers(1)
        await second.clock.run(for: ThermalHistoryService.clockTimeout)
        await second.clock.untilSleepers(1)
        await note(49, on: second)
      }
      #expect(await file(directory).read()?.rows.map(\.last) == [490])
    }
  }

  @Test(arguments: ["", "[]", "{}", "{\"written\":{\"monotonicNanoseconds\":1},\"zones\":7}"])
  func `a damaged file is put aside`(_ text: String) async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/heat.json"
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      #expect(await file(directory).read() == nil)
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".broken")) == Data(text.utf8))
      #expect(log.count("warning: the temperatures of the last day are put aside") == 1)
    }
  }

  @Test func `a disk that fails is named once`() async {
    let nowhere = file("/proc/none")
    #expect(await nowhere.read() == nil)
    let kept = ThermalHistory().kept(at: BootMoment(bootID: "a", monotonicNanoseconds: 0))
    for _ in 0..<3 { await nowhere.write(kept) }
    #expect(log.count("the temperatures of the last day cannot be kept") == 1)
  }
}
