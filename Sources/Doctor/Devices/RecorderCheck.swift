import API
import CameraHost
import Devices
import Recorder

/// The check of the program that records movies: its presence, its start and its version.
struct RecorderCheck: DoctorCheck {
  /// The result of a look for the program.
  enum Look: Sendable, Hashable {
    /// The program is not installed.
    case missing
    /// The program cannot be started, for this cause.
    case failing(String)
    /// The program starts, and says this version.
    case version(String)
  }

  let part = DoctorPart.recorder
  /// Whether the configuration allows recordings.
  let isNeeded: Bool
  /// Looks for the program.
  let look: @Sendable () async -> Look

  func findings() async -> [DoctorReport.Finding] {
    guard isNeeded else { return [notChecked("the configuration allows no recordings")] }
    let (name, wanted) = (RecorderLaunch.name, PlatenVersion.current)
    switch await look() {
    case .missing:
      return [warning(.recorderMissing, "\"\(name)\" of version \"\(wanted)\" is not installed")]
    case .failing(let cause):
      return [warning(.recorderUnusable, "\"\(name)\" cannot be started: \(cause)")]
    case .version(wanted): return [ok("\(name) \(wanted) can be started")]
    case .version(let other):
      return [
        warning(
          .recorderUnusable, "\"\(name)\" is of version \"\(other)\", and platend of \"\(wanted)\"")
      ]
    }
  }

  /// Starts the program, which says its version and ends.
  ///
  /// - Parameters:
  ///   - path: the program; `nil` for none.
  ///   - timeout: the maximum time, above 0.
  static func look(
    at path: String? = RecorderLaunch.find()?.path, timeout: Duration = .seconds(5)
  ) async -> Look {
    guard let path else { return .missing }
    let program = LocalProgram(
      path, [RecorderLaunch.versionOption], environment: HostLaunch.inheritedEnvironment,
      timeout: timeout)
    do throws(LocalProgram.Failure) {
      let outcome = try await program.run()
      guard outcome.status == 0 else {
        return .failing(outcome.firstComplaint ?? "it ended with status \(outcome.status)")
      }
      let version = String(decoding: outcome.output.prefix(40), as: UTF8.self)
        .split(separator: "\n").first
      return version.map { .version(String($0)) } ?? .failing("it says no version")
    } catch {
      return .failing(error.description)
    }
  }
}
