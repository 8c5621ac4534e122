import API
import Synchronization
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct NetworkReportsTests {
  /// A maker of numbered reports.
  private final class Maker: Sendable {
    private let count = Mutex(0)
    var made: Int { count.withLock { $0 } }

    func make() -> NetworkReport {
      let number = count.withLock { count in
        count += 1
        return count
      }
      return NetworkReport(
        interfaces: [], defaultRoutes: [], nameServers: [], targets: [],
        isClockSynchronized: true, problem: "\(number)")
    }
  }

  private let clock = ManualClock()
  private let maker = Maker()

  @Test func `many requests cost no more than one`() async {
    let reports = NetworkReports(clock: clock)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let asking = (0..<50).map { _ in
      Task { [maker] in
        await reports.report {
          for await _ in gate {}
          return maker.make()
        }
      }
    }
    open.finish()
    for one in asking { #expect(await one.value.problem == "1") }
    #expect(maker.made == 1)
  }

  @Test func `a young report is returned again`() async {
    let reports = NetworkReports(clock: clock)
    let ask = { [maker] in await reports.report { maker.make() }.problem }
    #expect(await ask() == "1")
    clock.advance(by: NetworkReports.keptFor - .milliseconds(1))
    #expect(await ask() == "1")
    clock.advance(by: .milliseconds(1))
    #expect(await ask() == "2")
    #expect(await ask() == "2")
    #expect(maker.made == 2)
  }

  /// A report's age counts from its end, so that a slow report is not old at once.
  @Test func `the age of a report counts from its end`() async {
    let reports = NetworkReports(clock: clock)
    _ = await reports.report { [clock, maker] in
      clock.advance(by: .seconds(6))
      return maker.make()
    }
    let again = await reports.report { [maker] in maker.make() }
    #expect(again.problem == "1" && maker.made == 1)
  }
}
