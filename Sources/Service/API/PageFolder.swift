import Foundation

/// The folder of the page in the browser.
enum PageFolder {
  /// Returns the folder that belongs to this program (`/proc/self/exe`).
  ///
  /// A package has the page in `share/platen/page` beside `bin`. A build has the page in the
  /// repository that it was made in.
  ///
  /// - Returns: `nil` when there is none.
  static func find() -> String? {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return program.flatMap(find(of:))
  }

  /// Returns the folder that belongs to a program.
  static func find(of program: String) -> String? {
    var folder = URL(fileURLWithPath: program).deletingLastPathComponent()
    let installed = folder.appendingPathComponent("../share/platen/page").standardizedFileURL.path
    if FileManager.default.fileExists(atPath: installed + "/index.html") { return installed }
    // A build is at most some folders below its repository: .build/TRIPLE/CONFIGURATION.
    for _ in 0..<4 {
      folder = folder.deletingLastPathComponent()
      let page = folder.appendingPathComponent("page").path
      let manifest = folder.appendingPathComponent("Package.swift").path
      if FileManager.default.fileExists(atPath: manifest),
        FileManager.default.fileExists(atPath: page + "/index.html")
      {
        return page
      }
    }
    return nil
  }
}
