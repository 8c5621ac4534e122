import CameraHost
import Devices
import Foundation
import LinuxDevices
import Logging
import SimulatedDevices

/// A camera process for tests, and its surroundings.
///
/// | arguments | effect |
/// |---|---|
/// | `simulated` | serves the simulated board's camera |
/// | `linux` | serves libcamera's cameras |
/// | `faulty CALL FAULT` | serves a camera with one failing call; see ``FaultyCameras`` |
/// | `silent` | never sends a message |
/// | `garbage` | sends an invalid message |
/// | `exit STATUS` | ends at once |
/// | `prepared` | copies itself, streams from the copy, prints its number; when it has ended, does so again |
/// | `waiting` | copies itself, prints the copy's number, never has it begin |
/// | `unwanted` | copies itself, ends the copy, prints the error of a wait for a child |
/// | `parent` | does the same without the copy |
/// | `confined PATH` | confines itself, opens a file and prints the result; `write:` and `make:` before it. `socket:FAMILY` opens a socket |
/// | `recorder PATH` | does the same as a recorder |
/// | `lock PATH` | locks a file as libcamera locks a media node, prints `locked`, waits |
@main enum Fixture {
  static func main() {
    StandardDescriptors.fill()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let logger = Logger(label: "fixture") { StreamLogHandler.standardError(label: $0) }
    switch arguments.first {
    case "simulated":
      CameraHostServer.serve(logger: logger) { SimulatedCameraSystem(world: SimulatedWorld()) }
    case "linux":
      CameraHostServer.serve(logger: logger) {
        LibcameraSystem(verbosity: .errors, logger: logger)
      }
    case "faulty" where arguments.count == 3:
      CameraHostServer.serve(logger: logger) {
        FaultyCameras(call: arguments[1], fault: arguments[2])
      }
    case "silent":
      while true { pause() }
    case "garbage":
      let words = "this is no message"
      _ = words.withCString { write(3, $0, strlen($0)) }
      while true { pause() }
    case "exit" where arguments.count == 2:
      exit(Int32(arguments[1]) ?? 0)
    case "prepared":
      let prepared = PreparedProcess.make(name: "platen-copy") { arguments in
        guard arguments == ["simulated"] else { exit(64) }
        CameraHostServer.serve(logger: logger) { SimulatedCameraSystem(world: SimulatedWorld()) }
      }
      Task.detached { await stream(from: prepared, logger) }
      while true { pause() }
    case "waiting":
      let prepared = PreparedProcess.make(name: "platen-copy") { _ in exit(64) }
      say("\(prepared?.processID ?? 0)")
      withExtendedLifetime(prepared) { while true { pause() } }
    case "unwanted":
      PreparedProcess.make(name: "platen-copy") { _ in exit(64) }?.end()
      say(wait(nil) < 0 ? SystemError.last.description : "a child")
    case "parent":
      Task.detached { await stream(from: nil, logger) }
      while true { pause() }
    case "confined" where arguments.count == 2, "recorder" where arguments.count == 2,
      "recorder-with-sound" where arguments.count == 2:
      _ = Confinement.apply(
        to: arguments[0] == "confined"
          ? .camera : .recorder(hasSound: arguments[0] == "recorder-with-sound"))
      // The file is opened on another thread than the one that confined itself.
      Thread.detachNewThread {
        say(opening(arguments[1]))
        exit(0)
      }
      while true { pause() }
    case "lock" where arguments.count == 2:
      let descriptor = open(arguments[1], O_RDWR)
      guard lockf(descriptor, F_TLOCK, 0) == 0 else { exit(1) }
      say("locked")
      while true { pause() }
    default:
      exit(64)
    }
  }

  /// Streams from a process until its end, and then once more from the next one.
  private static func stream(from prepared: PreparedProcess?, _ logger: Logger) async {
    var launch = HostLaunch.thisProgram(arguments: ["simulated"])
    // Confined to its files, the process cannot name the functions of a report.
    launch.environment["TSAN_OPTIONS"] = "report_bugs=0"
    // A process that takes longer hangs even on a busy machine.
    var deadlines = HostDeadlines()
    (deadlines.begin, deadlines.change) = (.seconds(120), .seconds(120))
    (deadlines.other, deadlines.end) = (.seconds(120), .seconds(120))
    let system = HostedCameraSystem(
      launch: launch, prepared: prepared, deadlines: deadlines, logger: logger)
    do {
      for _ in 0..<2 {
        guard let first = try await system.cameras().first else { exit(1) }
        let camera = try await system.open(first.id)
        let stream = try await camera.start(
          StreamConfiguration(size: FrameSize(width: 640, height: 480)))
        say("\(system.processID ?? 0)")
        for await _ in stream.events {}
      }
      exit(0)
    } catch {
      say("\(error)")
      exit(1)
    }
  }

  private static func opening(_ argument: String) -> String {
    let path = argument.split(separator: ":").last.map(String.init) ?? ""
    let families = ["inet": AF_INET, "unix": AF_UNIX, "netlink": AF_NETLINK]
    let descriptor =
      argument.hasPrefix("socket:")
      ? socket(families[path] ?? -1, Int32(SOCK_DGRAM.rawValue), 0)
      : argument.hasPrefix("make:")
        ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        : open(path, (argument.hasPrefix("write:") ? O_WRONLY : O_RDONLY) | O_CLOEXEC)
    return descriptor >= 0 ? "open" : SystemError.last.description
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
