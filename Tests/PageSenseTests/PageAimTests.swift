import Devices
import PageSense
import Testing

@Suite struct PageAimTests {
  /// A page that is well aimed at.
  private static var good: PageFindings {
    var findings = PageFindings()
    findings.outline = outline(left: 0.25, top: 0.05, right: 0.75, bottom: 0.95)
    findings.regions = [PageFindings.Region(x: 0.3, y: 0.1, width: 0.4, height: 0.8)]
    (findings.textAngle, findings.skew) = (0, 0.3)
    (findings.letterHeight, findings.edgeWidth) = (18, 2.4)
    return findings
  }

  private static func outline(
    left: Double, top: Double, right: Double, bottom: Double
  ) -> [PageFindings.Point] {
    [(left, top), (right, top), (right, bottom), (left, bottom)].map {
      PageFindings.Point(x: $0.0, y: $0.1)
    }
  }

  @Test func `a good aim has the full score`() {
    let aim = PageAim(Self.good)
    #expect(aim.score == 1 && aim.advice == "The page is well aimed.")
  }

  @Test func `without a page the score is zero`() {
    let aim = PageAim(PageFindings())
    #expect(aim.score == 0 && aim.advice == "Lay a page under the camera.")
  }

  @Test func `a page without an outline is rated by its text`() {
    var findings = Self.good
    findings.outline = nil
    #expect(PageAim(findings).score == 1)
  }

  /// Faults with the beginning of the advice against them.
  static let faults: [(advice: String, spoil: @Sendable (inout PageFindings) -> Void)] = [
    ("Move the whole page", { $0.outline = outline(left: 0, top: 0.1, right: 0.8, bottom: 1) }),
    ("Move the whole page", { $0.warnings = [.pageCutOff] }),
    (
      "Bring the camera nearer, or zoom",
      { $0.outline = outline(left: 0.4, top: 0.3, right: 0.7, bottom: 0.7) }
    ),
    ("Turn the page clockwise by 4°", { $0.skew = 4.2 }),
    ("Turn the page counterclockwise by 7°", { $0.skew = -7 }),
    ("Bring the camera nearer, or set", { $0.letterHeight = 6 }),
    ("Focus the camera", { $0.edgeWidth = 8 }),
    ("Focus the camera", { $0.warnings = [.textBlurred] }),
  ]

  @Test(arguments: faults)
  func `the worst fault is named`(
    _ advice: String, _ spoil: @Sendable (inout PageFindings) -> Void
  ) {
    var findings = Self.good
    spoil(&findings)
    let aim = PageAim(findings)
    #expect(aim.advice.hasPrefix(advice), "\(aim)")
    #expect(aim.score > 0 && aim.score < 0.7, "\(aim)")
  }

  @Test func `the score falls with each fault and never leaves its range`() {
    var last = 1.0
    for skew in stride(from: 0.0, through: 45, by: 0.5) {
      var findings = Self.good
      findings.skew = skew
      let score = PageAim(findings).score
      #expect(score <= last && (0...1).contains(score))
      last = score
    }
    #expect(last == 0)
  }

  @Test func `the limits decide what is crooked and too small`() {
    var findings = Self.good
    (findings.skew, findings.letterHeight) = (2, 12)
    var limits = PageLimits()
    (limits.maximumSkew, limits.minimumLetterHeight) = (6, 12)
    #expect(PageAim(findings, limits: limits).score == 1)
    #expect(PageAim(findings).score < 0.9)
  }
}
