import Devices
import Foundation
import TestSupport
import Testing

@testable import RigConfiguration

/// The replacement of files in directories that other accounts may replace by links.
@Suite struct DurableFileTests {
  /// Whether a file was changed in a directory behind a link, by an action as root.
  private func follows(
    isShared: Bool, _ action: (DurableFile) throws(DeviceError) -> Void
  ) throws -> Bool {
    let place = TemporaryDirectory()
    defer { withExtendedLifetime(place) {} }
    let (target, link) = (place.path + "/target", place.path + "/link")
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    try Data("old".utf8).write(to: URL(fileURLWithPath: target + "/file"))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    #expect(chmod(place.path, isShared ? 0o775 : 0o755) == 0)
    let file = DurableFile(directory: link, name: "file")
    var isRefused = false
    do throws(DeviceError) { try action(file) } catch { isRefused = true }
    #expect(isRefused == isShared)
    let names = try FileManager.default.contentsOfDirectory(atPath: target)
    let old = FileManager.default.contents(atPath: target + "/file")
    return names != ["file"] || old != Data("old".utf8)
  }

  @Test(.enabled(if: geteuid() == 0), arguments: [false, true])
  func `root writes behind no link that another account may have made`(
    _ isShared: Bool
  ) throws {
    let isReplaced = try follows(isShared: isShared) { (file: DurableFile) throws(DeviceError) in
      try file.replace(Array("new".utf8))
    }
    let isRenamed = try follows(isShared: isShared) { (file: DurableFile) throws(DeviceError) in
      try file.rename(to: "other")
    }
    let isRemoved = try follows(isShared: isShared) { (file: DurableFile) throws(DeviceError) in
      try file.remove()
    }
    #expect([isReplaced, isRenamed, isRemoved] == [Bool](repeating: !isShared, count: 3))
  }

  @Test func `a file that is gone is removed`() throws {
    let place = TemporaryDirectory()
    defer { withExtendedLifetime(place) {} }
    let file = DurableFile(directory: place.path, name: "file")
    try file.replace(Array("text".utf8))
    try file.remove()
    #expect(try file.read() == nil)
    try file.remove()
  }
}
