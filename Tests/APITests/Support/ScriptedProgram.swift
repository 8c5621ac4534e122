import Foundation

/// A program of the system as a script plays it, in a directory of its own, which is gone with it.
final class ScriptedProgram: Sendable {
  let path: String
  private let directory: String

  /// Makes a program.
  ///
  /// - Parameters:
  ///   - script: for bash; `$here` is the program's own directory.
  ///   - files: the texts of files in that directory by their names.
  init(_ script: String, files: [String: String] = [:]) throws {
    directory = "/tmp/platen-script-\(UInt64.random(in: 0...UInt64.max))"
    path = directory + "/program"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: false)
    for (name, text) in files {
      try text.write(toFile: directory + "/" + name, atomically: false, encoding: .utf8)
    }
    try "#!/bin/bash\nhere=${0%/*}\n\(script)\n".write(
      toFile: path, atomically: false, encoding: .utf8)
    chmod(path, 0o755)
  }

  /// The text of a file in the directory.
  func text(_ name: String) -> String {
    (try? String(contentsOfFile: directory + "/" + name, encoding: .utf8)) ?? ""
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }
}
