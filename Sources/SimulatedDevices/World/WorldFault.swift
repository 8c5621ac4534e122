/// What can be wrong with a simulated camera for as long as it is said to be.
public enum CameraFault: String, Sendable, Hashable, CaseIterable {
  /// The cable is pulled: the camera is not listed, an open one reports `disconnected`.
  case absent
  /// Another process has the camera; opening it fails.
  case busy
  /// The service may not open the nodes; listing fails.
  case permissionDenied
  /// No frames come, and nothing is said; afterwards some old frames come first.
  case stalled
  /// There is no memory for buffers; starting a stream fails.
  case outOfMemory
  /// Every frame is marked as damaged.
  case damaged
}

/// What a simulated camera has done to its user, as opposed to what it was told to do.
///
/// A fault that is injected and mended before anybody notices does nothing; see
/// ``SimulatedWorld/cameraTroubles``.
public enum CameraTrouble: String, Sendable, Hashable, CaseIterable {
  /// All requests of a running stream were cancelled at once.
  case cancelBurst = "cancel burst"
  /// An open camera was unplugged.
  case disconnect
  /// Opening a camera was refused because another process has it.
  case busy
  /// Listing or opening cameras was refused for want of permission.
  case permissionDenied = "permission denied"
  /// Starting a stream failed for want of memory.
  case noMemory = "no memory"
  /// A running stream ceased to give frames.
  case stall
  /// An old frame was delivered after a stall.
  case staleFrame = "stale frame"
  /// A frame was marked as damaged.
  case errorFrame = "error frame"
}

/// What can be wrong with the simulated accelerometer for as long as it is said to be.
public enum AccelerometerFault: String, Sendable, Hashable, CaseIterable {
  /// The sensor is gone: starting fails, a running one reports a failure.
  case absent
  /// Every reading is bit for bit the same.
  case frozen
  /// Readings are no numbers, or absurdly large, in turn.
  case nonsense
  /// No readings come, and nothing is said.
  case silent
}

/// What can be wrong with the simulated temperature sensor for as long as it is said to be.
public enum TemperatureFault: String, Sendable, Hashable, CaseIterable {
  /// The zone is gone.
  case absent
  /// The zone exists and reading it fails.
  case inputOutput
  /// The zone reports what cannot be.
  case implausible
}

/// What can be wrong with the simulated firmware's flags for as long as it is said to be.
public enum ThrottleFault: String, Sendable, Hashable, CaseIterable {
  /// The board has no such firmware.
  case absent
  /// The flags exist and reading them fails.
  case inputOutput
}

/// What can be wrong with the simulated button's line for as long as it is said to be.
public enum ButtonFault: String, Sendable, Hashable, CaseIterable {
  /// The line does not exist; a running watch ends with a failure.
  case absent
  /// Another process has the line.
  case busy
  /// The service may not open the line.
  case permissionDenied
}

/// What can be wrong with the simulated lamp for as long as it is said to be.
public enum LampFault: String, Sendable, Hashable, CaseIterable {
  /// The lamp does not exist.
  case absent
  /// Switching it fails.
  case inputOutput
}

/// What can be wrong with a simulated indicator for as long as it is said to be.
public enum IndicatorFault: String, Sendable, Hashable, CaseIterable {
  /// The light does not exist.
  case absent
  /// Showing a pattern fails.
  case inputOutput
}
