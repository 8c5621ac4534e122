import Devices
import Foundation
import Testing
import TestSupport

@testable import CameraHost

/// Whether the program may be copied: the runtime of ThreadSanitizer has a thread of its own.
private let canBeCopied = dlsym(nil, "__tsan_init") == nil

extension HostedCameras {
  @Suite struct PreparedProcessTests {
    @Test(.enabled(if: canBeCopied, "ThreadSanitizer has a thread of its own"))
    func `a copy serves first, and after its end a started program`() throws {
      let service = try Helper("prepared", environment: ["PLATEN_TOKEN": "secret"])
      let copy = try #require(Int32(service.line()))
      #expect(try arguments(of: copy) == ["platen-copy"])
      try expectGivenUp(by: copy) { _ in false }
      kill(copy, SIGKILL)
      let started = try #require(Int32(service.line()))
      #expect(started != copy)
      #expect(try arguments(of: started) == ["platen-camera", "simulated"])
    }

    @Test(
      .enabled(if: canBeCopied, "ThreadSanitizer has a thread of its own"),
      arguments: ["prepared", "waiting"])
    func `a copy that serves or still waits dies with the service`(_ command: String) async throws {
      let service = try Helper(command)
      let copy = try #require(Int32(service.line()))
      #expect(copy > 0 && exists(copy))
      service.end()
      try await eventually { !exists(copy) }
    }

    @Test(.enabled(if: canBeCopied, "ThreadSanitizer has a thread of its own"))
    func `a service without an environment has a copy`() throws {
      let service = try Helper("prepared", through: "exec env -i \"$@\"")
      let copy = try #require(Int32(service.line()))
      #expect(try arguments(of: copy) == ["platen-copy"])
    }

    @Test(.enabled(if: canBeCopied, "ThreadSanitizer has a thread of its own"))
    func `a service without standard error keeps its log from the camera process`() throws {
      let service = try Helper("prepared", through: "exec \"$@\" 2>&-")
      let copy = try #require(Int32(service.line()))
      #expect(try arguments(of: copy) == ["platen-copy"])
      kill(copy, SIGKILL)
      let started = try #require(Int32(service.line()))
      #expect(try arguments(of: started) == ["platen-camera", "simulated"])
    }

    @Test(.enabled(if: canBeCopied, "ThreadSanitizer has a thread of its own"))
    func `a copy that nobody wants is gone at once`() throws {
      let service = try Helper("unwanted")
      #expect(service.line() == "No child processes")
    }

    @Test func `a process with several threads is not copied`() {
      #expect(PreparedProcess.make(name: "copy") { _ in _exit(1) } == nil)
    }

    @Test func `the place of arguments and environment is read behind any name`() throws {
      let fields = (3...52).map { number in
        [48: 4096, 49: 4128, 50: 4128, 51: 5000][number].map { "\($0)" } ?? "-1"
      }
      for name in ["platend", "a) (b", ""] {
        let text = "17 (\(name)) \(fields.joined(separator: " "))\n"
        let places = try #require(StartMemory.places(in: text))
        #expect(places.arguments == 4096..<4128 && places.environment == 4128..<5000)
      }
    }

    @Test(arguments: [
      "", "17 (platend) R 1", "17 (platend)" + String(repeating: " 0", count: 49),
      "17 (platend)" + String(repeating: " -1", count: 49),
    ])
    func `nothing is overwritten at a place that the kernel does not tell`(text: String) {
      #expect(StartMemory.places(in: text) == nil)
    }

    private func arguments(of process: Int32) throws -> [String] {
      let bytes = try String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
      return bytes.split(separator: "\0").map(String.init)
    }
  }
}
