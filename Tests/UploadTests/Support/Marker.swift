import Foundation

/// Makes a directory a target as a person does: `echo NAME > DIRECTORY/.platen-target`.
func placeMarker(_ name: String, in directory: String) throws {
  try "\(name)\n".write(
    toFile: directory + "/.platen-target", atomically: false, encoding: .utf8)
}
