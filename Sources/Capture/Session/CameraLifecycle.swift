import Devices

/// Leads the session's camera through its life, without a clock and without calls of the camera.
///
/// The session's streaming task carries out ``nextStep(at:)`` and reports the result. During a
/// stream it waits for ``requestedEnd()``, a fault or a stall instead. The choice of a camera, a
/// change of the settings and a technician's stop may come from other tasks in any state.
struct CameraLifecycle {
  /// An open camera and the role that it was opened for.
  struct OpenCamera {
    let camera: any Camera
    let role: CameraRole
  }

  /// The pause before the next attempt with a role; its end is `nil` before its beginning.
  struct Pause {
    var role: CameraRole
    let length: Duration
    var end: MonotonicInstant?
  }

  enum State {
    /// No camera is open; the next one is opening.
    case absent
    /// The camera of a role is being opened; it is starting or recovering afterward.
    case opening(CameraRole)
    /// An open camera gets its stream; it streams, recovers or is closed for another afterward.
    case starting(OpenCamera)
    /// The camera streams; it is changing, recovering, closed or started again afterward.
    case streaming(OpenCamera)
    /// Other settings are applied to the first camera; either one streams or recovers afterward.
    case changing(OpenCamera, from: OpenCamera)
    /// The camera has failed; it is opened, or started if it is still open, after the pause.
    case recovering(OpenCamera?, Pause)
    /// A technician has stopped the camera, which is closed until it is wanted again.
    case stopped
  }

  /// A step for the session to carry out while no stream runs.
  enum Step {
    /// Close the open camera.
    case close
    /// Find and open the camera of a role; ends with ``opened(_:as:)`` or ``failed(_:at:)``.
    case open(CameraRole)
    /// Start a stream of the open camera, and follow it until it ends.
    case start(any Camera)
    /// Wait for the end of the pause, or for an event.
    case pause(until: MonotonicInstant)
    /// Wait for an event, because the camera is not wanted.
    case stayStopped
  }

  private(set) var state = State.absent
  /// The role of the camera to use; differs from the wanted one while the standby has taken over.
  private(set) var activeRole: CameraRole
  /// Whether a technician wants the camera closed.
  var isStopWanted = false
  /// The recovery attempts.
  var ladder: RecoveryLadder
  /// The beginning of the camera's outage; `nil` while no fault is known.
  var outageBegan: MonotonicInstant?
  /// The opened cameras by role: a camera that is no longer listed may be in use.
  var knownCameras: [CameraRole: CameraDescription.ID] = [:]
  private var waitingChange: SettingsChange?

  init(_ role: CameraRole, ladder: RecoveryLadder) {
    activeRole = role
    self.ladder = ladder
  }

  /// The open camera; `nil` while there is none.
  var current: OpenCamera? {
    switch state {
    case .absent, .opening, .stopped: nil
    case .starting(let camera), .streaming(let camera), .changing(let camera, _): camera
    case .recovering(let camera, _): camera
    }
  }

  /// Whether the open camera is the one to use; another may have been chosen meanwhile.
  var isCurrentActive: Bool { current?.role == activeRole }

  // MARK: Without a stream

  /// Returns the next step on the way to a stream, or on the way to a closed camera.
  mutating func nextStep(at now: MonotonicInstant) -> Step {
    // A camera kept open for a retry belongs to the old role if the role has changed meanwhile.
    if current != nil, isStopWanted || !isCurrentActive { return .close }
    if isStopWanted {
      state = .stopped
      return .stayStopped
    }
    if case .recovering(let camera, var pause) = state, pause.role == activeRole {
      let end = pause.end ?? now.advanced(by: pause.length)
      pause.end = end
      state = .recovering(camera, pause)
      if now < end { return .pause(until: end) }
    }
    guard let open = current else {
      state = .opening(activeRole)
      return .open(activeRole)
    }
    state = .starting(open)
    return .start(open.camera)
  }

  /// Takes an opened camera, and returns whether it is used.
  mutating func opened(_ camera: any Camera, as role: CameraRole) -> Bool {
    let isUsed = role == activeRole
    state = isUsed ? .starting(OpenCamera(camera: camera, role: role)) : .absent
    return isUsed
  }

  /// Takes the start of the open camera, and returns whether it streams on.
  mutating func started() -> Bool {
    guard let current, isCurrentActive else { return false }
    state = .streaming(current)
    return true
  }

  /// Gives up the open camera and returns it to be closed; `nil` when there is none.
  mutating func release() -> (any Camera)? {
    let released = current?.camera
    if case .recovering(_, let pause) = state {
      state = .recovering(nil, pause)
    } else {
      state = .absent
    }
    return released
  }

  // MARK: The stream and its changes

  /// Keeps a change until the stream is interrupted for it, and returns whether it waits.
  ///
  /// A stop takes precedence, and a camera that has failed gets no change.
  mutating func wait(for change: SettingsChange) -> Bool {
    switch state {
    case .starting, .streaming:
      guard !isStopWanted, waitingChange == nil else { return false }
      waitingChange = change
      return true
    case .absent, .opening, .changing, .recovering, .stopped: return false
    }
  }

  /// Removes the waiting change and returns it.
  mutating func takeChange() -> SettingsChange? {
    defer { waitingChange = nil }
    return waitingChange
  }

  /// Returns the request for the end of the running stream, if there is one.
  mutating func requestedEnd() -> StreamEnd? {
    if isStopWanted { return .stopped }
    guard case .streaming = state, let change = takeChange() else { return nil }
    return .change(change)
  }

  /// Begins a change, perhaps of the camera; returns the camera in use, which is the fallback.
  mutating func beginChange(to role: CameraRole, _ other: (any Camera)?) -> (any Camera)? {
    guard let current else { return nil }
    activeRole = role
    state = .changing(other.map { OpenCamera(camera: $0, role: role) } ?? current, from: current)
    return current.camera
  }

  /// Returns to the fallback of a change that failed.
  mutating func rollBack() {
    guard case .changing(_, let fallback) = state else { return }
    activeRole = fallback.role
    state = .changing(fallback, from: fallback)
  }

  /// Ends a change whose camera streams.
  mutating func finishChange() {
    guard case .changing(let camera, let fallback) = state else { return }
    if camera.role != fallback.role { ladder.cameraChanged() }
    state = .streaming(camera)
  }

  // MARK: Failures and requests

  /// Takes a failure and returns the means of recovery.
  ///
  /// A camera chosen while another was opened or started has neither the pause nor the failure.
  mutating func failed(_ error: DeviceError, at now: MonotonicInstant) -> RecoveryLadder.Step {
    let step = ladder.failed(error, at: now)
    var role = current?.role ?? activeRole
    if case .opening(let opened) = state { role = opened }
    state = .recovering(current, Pause(role: role, length: step.pause))
    if role != activeRole { ladder.cameraChanged() }
    return step
  }

  /// Uses the standby after failures, or the wanted camera when the standby has failed.
  ///
  /// - Returns: whether the role changes; a camera chosen since the failure is not replaced.
  mutating func standbyTakesOver(_ standby: CameraRole, from wanted: CameraRole) -> Bool {
    guard case .recovering(let camera, var pause) = state, pause.role == activeRole,
      standby != wanted
    else { return false }
    activeRole = activeRole == wanted ? standby : wanted
    pause.role = activeRole
    state = .recovering(camera, pause)
    ladder.standbyChanged()
    return true
  }

  /// Chooses the camera to use while no camera streams, with a new count of failures.
  mutating func choose(_ role: CameraRole) {
    guard role != activeRole else { return }
    activeRole = role
    ladder.cameraChanged()
  }
}
