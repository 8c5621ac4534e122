import Capture
import Devices
import SimulatedDevices
import TestSupport

/// The events that may happen to a session, drawn from a seed.
enum FaultScript {
  enum Event: Sendable {
    case inject(CameraFault, camera: String)
    case clear(CameraFault, camera: String)
    case cancelStreams
    case damageFrames(Int)
    case failStarts(Int)
    case press
    case anticipate(decides: Bool)
    case configure(SessionPreset, CameraRole)
    case switchCamera
    case limitFrameRate(Double?)
    case beginInterruption(InterruptionReason)
    case endInterruption(InterruptionReason)
    case stop
    case resume
    case wait(milliseconds: Int)
  }

  static let cameras = ["first", "other"]
  static let roles: [CameraRole] = [.main, CameraRole(rawValue: "desk")]

  /// Draws a sequence of events.
  static func events(_ random: inout SeededGenerator) -> [Event] {
    (0..<Int.random(in: 4...20, using: &random)).flatMap { _ in
      happening(&random) + [.wait(milliseconds: Int.random(in: 0...900, using: &random))]
    }
  }

  /// Draws an event, or a group of events that must follow each other closely to have an effect.
  private static func happening(_ random: inout SeededGenerator) -> [Event] {
    let camera = cameras.randomElement(using: &random) ?? "first"
    let wait = Event.wait(milliseconds: Int.random(in: 50...500, using: &random))
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      // A camera that comes back and cannot be opened.
      let fault = Bool.random(using: &random) ? CameraFault.busy : .permissionDenied
      return [
        .inject(.absent, camera: camera), wait, .inject(fault, camera: camera),
        .clear(.absent, camera: camera),
      ]
    case 1:
      // A camera that resumes before it is given up, with the frames that it held.
      return [.inject(.stalled, camera: camera), wait, .clear(.stalled, camera: camera)]
    default: return [event(&random)]
    }
  }

  private static func event(_ random: inout SeededGenerator) -> Event {
    let fault = CameraFault.allCases.randomElement(using: &random) ?? .absent
    let camera = cameras.randomElement(using: &random) ?? "first"
    let external: [InterruptionReason] = [.storageFull, .storageStalled, .thermalPressure]
    let reason = external.randomElement(using: &random) ?? .storageFull
    switch Int.random(in: 0..<18, using: &random) {
    case 0, 1: return .inject(fault, camera: camera)
    case 2, 3: return .clear(fault, camera: camera)
    case 4: return .cancelStreams
    case 5: return .damageFrames(Int.random(in: 1...30, using: &random))
    case 6: return .failStarts(Int.random(in: 1...3, using: &random))
    case 7: return .anticipate(decides: Bool.random(using: &random))
    case 8, 9:
      // The presets are small: painting large frames would take most of the time.
      let presets = [160, 320, 480].map {
        SessionPreset.custom(FrameSize(width: $0, height: $0 * 9 / 16))
      }
      return .configure(
        presets.randomElement(using: &random) ?? presets[0],
        roles.randomElement(using: &random) ?? .main)
    case 10: return .beginInterruption(reason)
    case 11: return .endInterruption(reason)
    case 12: return Bool.random(using: &random) ? .stop : .resume
    case 13: return .switchCamera
    case 14: return .limitFrameRate([nil, 5, 15].randomElement(using: &random) ?? nil)
    default: return .press
    }
  }
}
