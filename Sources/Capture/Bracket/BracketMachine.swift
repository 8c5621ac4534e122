import Devices

/// The course of one bracket, frame by frame, as a value without clock and camera.
///
/// | state | ends with |
/// |---|---|
/// | metering | the first settled frame: the plan, or a refusal |
/// | exposing | a leased frame for every step, or a refusal |
/// | restoring | the session's controls or dark lamps, and a frame that shows them |
///
/// The controls of all exposure steps are set at once, because a camera applies successive controls
/// to successive frames. Which frame has which controls is known only from the frames' own report.
/// A lens has no such order, so its positions are set one after the other. A step that no frame has
/// shown is set again. Lamps are lit one after the other; their owner knows which frames show one.
/// Every way out leads through the restored controls, except the stream's end.
struct BracketMachine: Sendable, Hashable {
  /// A step that the owner carries out.
  enum Action: Sendable, Hashable {
    /// Set these controls, one after the other.
    case set([CameraControls])
    /// Light this lamp alone; `nil` for none.
    case light(String?)
    /// Lease a frame for a step, and report with ``leased(_:)`` or ``lost(_:)``.
    case lease(FrameInfo, step: Int)
    /// Refuse the press.
    case refuse(BracketRefusal)
    /// Set the session's controls.
    case restore
    /// Admit presses again: the frame shows the session's controls.
    case end
  }

  private enum State: Sendable, Hashable {
    case metering
    case exposing
    /// The session's controls are to be set with the next frame.
    case mustRestore
    case restoring(framesLeft: Int)
    case ended
  }

  /// The times that missing steps are set at most.
  static let maximumRounds = 3
  /// The number of frames that a lens has to report a position before the chosen one.
  ///
  /// Drivers report the position at which the lens will arrive.
  static let lensFrames = 2

  /// The planned steps, in the order of the pictures; empty before the metering.
  private(set) var steps: [BracketStep] = []
  private let bracket: Bracket
  private let camera: BracketCamera
  private let pressTime: MonotonicInstant
  private let settlingLimit: Duration
  private var state = State.metering
  private var metered: FrameInfo?
  /// The steps without a frame, in the order in which they are set.
  private var missing: [Int] = []
  /// The number of frames that are being leased.
  private var leasing = 0
  private var rounds = 0
  /// The number of frames since controls were set or a frame was chosen.
  private var idleFrames = 0
  /// The time at which controls were set last; earlier exposures cannot show them.
  private var setTime = MonotonicInstant(nanoseconds: 0)
  /// The number of successive frames that matched the awaited lens position.
  private var matches = 0
  /// The step whose lamp was asked for last; `nil` for other brackets.
  private var litStep: Int?

  /// Begins with a press.
  ///
  /// - Parameters:
  ///   - pressTime: the time of the press; no earlier frame is taken.
  ///   - settlingLimit: the maximum time after the press to wait for settled automatics.
  init(
    _ bracket: Bracket, on camera: BracketCamera, pressTime: MonotonicInstant,
    settlingLimit: Duration
  ) {
    self.bracket = bracket
    self.camera = camera
    self.pressTime = pressTime
    self.settlingLimit = settlingLimit
  }

  /// Whether the camera's controls may differ from the session's.
  var hasChangedControls: Bool {
    switch state {
    case .metering, .ended: false
    case .exposing, .mustRestore, .restoring: true
    }
  }

  /// Whether frames are still chosen.
  var isChoosing: Bool { state == .metering || state == .exposing }

  /// Whether the steps are set one after the other.
  private var isOneByOne: Bool { bracket.kind == .lensPosition || bracket.kind == .lamp }

  /// The number of frames in which set controls must have shown.
  private var frameLimit: Int { Int(PendingDuration.framesUnderWay) + steps.count }

  /// Takes a frame.
  ///
  /// - Parameters:
  ///   - frame: the frame.
  ///   - isFree: whether no other press waits for its frame; before, nothing is changed.
  ///   - isInLight: whether the frame was exposed in the light that was asked for last, a lamp's
  ///     or none.
  ///   - now: the time of the call.
  mutating func frame(
    _ frame: FrameInfo, isFree: Bool, isInLight: Bool = false, now: MonotonicInstant
  ) -> [Action] {
    switch state {
    case .metering: isFree ? meter(frame, now) : []
    case .exposing: expose(frame, isLit: isInLight, now)
    case .mustRestore: restore(now)
    case .restoring where bracket.kind == .lamp: lookForDark(frame, isInLight)
    case .restoring(let framesLeft): lookForEnd(frame, framesLeft)
    case .ended: []
    }
  }

  /// Notes that a step's frame is leased.
  ///
  /// - Returns: whether all steps have their frames.
  mutating func leased(_ step: Int) -> Bool {
    guard state == .exposing else { return false }
    leasing -= 1
    guard missing.isEmpty, leasing == 0 else { return false }
    state = .mustRestore
    return true
  }

  /// Notes that a step's frame was overwritten, so that the step needs another one.
  mutating func lost(_ step: Int) {
    guard state == .exposing else { return }
    leasing -= 1
    missing.append(step)
    order()
    // The next frame without a match sets the controls again.
    idleFrames = frameLimit + (bracket.kind == .lamp ? 1 : 0)
  }

  /// Gives the bracket up; the next frame restores the controls.
  mutating func giveUp() {
    switch state {
    case .metering: state = .ended
    case .exposing:
      // Steps may be under way in any order.
      rounds = max(rounds, 2)
      state = .mustRestore
    case .mustRestore, .restoring, .ended: break
    }
  }

  // MARK: Metering

  private mutating func meter(_ frame: FrameInfo, _ now: MonotonicInstant) -> [Action] {
    let waited = pressTime.duration(to: frame.exposureMidpoint)
    guard frame.adjusting.isEmpty || waited >= settlingLimit else { return [] }
    metered = frame
    do throws(BracketRefusal) {
      steps = try BracketPlan(bracket, on: camera, metered: frame).steps
    } catch {
      state = .ended
      return [.refuse(error)]
    }
    missing = Array(steps.indices)
    order()
    state = .exposing
    return [setMissing(now)] + expose(frame, now)
  }

  /// Orders missing steps by exposure: a driver makes frames longer for the last one that is set.
  private mutating func order() {
    let steps = steps
    missing.sort { one, other in
      switch (steps[one].target, steps[other].target) {
      case (.exposure(let one), .exposure(let other)): one < other
      default: one < other
      }
    }
  }

  private mutating func setMissing(_ now: MonotonicInstant) -> Action {
    rounds += 1
    (idleFrames, matches, setTime) = (0, 0, now)
    let next = isOneByOne ? Array(missing.prefix(1)) : missing
    if let step = next.first, let lamp = steps[step].lamp {
      litStep = step
      return .light(lamp)
    }
    return .set(next.map { steps[$0].controls })
  }

  // MARK: Exposing

  private mutating func expose(
    _ frame: FrameInfo, isLit: Bool = false, _ now: MonotonicInstant
  ) -> [Action] {
    guard frame.exposureMidpoint >= pressTime, !missing.isEmpty else { return [] }
    let isLens = bracket.kind == .lensPosition
    let awaited =
      bracket.kind == .lamp
      ? missing.filter { $0 == litStep } : isLens ? Array(missing.prefix(1)) : missing
    if let step = awaited.first(where: { steps[$0].matches(frame, isLit: isLit) }) {
      matches += 1
      idleFrames = 0
      guard !isLens || matches > Self.lensFrames else { return [] }
      missing.removeAll { $0 == step }
      leasing += 1
      let lease = Action.lease(frame, step: step)
      guard isOneByOne, !missing.isEmpty else { return [lease] }
      rounds = 0
      return [lease, setMissing(now)]
    }
    matches = 0
    // The owner of a lamp reports its failure.
    if bracket.kind != .lamp, frame.exposureMidpoint >= setTime { idleFrames += 1 }
    guard idleFrames > frameLimit else { return [] }
    guard rounds < Self.maximumRounds else {
      giveUp()
      let places = missing.sorted().map { "\($0 + 1)" }.joined(separator: ", ")
      return [
        .refuse(
          BracketRefusal(
            reason: .bracketNotExposed,
            cause: "no frame was exposed as step \(places) of \(bracket) wants"))
      ]
    }
    return [setMissing(now)]
  }

  // MARK: Restoring

  private mutating func restore(_ now: MonotonicInstant) -> [Action] {
    (setTime, matches) = (now, 0)
    state = .restoring(framesLeft: frameLimit)
    if bracket.kind == .lamp { return [.light(nil)] }
    return (meteredControls.map { [.set([$0])] } ?? []) + [.restore]
  }

  /// The metered value as controls; `nil` when the session's controls bring the value back.
  ///
  /// A locked automatic would keep the value of the last step.
  private var meteredControls: CameraControls? {
    guard let metered, var controls = steps.first?.controls else { return nil }
    let (session, capabilities) = (camera.controls, camera.capabilities)
    switch bracket.kind {
    case .lamp: return nil
    case .lensPosition:
      if case .locked(lensPosition: _?)? = session.focusMode { return nil }
      let isFound =
        session.focusMode?.isSingleScan == true
        || !session.fixes(.focus) && capabilities.focusModes.contains(.continuousAutoFocus)
      guard !isFound, let position = metered.lensPosition else { return nil }
      let limits = capabilities.lensPositions ?? CameraControls.FocusMode.lensPositions
      controls.focusMode = .locked(
        lensPosition: min(max(position, limits.lowerBound), limits.upperBound))
    case .exposureBias, .exposureDuration:
      if case .custom? = session.exposureMode { return nil }
      let isFound =
        !session.fixes(.exposure) && capabilities.exposureModes.contains(.continuousAutoExposure)
      guard !isFound, let duration = metered.exposureDuration, duration > .zero,
        let product = metered.exposureProduct
      else { return nil }
      let gains = capabilities.gains ?? CameraControls.ExposureMode.gains
      let gain = product / Double(duration.wholeNanoseconds)
      controls.exposureMode = .custom(
        duration: duration, gain: min(max(gain, gains.lowerBound), gains.upperBound))
    }
    return controls
  }

  private mutating func lookForEnd(_ frame: FrameInfo, _ framesLeft: Int) -> [Action] {
    matches = rounds <= 1 && showsMetered(frame) ? matches + 1 : 0
    // The lens arrives later than its report.
    let needed = bracket.kind == .lensPosition ? Self.lensFrames + 1 : 1
    guard framesLeft <= 1 || matches >= needed else {
      let counts = frame.exposureMidpoint >= setTime
      state = .restoring(framesLeft: framesLeft - (counts ? 1 : 0))
      return []
    }
    state = .ended
    return [.end]
  }

  /// Ends with a frame without the lamps, or when a lamp takes too long to go dark.
  private mutating func lookForDark(_ frame: FrameInfo, _ isDark: Bool) -> [Action] {
    let limit = setTime.advanced(by: LampSwitch.longestChange + LampSwitch.longestSettling)
    guard isDark || frame.exposureMidpoint >= limit else { return [] }
    state = .ended
    return [.end]
  }

  /// Returns whether a frame has the metered exposure or lens position again.
  private func showsMetered(_ frame: FrameInfo) -> Bool {
    switch (steps.first?.target, metered) {
    case (.exposure?, let metered?):
      guard let product = metered.exposureProduct, let now = frame.exposureProduct else {
        return false
      }
      return abs(now - product) <= BracketStep.exposureTolerance * product
    case (.lensPosition?, let metered?):
      guard let position = metered.lensPosition, let now = frame.lensPosition else { return false }
      return abs(now - position) <= BracketStep.lensTolerance
    default: return false
    }
  }
}
