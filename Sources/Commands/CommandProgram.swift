import ArgumentParser
import Console
import Foundation

/// The program `platenctl`: a command, or the console of a person who has logged in.
///
/// Packages have one program under all names, so that Swift's libraries are on the disk once:
/// `platend` is this program where another name starts it.
package enum CommandProgram {
  /// Performs what the arguments ask for, and ends the process.
  ///
  /// - Parameter arguments: the arguments, the program's own name first.
  package static func main(_ arguments: [String]) async -> Never {
    switch Invocation.read(arguments) {
    case .command(let words): await run(words)
    case .single(let words):
      if let refusal = SettledOptions.refusal(of: words) { refuse(refusal) }
      await run(words)
    case .console: await run(["console"])
    case .jsonLines: await run(["console", "--jsonl"])
    case .refused(let reason): refuse(reason)
    }
  }

  private static func refuse(_ reason: String) -> Never {
    Terminal.complain(reason)
    exit(64)
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
