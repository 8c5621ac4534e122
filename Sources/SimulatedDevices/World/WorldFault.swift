/// The lasting faults of a simulated camera.
package enum CameraFault: String, Sendable, Hashable, CaseIterable {
  /// The cable is pulled: the camera is not listed, and an open camera reports `disconnected`.
  case absent
  /// Another process has the camera; opening it fails.
  case busy
  /// The service may not open the nodes; listing fails.
  case permissionDenied
  /// No frames come, without an error; afterwards some old frames come first.
  case stalled
  /// There is no memory for buffers; starting a stream fails.
  case outOfMemory
  /// Every frame is marked as damaged.
  case damaged
}

/// The troubles that a simulated camera has caused its user, as opposed to the injected faults.
///
/// A fault that is injected and repaired before a user notices causes no trouble; see
/// ``SimulatedWorld/cameraTroubles``.
package enum CameraTrouble: String, Sendable, Hashable, CaseIterable {
  /// All requests of a running stream were canceled at once.
  case cancelBurst = "cancel burst"
  /// An open camera was unplugged.
  case disconnect
  /// Opening a camera was refused because another process has it.
  case busy
  /// Listing or opening cameras was refused for lack of permission.
  case permissionDenied = "permission denied"
  /// Starting a stream failed for lack of memory.
  case noMemory = "no memory"
  /// A running stream stopped giving frames.
  case stall
  /// An old frame was delivered after a stall.
  case staleFrame = "stale frame"
  /// A frame was marked as damaged.
  case errorFrame = "error frame"
}

/// The lasting faults of the simulated accelerometer.
package enum AccelerometerFault: String, Sendable, Hashable, CaseIterable {
  /// The sensor is gone: starting fails, and a running sensor reports a failure.
  case absent
  /// Every reading is bit for bit the same.
  case frozen
  /// Readings are in turn no numbers and absurdly large numbers.
  case nonsense
  /// No readings come, without an error.
  case silent
}

/// The lasting faults of the simulated temperature sensor.
package enum TemperatureFault: String, Sendable, Hashable, CaseIterable {
  /// The zone is gone.
  case absent
  /// The zone exists, but reading it fails.
  case inputOutput
  /// The zone reports an impossible temperature.
  case implausible
}

/// The lasting faults of the simulated firmware's flags.
package enum ThrottleFault: String, Sendable, Hashable, CaseIterable {
  /// The board has no such firmware.
  case absent
  /// The flags exist, but reading them fails.
  case inputOutput
}

/// The lasting faults of the simulated button's line.
package enum ButtonFault: String, Sendable, Hashable, CaseIterable {
  /// The line does not exist; a running watch ends with a failure.
  case absent
  /// Another process has the line.
  case busy
  /// The service may not open the line.
  case permissionDenied
}

/// The lasting faults of the simulated lamp.
package enum LampFault: String, Sendable, Hashable, CaseIterable {
  /// The lamp does not exist.
  case absent
  /// Switching the lamp fails.
  case inputOutput
  /// Turning the lamp off fails, and only that.
  case staysLit
}

/// The lasting faults of a simulated indicator.
package enum IndicatorFault: String, Sendable, Hashable, CaseIterable {
  /// The light does not exist.
  case absent
  /// Showing a pattern fails.
  case inputOutput
}
