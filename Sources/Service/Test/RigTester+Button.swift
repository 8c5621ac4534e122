import API
import Capture
import Devices
import Doctor
import RigConfiguration

/// The test of a button.
///
/// During the test, presses are refused with the reason ``Devices/InterruptionReason/buttonTest``,
/// and the lights show it. Each press has its number and its outcome, as always, and none becomes a
/// picture. The button's other gestures have no effect.
extension RigTester {
  /// The interval of the test's ticks.
  private static let tick = Duration.milliseconds(20)

  func testButton(_ request: ButtonTestRequest) async throws(APIError) -> ButtonTestReport {
    guard let first = configuration.buttons.first else {
      throw APIError(.unsupported, "This rig has no button.")
    }
    let name = request.button ?? first.name
    guard let section = configuration.buttons.first(where: { $0.name == name }) else {
      throw APIError(.notFound, "This rig has no button \"\(name.prefix(40))\".")
    }
    return try await exclusively("the button \"\(name)\"") { () throws(APIError) in
      await session.beginInterruption(.buttonTest, cause: "a test of the button \"\(name)\"")
      let began = clock.now
      let events = buttons.beginTest(name, at: began)
      let line = buttons.line(of: name)
      var test = ButtonTest(
        wanted: request.presses ?? 1, debounce: section.button.debounce, actions: section.actions,
        at: began)
      if line.isWatched, !line.isDown {
        let end = began.advanced(by: .seconds(request.seconds ?? 20))
        test = await follow(events, test, until: end)
      }
      buttons.endTest(at: clock.now)
      await session.endInterruption(.buttonTest)
      guard !Task.isCancelled, !buttons.isFinished else { throw Self.ended }
      return await report(test, of: section, line, began: began)
    }
  }

  /// Passes events to the test until it is complete, its time is over, or it is canceled.
  private func follow(
    _ events: AsyncStream<ButtonTest.Event>, _ test: ButtonTest, until end: MonotonicInstant
  ) async -> ButtonTest {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while !Task.isCancelled {
          // The silence after an edge sends no event, and it ends gestures and the test.
          do { try await clock.sleep(for: Self.tick) } catch { return }
          buttons.tick()
        }
      }
      var test = test
      for await event in events {
        let now = clock.now
        test.take(event, at: now)
        if test.isOver || now >= end { break }
      }
      group.cancelAll()
      return test
    }
  }

  private func report(
    _ test: ButtonTest, of section: ButtonSection, _ line: ButtonObserver.Line,
    began: MonotonicInstant
  ) async -> ButtonTestReport {
    let seconds = began.duration(to: clock.now) / .seconds(1)
    let isStuck = await monitor.snapshot.faults.contains {
      $0.part == section.name && $0.reason == .buttonStuck
    }
    return ButtonTestReport(
      button: section.name, seconds: seconds, wantedPresses: test.wanted,
      wasDownAtStart: line.isDown && line.isWatched, edges: test.edges, edgeCount: test.edgeCount,
      lostEdges: test.lostEdges, presses: test.presses, gestures: test.gestures,
      problem: line.problem(isStuck: isStuck) ?? buttons.line(of: section.name).problem
        ?? test.problem(after: seconds))
  }
}

extension ButtonObserver.Line {
  /// The reason why the line cannot be watched; `nil` when it is watched.
  var problem: TestProblem? {
    guard !isWatched else { return nil }
    let code: DoctorCode =
      switch failure?.code {
      case .busy: .lineTaken
      case .permissionDenied: .deviceNotAuthorized
      default: .lineAbsent
      }
    return TestProblem(code, failure.map { "\($0)" } ?? "the button's line is not watched")
  }

  /// Returns the problem before the first press; `nil` when there is none.
  fileprivate func problem(isStuck: Bool) -> TestProblem? {
    if let problem { return problem }
    guard isDown else { return nil }
    return TestProblem(
      DoctorCode(isStuck ? .buttonStuck : .buttonHeldAtStart),
      "the button was down when the test began: it is stuck, or somebody holds it")
  }
}

extension ButtonTest {
  /// Returns the problem of the observations; `nil` when there is none.
  func problem(after seconds: Double) -> TestProblem? {
    if isChattering {
      return TestProblem(
        DoctorCode(.buttonChattering),
        "the contact chatters: \(edgeCount.counted("edge")) came")
    }
    if isHeld {
      return TestProblem(DoctorCode(.buttonStuck), "the button went down and did not come up")
    }
    let time = "\(Int(seconds.rounded())) s"
    guard edgeCount > 0 else {
      return TestProblem(.buttonSilent, "nothing was seen of the button in \(time)")
    }
    guard pressCount >= wanted else {
      return TestProblem(
        .buttonSilent,
        "\(pressCount) of \(wanted.counted("press was", "presses were")) seen in \(time)")
    }
    guard lostEdges == 0 else {
      return TestProblem(.edgesLost, "\(lostEdges.counted("edge was", "edges were")) lost")
    }
    return nil
  }
}
