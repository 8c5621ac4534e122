import ArgumentParser
import Console

/// `platenctl test`.
struct TestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Test the parts of the rig, together with who stands before it.",
    discussion: """
      Each test says what is to be done and for how long it waits, what was seen, and what to do next. \
      One test goes on at a time. "doctor" looks by itself, without anybody's help.

      Exit status: 0 when something was tested and all of that passed, 1 when something failed or the \
      rig has nothing of what was to be tested.
      """,
    subcommands: [
      TestButtonCommand.self, TestLightsCommand.self, TestAccelerometerCommand.self,
      TestCameraCommand.self, TestTemperatureCommand.self, TestStorageCommand.self,
      TestNetworkCommand.self, TestUploadCommand.self, TestAllCommand.self,
    ])
}

/// A command that tests parts of the rig, one after the other.
protocol TestingCommand: AsyncParsableCommand, ManneredCommand {
  /// The options of the connection to the rig.
  var connection: ConnectionOptions { get }

  /// The tests to run.
  var tests: [any PartTest] { get }

  /// The answer whether a light is seen, when it was given beforehand.
  var sight: TestGuide.Sight? { get }
}

extension TestingCommand {
  var manner: CommandManner { .guides }

  var sight: TestGuide.Sight? { nil }

  /// Runs the tests, goes on after a failure, and shows a summary at the end.
  func test() async throws {
    var all: [TestResult] = []
    try await connection.report { client in
      let guide = TestGuide(Terminal.output, isSilent: connection.json, seen: sight)
      for test in tests {
        let results = try await test.results(client, guide)
        try Task.checkCancellation()
        for result in results { try connection.show(result) }
        all += results
      }
      guard tests.count > 1, !connection.json else { return }
      Terminal.show([""])
      Terminal.show(TestSummary(all))
    }
    let status = TestResult.exitStatus(all)
    guard status == 0 else { throw ExitCode(status) }
  }
}

extension ParsableArguments {
  /// Refuses a number that is out of its range.
  func require(_ number: Int, in range: ClosedRange<Int>, _ option: String) throws {
    guard range.contains(number) else {
      throw ValidationError(
        "\(option) must be from \(range.lowerBound) to \(range.upperBound), not \(number).")
    }
  }
}

/// The option that says whether a light is seen, for a test without a person to ask.
struct SightOptions: ParsableArguments {
  @Option(help: "What is seen, instead of a question.")
  var seen: TestGuide.Sight?
}
