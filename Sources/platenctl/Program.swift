import ArgumentParser
import Console
import Foundation

/// The start of the program: a command, or the console of a person who has logged in.
@main enum Program {
  static func main() async {
    switch Invocation.read(CommandLine.arguments) {
    case .command(let words): await run(words)
    case .single(let words):
      if let refusal = SettledOptions.refusal(of: words) {
        Terminal.complain(refusal)
        exit(64)
      }
      await run(words)
    case .console: await run(["console"])
    case .jsonLines: await run(["console", "--jsonl"])
    case .refused(let reason):
      Terminal.complain(reason)
      exit(64)
    }
  }

  /// Runs one command and ends the program.
  private static func run(_ words: [String]) async -> Never {
    do {
      try await CommandRunner.perform(words)
      exit(0)
    } catch {
      Platenctl.exit(withError: error)
    }
  }
}
