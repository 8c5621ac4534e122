import ArgumentParser
import Commands
import Foundation
import RigConfiguration

/// The setup of the rig, and its end.
extension Platend {
  /// Applies the setup of a file or of the standard input; prints the result in sentences.
  func applySetup() async throws {
    guard setUp == ["-"] else { return try tell(await setup.apply(file: setupFile)) }
    let answers = FileHandle.standardInput.readDataToEndOfFile()
    try tell(await setup.apply(answers: Array(answers)))
  }

  /// Takes the first picture with the setup of a file; prints the result in sentences.
  func takeFirstPicture() async throws {
    try tell(
      await setup.finish(file: setupFile) {
        let (isStored, lines) = await FirstPicture.report()
        return SetupOutcome(isStored ? .applied : .failed, lines)
      })
  }

  private var setup: Setup { Setup(configurationPath: config, machine: .system) }

  private var setupFile: String {
    setUp.first { FileManager.default.fileExists(atPath: $0) } ?? setUp[0]
  }

  private func tell(_ outcome: SetupOutcome) throws {
    let text = outcome.lines.map { $0 + "\n" }.joined()
    FileHandle.standardOutput.write(Data(text.utf8))
    if outcome.kind != .applied { throw ExitCode(outcome.kind.rawValue) }
  }
}
