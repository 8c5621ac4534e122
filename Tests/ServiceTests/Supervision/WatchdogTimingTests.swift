import CameraHost
import Devices
import Foundation
import TestSupport
import Testing

@testable import Service

/// The times in the unit file, the camera process's deadlines and the watchdog interact.
@Suite struct WatchdogTimingTests {
  private let deadlines = HostDeadlines()

  /// Returns a time of the unit file that is given in seconds.
  private func seconds(_ key: String) throws -> Duration {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../systemd/platend.service")
    let text = try String(contentsOf: file, encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(key)=") })
    return .seconds(try #require(Int(line.dropFirst(key.count + 1))))
  }

  private var timing: WatchdogTiming {
    get throws { WatchdogTiming(period: try seconds("WatchdogSec")) }
  }

  @Test func `feeding the watchdog may fail twice`() throws {
    let timing = try timing
    #expect(timing.feedInterval * 3 <= timing.period)
    #expect(WatchdogTiming(period: .seconds(3600)).feedInterval == .seconds(60))
  }

  /// A hanging call is handled by the ladder long before systemd would end the service.
  @Test func `the ladder is faster than the watchdog`() throws {
    let timing = try timing
    let oneCall = max(deadlines.change, deadlines.other)
    let worst = (deadlines.end + deadlines.begin + oneCall) * 2
    #expect(deadlines.longestCall >= worst + .seconds(1), "a busy machine is late")
    let end = timing.earliestEnd(ofCallLongerThan: deadlines.longestCall)
    #expect(end > worst)
    #expect(end >= oneCall * 3, "there is time for the rungs in between")
  }

  /// A service that really hangs is soon ended.
  @Test func `a hung service is ended`() throws {
    let timing = try timing
    #expect(timing.latestEnd(ofCallLongerThan: deadlines.longestCall) <= .seconds(120))
    #expect(timing.latestEnd(ofCallLongerThan: .seconds(15)) <= .seconds(40))
    #expect(timing.period <= .seconds(30), "of a session that does not answer")
  }

  /// A library in the service's process gets a longest call that covers its own stop.
  @Test func `a system without a process has a longest call of its own`() throws {
    let hosted = HostedCameraSystem(
      launch: HostLaunch(path: "/nonexistent", arguments: []), logger: RecordedLog().logger)
    #expect(hosted.longestCall == deadlines.longestCall)
    #expect((HangingCamera(in: .setFrameRate) as any CameraSystem).longestCall == .seconds(15))
  }

  @Test func `the service has time to end`() throws {
    #expect(PlatenService.maximumShutdown > deadlines.change)
    #expect(
      PlatenService.longestEnd == PlatenService.maximumShutdown + deadlines.longestShutDown)
    #expect(try seconds("TimeoutStopSec") > PlatenService.longestEnd)
    #expect(try seconds("TimeoutStartSec") > deadlines.begin)
  }
}
