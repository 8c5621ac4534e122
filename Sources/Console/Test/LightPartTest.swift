import API
package import Devices

/// A test of whether a person sees each light.
package struct LightPartTest: PartTest {
  /// The part, see ``PartTest``.
  package let part = TestPart.leds
  private let role: IndicatorRole?
  private let seconds: Int

  /// Creates a test.
  ///
  /// - Parameters:
  ///   - role: the only light to test; `nil` for all of the rig's lights.
  ///   - seconds: the time that each light is lit, 1...60.
  package init(role: IndicatorRole?, seconds: Int) {
    self.role = role
    self.seconds = seconds
  }

  /// Runs the test, see ``PartTest``.
  package func run(
    _ client: RigClient, _ guide: TestGuide
  ) async throws(RigClientError) -> [TestResult] {
    let lights = try await client.status().lights.filter { role == nil || $0.role.value == role }
    guard !lights.isEmpty else {
      let name = role.map { " \"\($0.rawValue)\"" } ?? ""
      return [
        TestResult(.leds, subject: role?.rawValue, .skipped, seen: ["this rig has no light\(name)"])
      ]
    }
    guide.say(
      "One light after the other blinks quickly and evenly, for \(seconds) s at most; all others are "
        + "dark meanwhile. It means nothing.")
    var results: [TestResult] = []
    let clock = ContinuousClock()
    for light in lights {
      let start = clock.now
      var result = try await test(light, client, guide)
      result.seconds = start.duration(to: clock.now) / .seconds(1)
      results.append(result)
    }
    return results
  }

  private func test(
    _ light: LightReport, _ client: RigClient, _ guide: TestGuide
  ) async throws(RigClientError) -> TestResult {
    let request = LightTestRequest(light: light.role.rawValue, seconds: seconds)
    // The test has its own connection: an answer ends the test by closing it.
    let own = RigClient(socketPath: client.socketPath)
    let test = RunningTest { () throws(RigClientError) in
      try await own.call(Operations.testLight, request)
    }
    if let sight = guide.seen {
      let report = try await guide.wait("lighting \(light.role)", seconds: seconds) {
        () throws(RigClientError) in
        try await test.finish {}
      }
      return Self.result(light, report.problem, .line(sight.rawValue))
    }
    let limit = Duration.seconds(seconds)
    let (answer, report) = try await test.during {
      await guide.ask(
        "Does the light \"\(light.role)\" (\(light.name)) blink, and no other? [yes/no]",
        within: limit)
    }
    let failing = try await client.status().lights.first { $0.role == light.role }?.isFailing
    var problem = report?.problem
    if problem == nil, failing == true {
      problem = TestProblem(
        code: "lightFailing", seen: "the light cannot be set",
        advice: "Check the light's wiring and that the service's user may write to it.")
    }
    return Self.result(light, problem, answer ?? .unanswered)
  }

  /// Combines the rig's report and the person's answer to a result.
  static func result(
    _ light: LightReport, _ problem: TestProblem?, _ answer: CommandAnswer
  ) -> TestResult {
    var result = TestResult(.leds, subject: light.role.rawValue, problem, seen: [])
    switch answer {
    case .line(let text) where isYes(text):
      result.seen.append("\(light.name) was seen to blink")
    case .line(let text):
      result.verdict = .failed
      let word = text.split(separator: " ").joined(separator: " ")
      result.seen.append(
        isNo(text)
          ? "\(light.name) was not seen to blink, or not alone"
          : "asked for \(light.name), the answer was \"\(word.prefix(40))\"")
      result.advice.append(
        "Check the light's plug and cable, and that its name in the section \"indicators\" of the "
          + "configuration is that of the light that is wired there.")
    case .timedOut, .unanswered:
      result.verdict = .failed
      result.code = result.code ?? "notAnswered"
      result.seen.append(
        answer == .timedOut
          ? "nobody answered while \(light.name) blinked" : "nobody could be asked what is seen")
      result.advice.append(
        "Test once more, with a longer \"--timeout\", or say what is seen with \"--seen yes\" or "
          + "\"--seen no\".")
    }
    return result
  }

  private static func isYes(_ text: String) -> Bool { word(text, of: ["y", "yes"]) }
  private static func isNo(_ text: String) -> Bool { word(text, of: ["n", "no"]) }

  private static func word(_ text: String, of words: [String]) -> Bool {
    words.contains(text.split(separator: " ").joined(separator: " ").lowercased())
  }
}
