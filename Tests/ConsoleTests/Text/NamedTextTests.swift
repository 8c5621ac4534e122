import Console
import Foundation
import Testing
import TestSupport

/// Reading a named file always ends.
@Suite(.timeLimit(.minutes(10))) struct NamedTextTests {
  private func withDirectory(_ body: (String) throws -> Void) throws {
    let place = TemporaryDirectory()
    defer { withExtendedLifetime(place) {} }
    let directory = place.path
    try body(directory)
  }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  @Test func `a plain file is read to its end`() throws {
    try withDirectory { directory in
      for count in [0, 1, 65_536, NamedText.maximumBytes] {
        try write(Array(repeating: UInt8(ascii: "x"), count: count), directory + "/a")
        #expect(try NamedText.read(file: directory + "/a").utf8.count == count)
      }
      try write(Array("größer\n".utf8), directory + "/a")
      try FileManager.default.createSymbolicLink(
        atPath: directory + "/link", withDestinationPath: directory + "/a")
      #expect(try NamedText.read(file: directory + "/link") == "größer\n")
    }
  }

  @Test func `any other kind of file is refused`() throws {
    try withDirectory { directory in
      #expect(mkfifo(directory + "/fifo", 0o600) == 0)
      try write(
        Array(repeating: UInt8(ascii: "x"), count: NamedText.maximumBytes + 1), directory + "/long")
      try write([0x61, 0xFF], directory + "/bytes")
      let names = [
        ("/gone", "No such file"), ("", "no plain file"), ("/fifo", "no plain file"),
        ("/long", "longer than 1048576 bytes"), ("/bytes", "no UTF-8"),
      ].map { (directory + $0.0, $0.1) }
      let devices = ["/dev/zero", "/dev/null", "/dev/tty"].map { ($0, "no plain file") }
      for (path, cause) in names + devices {
        let error = #expect(throws: NamedText.Failure.self, "\(path)") {
          try NamedText.read(file: path)
        }
        #expect(error?.description.hasPrefix("\"\(path)\" cannot be read: ") == true)
        #expect(error?.description.contains(cause) == true, "\(path)")
      }
    }
  }

  @Test func `a descriptor is read up to the limit`() throws {
    let zero = open("/dev/zero", O_RDONLY | O_CLOEXEC)
    defer { close(zero) }
    let error = #expect(throws: NamedText.Failure.self) {
      try NamedText.read(zero, named: "-")
    }
    #expect(error?.description.contains("longer than") == true)
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("a: 1\n".utf8))
    try pipe.fileHandleForWriting.close()
    let text = try NamedText.read(pipe.fileHandleForReading.fileDescriptor, named: "-")
    #expect(text == "a: 1\n")
  }
}
