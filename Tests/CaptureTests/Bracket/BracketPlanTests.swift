import Devices
import Testing

@testable import Capture

@Suite struct BracketPlanTests {
  static let camera = BracketCamera(
    controls: CameraControls(videoZoomFactor: 2), capabilities: capabilities,
    frameDuration: .microseconds(33_333), leasedFrameCount: 4)

  static var capabilities: CameraCapabilities {
    CameraCapabilities(
      exposureModes: [.continuousAutoExposure, .locked, .custom],
      exposureDurations: .microseconds(100)...(.seconds(1)), gains: 1...8,
      whiteBalanceModes: [.continuousAutoWhiteBalance, .locked],
      focusModes: [.continuousAutoFocus, .locked], lensPositions: 0...10,
      maximumVideoZoomFactor: 4)
  }

  static func frame(
    _ id: UInt64 = 1, milliseconds: Double = 10, gain: Double = 2, digital: Double? = nil,
    lens: Double? = 2
  ) -> FrameInfo {
    FrameInfo(
      id: id, sequence: id,
      timestamp: MonotonicInstant(nanoseconds: Int64(id) * 33_333_000),
      exposureDuration: .nanoseconds(Int64(milliseconds * 1_000_000)),
      frameDuration: .microseconds(33_333), analogueGain: gain, digitalGain: digital,
      lensPosition: lens)
  }

  private func steps(
    _ text: String, _ metered: FrameInfo = BracketPlanTests.frame(),
    on camera: BracketCamera = BracketPlanTests.camera
  ) throws -> [BracketStep] {
    try BracketPlan(Bracket(text), on: camera, metered: metered).steps
  }

  private func exposures(_ steps: [BracketStep]) -> [String] {
    steps.map { step in
      guard case .custom(let duration, let gain)? = step.controls.exposureMode else { return "?" }
      return "\(duration.wholeNanoseconds / 1000) us, \(Int((gain * 1000).rounded()))"
    }
  }

  @Test func `the gain stays and the duration changes`() throws {
    let steps = try steps("ev=-2,0,1")
    #expect(exposures(steps) == ["2500 us, 2000", "10000 us, 2000", "20000 us, 2000"])
    #expect(steps.map(\.index) == [0, 1, 2] && steps.map(\.exposureBias) == [-2, 0, 1])
    #expect(steps.allSatisfy { $0.controls.videoZoomFactor == 2 }, "the rest stays")
    #expect(steps.allSatisfy { $0.controls.whiteBalanceMode == .locked })
    #expect(steps.allSatisfy { $0.controls.focusMode == .locked(lensPosition: 2) })
  }

  @Test func `beyond a frame the gain rises`() throws {
    // 40 ms do not fit into 33.333 ms, of which 1 ms stays free.
    #expect(exposures(try steps("ev=0,2")).last == "32333 us, 2474")
    // Below the shortest exposure the gain falls, at least to its limit.
    #expect(exposures(try steps("ev=-7,0")).first == "100 us, 1563")
  }

  @Test func `digital gain becomes exposure`() throws {
    let metered = Self.frame(milliseconds: 10, gain: 8, digital: 1.5)
    #expect(exposures(try steps("ev=0,0.5", metered)).first == "15000 us, 8000")
  }

  @Test(arguments: ["ev=0,5", "ev=-8,0", "ms=0.05,5", "ms=5,2000", "focus=2,11"])
  func `a step beyond a limit is refused`(text: String) {
    let refusal = #expect(throws: BracketRefusal.self) { try steps(text) }
    #expect(refusal?.reason == .bracketOutOfRange)
    #expect(refusal?.cause.isEmpty == false)
  }

  @Test func `durations keep the gain and tell their difference`() throws {
    let steps = try steps("ms=5,20,80")
    #expect(
      exposures(steps) == ["5000 us, 2000", "20000 us, 2000", "80000 us, 2000"])
    #expect(steps.map(\.exposureBias) == [-1, 1, 3])
  }

  @Test func `a bracket of the focus holds the exposure`() throws {
    let steps = try steps("focus=2,4")
    #expect(
      steps.map(\.controls.focusMode) == [.locked(lensPosition: 2), .locked(lensPosition: 4)])
    #expect(steps.allSatisfy { $0.controls.exposureMode == .locked && $0.exposureBias == nil })
  }

  @Test func `a camera that lacks something is refused by name`() {
    var plain = Self.camera
    plain.capabilities = CameraCapabilities()
    var few = Self.camera
    few.leasedFrameCount = 2
    let silent = FrameInfo(id: 1, sequence: 1, timestamp: MonotonicInstant(nanoseconds: 1))
    let cases: [(String, FrameInfo, BracketCamera, String)] = [
      ("ev=0,1", Self.frame(), plain, "exposure"), ("focus=1,2", Self.frame(), plain, "lens"),
      ("ev=0,1", silent, Self.camera, "report"), ("focus=1,2", silent, Self.camera, "lens"),
      ("ev=-1,0,1", Self.frame(), few, "memory"),
    ]
    for (text, metered, camera, word) in cases {
      let refusal = #expect(throws: BracketRefusal.self) { try steps(text, metered, on: camera) }
      #expect(refusal?.reason == .bracketNotSupported && refusal?.cause.contains(word) == true)
    }
  }

  @Test func `a frame matches by its product within two percent`() throws {
    let step = try #require(try steps("ev=0,1").first)
    #expect(step.matches(Self.frame(milliseconds: 5, gain: 4)))
    #expect(step.matches(Self.frame(milliseconds: 10.19)))
    #expect(!step.matches(Self.frame(milliseconds: 10.21)))
    #expect(!step.matches(Self.frame(milliseconds: 9.79)))
    let lens = try #require(try steps("focus=4,6").first)
    #expect(lens.matches(Self.frame(lens: 4.09)) && !lens.matches(Self.frame(lens: 4.11)))
    var scanning = Self.frame(lens: 4)
    scanning.focusState = .scanning
    #expect(!lens.matches(scanning))
  }
}
