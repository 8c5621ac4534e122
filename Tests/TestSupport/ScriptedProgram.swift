import Foundation

/// A script in place of a program, in a directory that is removed with it.
package final class ScriptedProgram: Sendable {
  /// The program's path.
  package let path: String
  private let directory = TemporaryDirectory()

  /// Makes a program.
  ///
  /// - Parameters:
  ///   - name: the program's name.
  ///   - script: the text for bash, in which `$here` is the program's own directory.
  ///   - files: the texts of files in that directory by their names.
  /// - Throws: an error of Foundation or ``Tool/Failure`` when the program cannot be written.
  package init(
    name: String = "program", _ script: String, files: [String: String] = [:]
  ) throws {
    path = directory.path + "/" + name
    let source = name + ".source"
    let all = files.merging([source: "#!/bin/bash\nhere=${0%/*}\n\(script)\n"]) { $1 }
    for (name, text) in all {
      try text.write(
        toFile: directory.path + "/" + name, atomically: false, encoding: .utf8)
    }
    // Another process writes the program: a child that another test starts meanwhile inherits our
    // open files until its `execve`, and the kernel runs no file that is open for writing.
    _ = try Tool.output(
      of: "/usr/bin/install", ["-m", "755", directory.path + "/" + source, path])
  }

  /// Returns the text of a file in the directory; empty when there is no such file.
  ///
  /// In such a file the script may note its arguments, for example.
  package func text(_ name: String) -> String {
    (try? String(contentsOfFile: directory.path + "/" + name, encoding: .utf8)) ?? ""
  }
}
