import Foundation

/// A program of the system as a script plays it, in a directory of its own, which is gone with it.
public final class ScriptedProgram: Sendable {
  /// Where it is.
  public let path: String
  private let directory = TemporaryDirectory()

  /// Makes a program.
  ///
  /// - Parameters:
  ///   - name: the program's name.
  ///   - script: for bash; `$here` is the program's own directory.
  ///   - files: the texts of files in that directory by their names.
  /// - Throws: an error of Foundation when it cannot be written.
  public init(
    name: String = "program", _ script: String, files: [String: String] = [:]
  ) throws {
    path = directory.path + "/" + name
    let all = files.merging([name: "#!/bin/bash\nhere=${0%/*}\n\(script)\n"]) { $1 }
    for (name, text) in all {
      try text.write(
        toFile: directory.path + "/" + name, atomically: false, encoding: .utf8)
    }
    chmod(path, 0o755)
  }

  /// The text of a file in the directory, for example one in which the script notes what it was
  /// told; empty when there is none.
  public func text(_ name: String) -> String {
    (try? String(contentsOfFile: directory.path + "/" + name, encoding: .utf8)) ?? ""
  }
}
