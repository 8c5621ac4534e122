import Devices
import Testing

@testable import Capture

@Suite struct ThermalPolicyTests {
  private let policy = {
    var policy = ThermalPolicy()
    (policy.frameRate, policy.previewFrameRate) = (4, 1)
    return policy
  }()

  @Test(arguments: [ThermalState.nominal, .fair])
  func `a cool rig has no constraints`(_ state: ThermalState) {
    #expect(policy.constraints(in: state) == .none)
  }

  @Test func `the state serious slows the camera and limits uploads`() {
    let constraints = policy.constraints(in: .serious)
    #expect(constraints.capture.maximumFrameRate == 4)
    #expect(constraints.capture.preview == .limited(framesPerSecond: 1))
    #expect(constraints.capture.shots == .unlimited)
    #expect(!constraints.capture.averagesFrames)
    #expect(constraints.capture.movie == .limited(pixels: policy.moviePixels))
    #expect(constraints.uploads == .single)
  }

  @Test func `the state critical stops preview and uploads and refuses or spaces shots`() {
    var policy = policy
    policy.seriousUploads = .continue
    let refusing = policy.constraints(in: .critical)
    #expect(refusing.capture.maximumFrameRate == 4)
    #expect(refusing.capture.preview == .stopped)
    #expect(refusing.capture.shots == .refused)
    #expect(!refusing.capture.averagesFrames)
    #expect(refusing.capture.movie == .ended)
    #expect(refusing.uploads == .hold)
    policy.criticalSpacing = .seconds(10)
    #expect(policy.constraints(in: .critical).capture.shots == .spaced(.seconds(10)))
  }
}

@Suite struct ThermalLimitsTests {
  private let limits = ThermalLimits(fair: 60, serious: 70, critical: 80, shutdown: 90)

  static let severities: [(Double, Double)] = [
    (50, 0), (60, 1), (65, 1.5), (70, 2), (80, 3), (90, 4),
  ]

  @Test(arguments: severities)
  func `a limit has the same severity in all zones`(_ celsius: Double, _ severity: Double) {
    #expect(limits.severity(of: celsius) == severity)
  }

  @Test func `limits must ascend`() {
    #expect(limits.isAscending)
    #expect(!ThermalLimits(fair: 70, serious: 70, critical: 80).isAscending)
    #expect(!ThermalLimits(fair: 60, serious: 70, critical: 70).isAscending)
    #expect(!ThermalLimits(fair: 60, serious: 70, critical: 80, shutdown: 80).isAscending)
    #expect(ThermalLimits(fair: 60, serious: 70, critical: 80).isAscending)
  }
}

@Suite struct ShotSpacingTests {
  private func instant(_ seconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
  }

  @Test func `presses are kept apart`() {
    var spacing = ShotSpacing()
    spacing.take(at: instant(1))
    #expect(spacing.opening(at: instant(1)) == nil, "nothing is kept apart unless asked")
    spacing.spacing = .seconds(10)
    #expect(spacing.opening(at: instant(2)) == instant(11), "the press before counts, too")
    #expect(spacing.opening(at: instant(10)) == instant(11))
    #expect(spacing.opening(at: instant(11)) == nil)
    spacing.take(at: instant(12))
    spacing.take(at: instant(5))
    #expect(spacing.opening(at: instant(12)) == instant(22), "the newest press counts")
    spacing.spacing = nil
    #expect(spacing.opening(at: instant(12)) == nil)
  }

  @Test func `the first press does not wait`() {
    var spacing = ShotSpacing()
    spacing.spacing = .seconds(10)
    #expect(spacing.opening(at: instant(0)) == nil)
  }
}
