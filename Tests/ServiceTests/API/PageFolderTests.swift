import Foundation
import TestSupport
import Testing

@testable import Service

@Suite struct PageFolderTests {
  private func make(_ paths: [String], in directory: String) throws {
    for path in paths {
      let path = directory + "/" + path
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try "x".write(toFile: path, atomically: true, encoding: .utf8)
    }
  }

  @Test func `an installed program has its page in share`() async throws {
    try await withTemporaryDirectory { directory in
      try make(["bin/platend", "share/platen/page/index.html"], in: directory)
      #expect(PageFolder.find(of: directory + "/bin/platend") == directory + "/share/platen/page")
    }
  }

  @Test func `a build has the page of its repository`() async throws {
    try await withTemporaryDirectory { directory in
      let program = ".build/x86_64-unknown-linux-gnu/debug/platend"
      try make([program, "page/index.html"], in: directory)
      #expect(PageFolder.find(of: directory + "/" + program) == nil, "no repository")
      try make(["Package.swift"], in: directory)
      #expect(PageFolder.find(of: directory + "/" + program) == directory + "/page")
    }
  }
}
