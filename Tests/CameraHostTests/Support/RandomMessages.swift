import Devices
import TestSupport

@testable import CameraHost

/// Messages of every kind with random contents, the same for the same seed.
struct RandomMessages {

  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func bytes(count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  mutating func request() -> HostRequest {
    switch pick(3) {
    case 0: .giveBack(lease: generator.next())
    case 1: .abandon(camera: integer())
    default: .call(id: generator.next(), call())
    }
  }

  mutating func reply() -> HostReply {
    switch pick(4) {
    case 0:
      .ready(
        HostGreeting(
          version: integer(),
          confinement: confinement()))
    case 1: .answer(id: generator.next(), answer())
    case 2: .event(stream: integer(), event())
    default: .endOfStream(integer())
    }
  }

  private mutating func confinement() -> Confinement {
    var confinement = Confinement()
    confinement.diesWithParent = flag()
    confinement.hasNoNewPrivileges = flag()
    confinement.leavesNoCore = flag()
    confinement.hasNoCapabilities = flag()
    confinement.landlockVersion = integer()
    confinement.hasCallFilter = flag()
    return confinement
  }

  private mutating func call() -> HostCall {
    switch pick(10) {
    case 0: .cameras
    case 1: .open(id: text())
    case 2: .resolve(camera: integer(), configuration: configuration())
    case 3: .start(camera: integer(), stream: integer(), configuration: configuration())
    case 4: .lease(camera: integer(), stream: integer(), frame: generator.next())
    case 5: .setFrameRate(camera: integer(), frameRate: double())
    case 6: .stop(camera: integer())
    case 7: .close(camera: integer())
    case 8: .setControls(camera: integer(), controls: controls())
    default: .shutDown
    }
  }

  private mutating func answer() -> HostAnswer {
    switch pick(9) {
    case 0: .done
    case 1: .cameras((0..<pick(5)).map { _ in description() })
    case 2:
      .opened(
        camera: integer(), HostedIdentity(identity: description(), capabilities: capabilities()))
    case 3:
      .resolved(
        ResolvedStreamConfiguration(
          format: format(), bufferCount: integer(), leasedFrameCount: integer(),
          frameDuration: duration(), readoutDuration: duration() ?? .zero,
          coverage: pick(2) == 0 ? nil : SensorCoverage(width: 1, height: 0.75),
          raw: flag() ? rawFormat() : nil, preview: flag() ? format() : nil,
          adjustments: (0..<pick(3)).map { _ in text() }))
    case 4:
      .lease(
        HostedLease(
          lease: generator.next(), info: frame(), format: format(), buffer: integer(),
          offset: integer(), byteCount: integer(), raw: flag() ? rawFrame() : nil,
          preview: flag()
            ? HostedPreview(
              format: format(), buffer: integer(), offset: integer(), byteCount: integer()) : nil))
    case 5: .noLease
    case 6: .capabilities(capabilities())
    case 7: .frameDuration(duration() ?? .zero)
    default: .failure(error())
    }
  }

  private mutating func event() -> CameraEvent {
    switch pick(6) {
    case 0: .frame(frame())
    case 1: .damagedFrame(sequence: generator.next())
    case 2: .starved
    case 3: .replenished
    case 4: .streamFailed(error())
    default: .disconnected
    }
  }

  mutating func frame() -> FrameInfo {
    var frame = FrameInfo(
      id: generator.next(), sequence: generator.next(),
      timestamp: MonotonicInstant(nanoseconds: Int64(bitPattern: generator.next())),
      exposureDuration: duration(), readoutDuration: duration() ?? .zero,
      frameDuration: duration(), analogueGain: flag() ? double() : nil,
      digitalGain: flag() ? double() : nil, lensPosition: flag() ? double() : nil,
      exposureState: state(), whiteBalanceState: state(),
      whiteBalanceGains: flag() ? WhiteBalanceGains(red: double(), blue: double()) : nil,
      colorTemperature: flag() ? integer() : nil,
      focusState: flag() ? FocusState.allCases[pick(FocusState.allCases.count)] : nil,
      crop: flag() ? region() : nil, videoZoomFactor: flag() ? double() : nil)
    frame.isTimestampKnown = flag()
    return frame
  }

  private mutating func state() -> AdjustmentState? {
    flag() ? AdjustmentState.allCases[pick(AdjustmentState.allCases.count)] : nil
  }

  private mutating func region() -> SensorRegion {
    SensorRegion(
      left: integer(), top: integer(), size: FrameSize(width: integer(), height: integer()))
  }

  private mutating func configuration() -> StreamConfiguration {
    StreamConfiguration(
      size: FrameSize(width: integer(), height: integer()),
      pixelFormats: PixelFormat.allCases.shuffled(using: &generator),
      frameRate: flag() ? double() : nil, ringFrameCount: integer(), leasedFrameCount: integer())
  }

  private mutating func controls() -> CameraControls {
    CameraControls(
      exposureMode: flag() ? .custom(duration: .microseconds(pick(5000)), gain: double()) : nil,
      whiteBalanceMode: flag() ? .custom(WhiteBalanceGains(red: double(), blue: double())) : nil,
      focusMode: flag() ? .locked(lensPosition: flag() ? double() : nil) : nil,
      videoZoomFactor: double(), flickerAvoidance: flag() ? .hertz50 : .off,
      noiseReduction: flag() ? .fast : nil, image: flag() ? [.brightness: double()] : [:])
  }

  private mutating func format() -> StreamFormat {
    StreamFormat(
      size: FrameSize(width: integer(), height: integer()), pixelFormat: .nv12,
      bytesPerRow: integer(), colorSpace: flag() ? .jpeg : .unspecified)
  }

  private mutating func rawFormat() -> RawStreamFormat {
    RawStreamFormat(
      format: RawFormat(
        mosaic: RawFormat.Mosaic.allCases[pick(RawFormat.Mosaic.allCases.count)],
        bitDepth: integer(),
        packing: RawFormat.Packing.allCases[pick(RawFormat.Packing.allCases.count)]),
      size: FrameSize(width: integer(), height: integer()), bytesPerRow: integer())
  }

  private mutating func rawFrame() -> HostedRawFrame {
    HostedRawFrame(
      format: rawFormat(),
      properties: RawProperties(
        blackLevels: (0..<pick(5)).map { _ in double() }, whiteLevel: double(),
        neutral: (0..<3).map { _ in double() }, colorMatrix: (0..<9).map { _ in double() }),
      buffer: integer(), offset: integer(), byteCount: integer())
  }

  private mutating func description() -> CameraDescription {
    CameraDescription(
      id: text(), model: text(), position: flag() ? .back : .external,
      mountingRotation: integer(),
      largestSize: flag() ? FrameSize(width: integer(), height: integer()) : nil)
  }

  private mutating func capabilities() -> CameraCapabilities {
    CameraCapabilities(
      exposureModes: flag() ? Set(CameraControls.ExposureMode.Kind.allCases) : [],
      exposureDurations: flag() ? .zero...(.nanoseconds(Int64(pick(5000)))) : nil,
      gains: flag() ? 1...Double(1 + pick(16)) : nil,
      focusModes: flag() ? [.locked] : [], lensPositions: flag() ? 0...Double(pick(15)) : nil,
      noiseReductions: flag() ? Set(CameraControls.NoiseReduction.allCases) : [],
      imageControls: flag() ? [.sharpness: 0...Double(1 + pick(16))] : [:])
  }

  private mutating func error() -> DeviceError {
    DeviceError(
      DeviceError.Code(rawValue: text()), device: text(), problem: text(),
      cause: flag() ? text() : nil,
      underlyingCode: flag() ? DeviceError.Code(rawValue: text()) : nil)
  }

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
  private mutating func flag() -> Bool { Bool.random(using: &generator) }
  private mutating func integer() -> Int {
    flag() ? pick(5000) : Int(truncatingIfNeeded: generator.next())
  }
  private mutating func double() -> Double {
    let number = Double(bitPattern: generator.next())
    return number.isNaN ? 0.1 : number
  }
  private mutating func duration() -> Duration? {
    // A third of a second is no whole number of nanoseconds.
    let part = Duration.seconds(1) / 3
    return flag() ? Duration.nanoseconds(Int64(bitPattern: generator.next())) + part : nil
  }
  private mutating func text() -> String {
    let words = [
      "", "imx708", "/base/soc/i2c0mux/i2c@1", "größer", "a \"quoted\" \\ word", "\u{0}\n\t", "🎞",
    ]
    return (0..<pick(4)).map { _ in words[pick(words.count)] }.joined(separator: " ")
  }
}
