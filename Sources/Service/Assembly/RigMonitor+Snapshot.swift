import Capture
import Devices

/// The states that a monitor knows.
extension RigMonitor {
  /// The temperature of a zone; `nil` when it cannot be read.
  struct Temperature: Sendable, Hashable {
    var zone: String
    var celsius: Double?
    var limits: ThermalLimits?
  }

  /// The rig's heat, the firmware's flags, and the constraints on the rig.
  struct Heat: Sendable, Hashable {
    var state = ThermalState.nominal
    var temperatures: [Temperature] = []
    /// The zone that is hottest against its own limits.
    var hottest: ThermalReading?
    /// The firmware's flags; `nil` on a board without such firmware.
    var throttle: ThrottleStatus?
    /// The reason why the firmware's flags cannot be read; `nil` when they can be, or are absent.
    var throttleProblem: String?
    var isUndervoltage = false
    var constraints = ThermalConstraints.none
    /// Whether the rig powers off because it is too hot.
    var isShuttingDown = false

    /// The zones that cannot be read.
    private var unreadable: [String] { temperatures.filter { $0.celsius == nil }.map(\.zone) }

    /// Returns whether listeners are told of a change; temperatures alone are not reported.
    func isNews(after before: Heat) -> Bool {
      state != before.state || throttle != before.throttle || constraints != before.constraints
        || isUndervoltage != before.isUndervoltage || isShuttingDown != before.isShuttingDown
        || throttleProblem != before.throttleProblem || unreadable != before.unreadable
    }
  }

  /// The activity of a target, and the reason why it waits.
  struct Upload: Sendable, Hashable {
    var activity: IndicatorLanguage.UploadActivity
    var detail: String?
  }

  /// A fault of a part while captures continue.
  struct Fault: Sendable, Hashable {
    var reason: InterruptionReason
    /// The part's name, for example the button's.
    var part: String

    /// Returns the fault of a target for which pictures are set aside.
    static func parked(_ target: String) -> Fault {
      Fault(reason: .deliveryParked, part: "target \(target)")
    }
  }

  /// The last instruction to a light.
  struct Light: Sendable, Hashable {
    var pattern: IndicatorPattern
    /// Whether the instruction failed.
    var isFailing: Bool
  }

  /// A press whose picture has a warning.
  struct Warned: Sendable, Hashable {
    var press: Int64
    var warning: PageWarning
  }

  /// The complete state at one moment.
  struct Snapshot: Sendable {
    var readiness = Readiness(state: .sessionNotRunning, reasons: [], capturesInFlight: 0)
    var heat = Heat()
    var accelerometer: AccelerometerState
    /// The newest reading of the accelerometer, which is no ``Change``.
    var gravity: AccelerometerSample?
    /// The acceleration in the rig's axes.
    var acceleration: Acceleration? { gravity?.acceleration }
    /// The activity of each target by its name.
    var uploads: [String: Upload] = [:]

    /// The faults while captures continue, the oldest first.
    var faults: [Fault] = []
    /// The known number of lost edges by the button's name.
    var lostEdges: [String: Int] = [:]
    /// The number of pulses that were too short for a press, by the button's name.
    var spikes: [String: Int] = [:]
    /// The last instruction to each light.
    var lights: [IndicatorRole: Light] = [:]
    /// The time of the power off unless it is called off; `nil` when none is scheduled.
    var powerOffArmedUntil: MonotonicInstant?
    /// Whether a technician has paused the uploads.
    var areUploadsPaused = false
    /// The seconds until the picture of a page that was turned; `nil` without a countdown.
    var countdown: Int?
    /// The total number of refused presses at the last refusal; `nil` after an admitted press.
    var refusal: Int?
    /// The first warning about the last picture; `nil` without one, and after an admitted press.
    var warned: Warned?
    /// Whether frames of a recording are written.
    var isRecording = false

    /// The activity of all targets together; a wait for an unreachable target takes precedence.
    var upload: IndicatorLanguage.UploadActivity {
      if areUploadsPaused { return .paused }
      let activities = Set(uploads.values.map(\.activity))
      return activities.contains(.waitingToRetry)
        ? .waitingToRetry : activities.contains(.active) ? .active : .idle
    }
  }
}
