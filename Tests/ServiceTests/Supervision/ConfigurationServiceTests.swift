import Foundation
import TestSupport
import Testing

@testable import RigConfiguration
@testable import Service

@Suite(.timeLimit(.minutes(10))) struct ConfigurationServiceTests {
  @Test func `after its probation the text is kept as the good one`() async throws {
    let place = TemporaryDirectory()
    defer { withExtendedLifetime(place) {} }
    let path = place.path + "/platen.yaml"
    let text = "rig: { id: rig-1 }\nboard: simulated\nspool: { directory: /var/lib/platen }\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let store = ConfigurationStore(path: path)
    let bench = ServiceBench()
    let service = ConfigurationService(
      store: store, source: ConfigurationSource(path: path, text: text), clock: bench.clock,
      logger: bench.log.logger)
    try await bench.whileRunning(service) {
      await bench.clock.untilSleepers(1)
      let early = await store.entries()
      #expect(early.isEmpty)
      bench.clock.advance(by: ConfigurationService.probation)
      try await eventually { await !store.entries().isEmpty }
    }
    let kept = await store.entries()
    #expect(kept.map(\.number) == [0])
  }
}
