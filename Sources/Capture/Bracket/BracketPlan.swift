import Devices
import Glibc

/// The reason that a bracket is refused before it begins.
struct BracketRefusal: Error, Hashable {
  let reason: RefusalReason
  /// The cause in words.
  let cause: String

  static func unsupported(_ cause: String) -> BracketRefusal {
    BracketRefusal(reason: .bracketNotSupported, cause: cause)
  }
}

/// The camera as far as a bracket depends on it.
struct BracketCamera: Sendable, Hashable {
  /// The controls of the session, which hold before and after the bracket.
  var controls: CameraControls
  var capabilities: CameraCapabilities
  /// The stream's time between frames; `nil` when the camera does not report it.
  var frameDuration: Duration?
  /// The number of frames that can be leased at once.
  var leasedFrameCount: Int
}

/// The controls of one frame of a bracket, and the values that the frame must report.
struct BracketStep: Sendable, Hashable {
  enum Target: Sendable, Hashable {
    /// The product of nanoseconds and gains.
    case exposure(Double)
    /// The position in diopters.
    case lensPosition(Double)
    /// The lamp that is lit, by its name.
    case lamp(String)
  }

  /// The difference of an exposure that still matches, as a share.
  static let exposureTolerance = 0.02
  /// The difference of a lens position that still matches, in diopters.
  static let lensTolerance = 0.1

  /// The picture's place in the bracket, from 0.
  var index: Int
  var controls: CameraControls
  var target: Target
  /// The exposure's difference from the metered one in EV; `nil` when the exposure is no step.
  var exposureBias: Double?

  /// The name of the lamp that lights the frame alone; `nil` for other brackets.
  var lamp: String? {
    if case .lamp(let name) = target { name } else { nil }
  }

  /// Returns whether a frame was exposed as the step wants, by its own report.
  ///
  /// - Parameter isLit: whether it was exposed in the light of the step's lamp.
  func matches(_ frame: FrameInfo, isLit: Bool = false) -> Bool {
    switch target {
    case .lamp: return isLit
    case .exposure(let product):
      guard let actual = frame.exposureProduct else { return false }
      return abs(actual - product) <= Self.exposureTolerance * product
    case .lensPosition(let position):
      guard let actual = frame.lensPosition, frame.focusState != .scanning else { return false }
      return abs(actual - position) <= Self.lensTolerance
    }
  }
}

/// The steps of a bracket on a camera, from a metered frame.
///
/// An exposure step keeps the gain and changes the exposure duration, within the camera's limits
/// and one frame. The gain changes only for the rest. All other automatics are held meanwhile.
struct BracketPlan: Sendable, Hashable {
  /// The part of a frame that exposures leave free.
  static let frameMargin = Duration.milliseconds(1)

  /// The steps in the order of the pictures.
  private(set) var steps: [BracketStep] = []

  /// Plans a bracket.
  ///
  /// - Throws: ``BracketRefusal`` when the camera cannot take all steps.
  init(
    _ bracket: Bracket, on camera: BracketCamera, metered: FrameInfo
  ) throws(BracketRefusal) {
    guard bracket.values.count <= camera.leasedFrameCount else {
      throw .unsupported(
        "\(bracket.values.count) frames are more than the \(camera.leasedFrameCount) that the "
          + "camera's memory has room for")
    }
    guard bracket.kind != .lamp else {
      // The automatics settle in each light.
      steps = bracket.lamps.enumerated().map { index, lamp in
        BracketStep(index: index, controls: camera.controls, target: .lamp(lamp))
      }
      return
    }
    for (index, value) in bracket.values.enumerated() {
      var step = try Self.step(bracket.kind, value, camera, metered)
      if let cause = camera.capabilities.refusal(of: step.controls) {
        throw BracketRefusal(reason: .bracketOutOfRange, cause: cause)
      }
      step.index = index
      steps.append(step)
    }
  }

  private static func step(
    _ kind: Bracket.Kind, _ value: Double, _ camera: BracketCamera, _ metered: FrameInfo
  ) throws(BracketRefusal) -> BracketStep {
    kind == .lensPosition
      ? try focus(value, camera, metered) : try exposure(kind, value, camera, metered)
  }

  private static func focus(
    _ position: Double, _ camera: BracketCamera, _ metered: FrameInfo
  ) throws(BracketRefusal) -> BracketStep {
    guard camera.capabilities.focusModes.contains(.locked), metered.lensPosition != nil else {
      throw .unsupported("the camera's lens cannot be placed, or does not report its place")
    }
    var controls = camera.controls
    controls.hold(besides: .focus, camera.capabilities, metered)
    controls.focusMode = .locked(lensPosition: position)
    return BracketStep(index: 0, controls: controls, target: .lensPosition(position))
  }

  private static func exposure(
    _ kind: Bracket.Kind, _ value: Double, _ camera: BracketCamera, _ metered: FrameInfo
  ) throws(BracketRefusal) -> BracketStep {
    let capabilities = camera.capabilities
    guard capabilities.exposureModes.contains(.custom) else {
      throw .unsupported("the camera's exposure cannot be set")
    }
    guard let base = metered.exposureProduct, let exposed = metered.exposureDuration, base > 0
    else { throw .unsupported("the camera does not report its exposure") }
    let gains = capabilities.gains ?? CameraControls.ExposureMode.gains
    let nanoseconds = Double(exposed.wholeNanoseconds)
    let gain = min(max(base / nanoseconds, gains.lowerBound), gains.upperBound)
    var controls = camera.controls
    controls.hold(besides: .exposure, capabilities, metered)
    guard kind == .exposureBias else {
      let duration = Duration.microseconds(Int64((value * 1000).rounded()))
      controls.exposureMode = .custom(duration: duration, gain: gain)
      let product = Double(duration.wholeNanoseconds) * gain
      return BracketStep(
        index: 0, controls: controls, target: .exposure(product),
        exposureBias: log2(product / base))
    }
    let product = base * exp2(value)
    let frame = metered.frameDuration ?? camera.frameDuration ?? .seconds(1)
    let limits = capabilities.exposureDurations ?? CameraControls.ExposureMode.durations
    let longest = min(limits.upperBound, max(exposed, frame - frameMargin))
    let wanted = Duration.microseconds(Int64((product / gain / 1000).rounded()))
    let duration = max(limits.lowerBound, min(wanted, longest))
    // The gain makes up for the rest, and for whole microseconds.
    let needed = product / Double(max(1, duration.wholeNanoseconds))
    let given = min(max(needed, gains.lowerBound), gains.upperBound)
    guard abs(given - needed) <= BracketStep.exposureTolerance / 2 * needed else {
      throw BracketRefusal(
        reason: .bracketOutOfRange,
        cause: "\(value) EV needs a gain of \(needed), which is not within \(gains)")
    }
    controls.exposureMode = .custom(duration: duration, gain: given)
    return BracketStep(
      index: 0, controls: controls, target: .exposure(product), exposureBias: value)
  }
}

extension FrameInfo {
  /// The product of the exposure duration in nanoseconds and all gains; `nil` when unreported.
  var exposureProduct: Double? {
    guard let exposureDuration, let analogueGain else { return nil }
    return Double(exposureDuration.wholeNanoseconds) * analogueGain * (digitalGain ?? 1)
  }
}

extension CameraControls {
  /// Holds the automatics besides one, as far as the camera can, so that frames differ in one way.
  fileprivate mutating func hold(
    besides free: ConvergenceDetector.Aspect, _ capabilities: CameraCapabilities,
    _ metered: FrameInfo
  ) {
    if free != .exposure, !fixes(.exposure), capabilities.exposureModes.contains(.locked) {
      exposureMode = .locked
    }
    if !fixes(.whiteBalance), capabilities.whiteBalanceModes.contains(.locked) {
      whiteBalanceMode = .locked
    }
    if free != .focus, !fixes(.focus), capabilities.focusModes.contains(.locked) {
      let position = metered.lensPosition.flatMap { position in
        capabilities.lensPositions.map {
          min(max(position, $0.lowerBound), $0.upperBound)
        }
      }
      focusMode = .locked(lensPosition: position)
    }
  }
}
