import Foundation

/// A script that plays a program of the system, and may note in the file `said` beside it what it
/// was told; gone with this.
final class ScriptedProgram: Sendable {
  /// Where it is.
  let path: String
  private let directory: String

  /// Writes it.
  ///
  /// - Parameters:
  ///   - name: the program's name.
  ///   - text: what bash is to do.
  init(_ name: String, _ text: String) throws {
    directory = NSTemporaryDirectory() + "platen-script-" + UUID().uuidString
    path = directory + "/" + name
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try "#!/bin/bash\n\(text)\n".write(toFile: path, atomically: false, encoding: .utf8)
    chmod(path, 0o755)
  }

  /// What it has noted; empty when it was not run.
  var said: String { (try? String(contentsOfFile: directory + "/said", encoding: .utf8)) ?? "" }

  deinit { try? FileManager.default.removeItem(atPath: directory) }
}
