import CLibcameraShim
package import Devices
package import Logging

/// The cameras that libcamera knows: MIPI cameras of a Raspberry Pi, USB cameras, vimc.
///
/// libcamera allows one manager per process, so only one system of a process can be in use at a
/// time; a second one throws `busy`. The manager starts with the first call and stops with
/// ``shutDown()``. The next call starts it again.
package actor LibcameraSystem: CameraSystem {
  /// The amount of libcamera's output on standard error; applies to the whole process.
  package enum Verbosity: UInt32, Sendable, CaseIterable {
    /// The errors.
    case errors = 1
    /// The warnings, too.
    case warnings = 2
  }

  private static let device = "libcamera"

  private let executor = DispatchQueueExecutor(label: "platen.cameras")
  private let verbosity: Verbosity
  private let logger: Logger
  private var manager: platen_cameras = 0

  /// The executor, on which libcamera's blocking calls are made.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes a system; libcamera is not used before the first call.
  package init(verbosity: Verbosity = .warnings, logger: Logger) {
    self.verbosity = verbosity
    self.logger = logger
  }

  /// Loads and starts libcamera.
  package func prepare() async {
    _ = try? listed()
  }

  /// Lists the cameras, in the order of their IDs.
  ///
  /// A camera from which another process streams may be missing (vimc, USB). Then the list is
  /// looked up again each time.
  ///
  /// - Throws: ``Devices/DeviceError``: `permissionDenied` when there are no cameras but nodes that
  ///   may not be opened; `busy` when another system of this process is in use;
  ///   ``Devices/DeviceError/Code/needsNewProcess`` after a camera was lost.
  package func cameras() async throws(DeviceError) -> [CameraDescription] {
    try listed()
  }

  /// Opens a camera for this process alone; the camera is a ``LibcameraCamera``.
  ///
  /// - Throws: ``Devices/DeviceError``: `absent`, `busy` when another process or this one has it,
  ///   `permissionDenied`, ``Devices/DeviceError/Code/needsNewProcess`` after a camera was lost.
  package func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera {
    let manager = try started()
    let identity = try listed().first { $0.id == id }
    var handle: platen_camera = 0
    var descriptor: Int32 = -1
    let outcome = ShimOutcome.of { cause, size in
      platen_camera_acquire(manager, id, &handle, &descriptor, cause, size)
    }
    guard outcome.status == 0 else {
      let error = DeviceError(outcome, device: id, problem: "cannot be opened", missing: .absent)
      // libcamera skips nodes that it may not open, even when it lists other cameras.
      if error.code == .absent { try requirePermission() }
      throw error
    }
    return LibcameraCamera(
      handle: handle, eventDescriptor: descriptor,
      identity: identity ?? CameraDescription(id: id, model: id), logger: logger)
  }

  /// Stops libcamera; all cameras must be closed before, or libcamera continues, which is logged.
  package func shutDown() async {
    guard manager != 0 else { return }
    let manager = manager
    let outcome = ShimOutcome.of { cause, size in platen_cameras_close(manager, cause, size) }
    guard outcome.status == 0 else {
      logger.error(
        "libcamera goes on until the process ends", metadata: ["cause": "\(outcome.cause)"])
      return
    }
    self.manager = 0
  }

  /// Stops libcamera, and starts it again with the next call, as far as one process allows.
  ///
  /// The call equals ``shutDown()``: cameras must be closed before, and it cannot help after
  /// ``Devices/DeviceError/Code/needsNewProcess``.
  package func restart() async {
    await shutDown()
  }

  private func started() throws(DeviceError) -> platen_cameras {
    if manager != 0 { return manager }
    platen_cameras_set_log_level(platen_cameras_log_level(rawValue: verbosity.rawValue))
    var opened: platen_cameras = 0
    let outcome = ShimOutcome.of { cause, size in
      platen_cameras_open(&opened, cause, size)
    }
    guard outcome.status == 0 else {
      throw DeviceError(outcome, device: Self.device, problem: "cannot be started")
    }
    manager = opened
    return opened
  }

  private func listed() throws(DeviceError) -> [CameraDescription] {
    let manager = try started()
    let capacity = 32
    var cameras = [platen_cameras_description](
      repeating: platen_cameras_description(), count: capacity)
    let outcome = ShimOutcome.of { cause, size in
      platen_cameras_list(manager, &cameras, capacity, cause, size)
    }
    guard outcome.status >= 0 else {
      throw DeviceError(outcome, device: Self.device, problem: "cannot list the cameras")
    }
    if outcome.status == 0 {
      try requirePermission()
    }
    return cameras.prefix(Int(outcome.status)).map { CameraDescription($0) }
  }

  private func requirePermission() throws(DeviceError) {
    var nodes = platen_cameras_preflight_result()
    guard platen_cameras_preflight("/dev", &nodes) == 0, nodes.denied_nodes > 0 else { return }
    throw DeviceError(
      .permissionDenied, device: shimText(of: nodes.first_denied), problem: "cannot be opened",
      cause: "the user needs the group of this node, commonly \"video\"")
  }
}
