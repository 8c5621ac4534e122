import CameraHost
import Devices
import Foundation
import Logging
import Testing
import TestSupport

/// The camera process for tests, which is built beside the test bundle.
enum Fixture {
  /// The program's path.
  static let path: String = {
    let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    let folder = URL(fileURLWithPath: bundle ?? "/").deletingLastPathComponent()
    return folder.appendingPathComponent("camerahostfixture").path
  }()

  /// Returns a system whose process is the fixture.
  ///
  /// With a clock of the test, the deadlines are the standard ones.
  static func system(
    _ arguments: String..., clock: any MonotonicClock = SystemMonotonicClock()
  ) -> HostedCameraSystem {
    HostedCameraSystem(
      launch: HostLaunch(path: path, arguments: arguments, environment: environment),
      deadlines: clock is SystemMonotonicClock ? patient : HostDeadlines(), clock: clock,
      logger: .silent)
  }

  /// Deadlines after which a process hangs even on a busy machine.
  private static let patient: HostDeadlines = {
    var deadlines = HostDeadlines()
    deadlines.begin = .seconds(120)
    deadlines.change = .seconds(120)
    deadlines.other = .seconds(120)
    deadlines.end = .seconds(120)
    return deadlines
  }()

  /// Returns a system with cameras of a Raspberry Pi; see `Tests/PiCameras/Cameras.hpp`.
  ///
  /// - Parameter memory: contiguous memory in MiB; `nil` for unlimited memory.
  static func piCameras(_ names: String..., memory: Int? = nil) throws -> HostedCameraSystem {
    let library = URL(fileURLWithPath: path).deletingLastPathComponent()
      .appendingPathComponent("libPiCameras.so").path
    // Without the library the process would use this machine's cameras without an error.
    try #require(FileManager.default.fileExists(atPath: library))
    var settings = environment
    settings["LD_PRELOAD"] = library
    settings["PI_CAMERAS"] = names.joined(separator: " ")
    settings["PI_CAMERAS_MEMORY"] = memory.map { "\($0)" }
    return HostedCameraSystem(
      launch: HostLaunch(path: path, arguments: ["linux"], environment: settings),
      deadlines: patient, clock: SystemMonotonicClock(), logger: .silent)
  }

  /// Settings under which ThreadSanitizer reports no faults in the confined process.
  ///
  /// Confined to its files, the process cannot find its functions' names, so no suppression would
  /// match. The same code runs unconfined in other tests.
  private static let environment = ["TSAN_OPTIONS": "report_bugs=0"]

  static let small = StreamConfiguration(
    size: FrameSize(width: 640, height: 480), frameRate: 30, ringFrameCount: 4,
    leasedFrameCount: 2)

  /// A stream with which even a busy machine keeps pace.
  static let slow: StreamConfiguration = {
    var slow = small
    slow.frameRate = 5
    return slow
  }()
}

/// A program that runs beside the tests and prints lines.
final class Helper {
  private let process = Process()
  private let output = Pipe()

  /// Starts the fixture; it is killed with this object.
  ///
  /// - Parameters:
  ///   - script: the shell's words that start the program, whose words are `$@`.
  ///   - environment: more variables than this process's own ones.
  init(
    _ arguments: String..., through script: String = "exec \"$@\"",
    environment: [String: String] = [:]
  ) throws {
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, "sh", Fixture.path] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
  }

  deinit { end() }

  var processID: Int32 { process.processIdentifier }

  /// Kills the program and waits for its end.
  func end() {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Returns the program's next line; empty if the program has ended.
  func line() -> String {
    var bytes: [UInt8] = []
    while true {
      let data = output.fileHandleForReading.readData(ofLength: 1)
      guard let byte = data.first, byte != 10 else { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension CameraEvents {
  /// Returns the next so many frames.
  func frames(_ count: Int) async -> [FrameInfo] {
    var frames: [FrameInfo] = []
    for await event in self {
      if case .frame(let frame) = event { frames.append(frame) }
      if frames.count == count { break }
    }
    return frames
  }

  /// Reads all events up to the end and returns the last one.
  func last() async -> CameraEvent? {
    var last: CameraEvent?
    for await event in self { last = event }
    return last
  }
}

extension HostedCameraSystem {
  /// Opens the first camera.
  func openFirst() async throws -> any Camera {
    try await open(try #require(try await cameras().first).id)
  }
}

/// Returns whether a process exists, including one that has ended unreaped.
func exists(_ process: Int32) -> Bool { kill(process, 0) == 0 }

/// A frame's memory that is mapped into this process, as `/proc/self/smaps` has it.
struct MappedFrame {
  /// The length of the mapping and of its pages in this process's page table, in KiB.
  var size = 0, resident = 0

  static func all() throws -> [MappedFrame] {
    // The kernel gives it in pieces, after the first of which a String of the file would end.
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/smaps"))
    let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    var (frames, isFrame) = ([MappedFrame](), false)
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words[0].contains("-") {
        isFrame = line.contains("memfd:platen-frame")
        if isFrame { frames.append(MappedFrame()) }
      } else if isFrame, words.count == 3, let number = Int(words[1]) {
        if words[0] == "Size:" { frames[frames.count - 1].size = number }
        if words[0] == "Rss:" { frames[frames.count - 1].resident = number }
      }
    }
    return frames
  }
}

/// The resources that this process holds.
struct Holdings: CustomStringConvertible {
  var descriptors: Int
  var threads: Int
  var mappings: Int
  var kilobytes: Int
  var children: Int

  static func now() throws -> Holdings {
    let manager = FileManager.default
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let resident = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    var (children, symbolizers) = (0, 0)
    for task in try manager.contentsOfDirectory(atPath: "/proc/self/task") {
      let path = "/proc/self/task/\(task)/children"
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      for child in text.split(separator: " ") {
        let name = try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)
        // A sanitizer's helper, started on demand and connected by two descriptors.
        if name?.hasPrefix("llvm-symbolizer") == true { symbolizers += 1 } else { children += 1 }
      }
    }
    return Holdings(
      descriptors: try manager.contentsOfDirectory(atPath: "/proc/self/fd").count
        - 2 * symbolizers,
      threads: try manager.contentsOfDirectory(atPath: "/proc/self/task").count,
      mappings: maps.split(separator: "\n").filter { $0.contains("memfd") }.count,
      kilobytes: resident.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }
        .flatMap { Int($0) } ?? 0,
      children: children)
  }

  /// Waits until the resources are as they should be, and returns them.
  ///
  /// Children and threads of a pool end at their own time, and other tests hold resources
  /// meanwhile. A leak stays, and is recorded with the last resources.
  static func settled(_ isSettled: (Holdings) -> Bool) async throws -> Holdings {
    var last = try now()
    do {
      try await eventually {
        last = try now()
        return isSettled(last)
      }
    } catch is NeverHappened {
      Issue.record("\(last)")
    }
    return last
  }

  var description: String {
    "\(descriptors) descriptors, \(threads) threads, \(mappings) mappings, \(kilobytes) KiB, "
      + "\(children) children"
  }
}

extension Camera {
  /// Returns a lease of the next available frame; on a busy machine some requests come too late.
  func leaseNext(of stream: CameraStream) async -> FrameLease? {
    for await case .frame(let frame) in stream.events {
      if let lease = await lease(frame.id) { return lease }
    }
    return nil
  }
}
