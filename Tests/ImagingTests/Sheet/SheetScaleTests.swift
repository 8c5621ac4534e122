import Devices
import TestSupport
import Testing

@testable import Imaging

/// Scales measured on pictures with a known scale.
@Suite struct SheetScaleTests {
  private let a4 = SheetSize(210, 297)

  /// A position of a sheet, and its difficulty.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var width = 220.0
    var isPortrait = true
    var degrees = 0.0
    var keystone = 0.0
    var change: @Sendable (inout SheetPicture) -> Void = { _ in }
  }

  static let cases: [Case] = [
    Case(testDescription: "straight"),
    Case(testDescription: "landscape", isPortrait: false),
    Case(testDescription: "by a part of a pixel", width: 220.4),
    Case(testDescription: "turned by 3", degrees: 3),
    Case(testDescription: "turned by -11 on its side", isPortrait: false, degrees: -11),
    Case(testDescription: "turned by 38", degrees: 38),
    Case(testDescription: "keystone", degrees: 1, keystone: 0.03),
    Case(testDescription: "noise", degrees: -2) { $0.noise = 18 },
    Case(testDescription: "uneven light", degrees: 2) { $0.light = (1.1, 0.45) },
    Case(testDescription: "little contrast", degrees: 4) { ($0.ground, $0.paper) = (150, 182) },
    Case(testDescription: "out of focus", degrees: 2) { $0.blur = 5 },
    Case(testDescription: "printed", degrees: 2) { $0.isPrinted = true },
    Case(testDescription: "dark on light", degrees: -5) { ($0.ground, $0.paper) = (210, 40) },
    Case(testDescription: "too bright", degrees: 1) { $0.light = (1.3, 1.3) },
    Case(testDescription: "small", width: 80, degrees: 7),
    Case(testDescription: "beside a card", degrees: 1) {
      $0.sheets.append(
        SheetPicture.outline(at: (535, 80), width: 90, height: 55, turned: 8))
    },
    Case(testDescription: "on a mat", degrees: 1) {
      // The mat is larger and of nearly the same shape.
      $0.sheets.insert(SheetPicture.outline(at: (320, 240), width: 600, height: 440), at: 0)
      $0.levels = [140]
    },
  ]

  /// All cases, or every fourth in a brief run.
  static var chosenCases: [Case] {
    cases.indices.filter { !Repetitions.isBrief || $0.isMultiple(of: 4) }.map { cases[$0] }
  }

  @Test(arguments: chosenCases)
  func `the scale is that of the sheet`(_ one: Case) throws {
    let (short, long) = (one.width, one.width * 297 / 210)
    var picture = SheetPicture()
    picture.sheets = [
      SheetPicture.outline(
        at: (320.3, 241.8), width: one.isPortrait ? short : long,
        height: one.isPortrait ? long : short, turned: one.degrees, keystone: one.keystone)
    ]
    one.change(&picture)
    let truth = one.width / 210 * 25.4
    let scale = try picture.measure()
    for measured in [scale.pixelsPerInch, scale.horizontal, scale.vertical] {
      #expect(abs(measured / truth - 1) < 0.003, "\(measured) \(truth) seed \(TestSeed.value)")
    }
    #expect(abs(scale.angle - one.degrees) < 0.2, "\(scale.angle)")
    #expect(abs(scale.keystone - one.keystone) < 0.004, "\(scale.keystone)")
  }

  /// With the second seed, noise makes two outlines of one sheet, a ragged one and a clean one.
  @Test(arguments: [TestSeed.value, 227_271])
  func `any sheet at any place is measured`(_ seed: UInt64) throws {
    var generator = TestSeed.generator(11, seed: seed)
    for _ in 0..<Repetitions.of(8, brief: 2) {
      let width = Double.random(in: 100...253, using: &generator)
      let ratio = Double.random(in: 1...1.6, using: &generator)
      var picture = SheetPicture()
      picture.seed = seed
      picture.sheets = [
        SheetPicture.outline(
          at: (
            .random(in: 287...353, using: &generator), .random(in: 227...253, using: &generator)
          ),
          width: width * ratio, height: width,
          turned: .random(in: -12...12, using: &generator))
      ]
      picture.noise = .random(in: 0...10, using: &generator)
      picture.ground = .random(in: 20...140, using: &generator)
      #expect(throws: Never.self, "seed \(seed)") {
        let scale = try picture.measure(SheetSize(100, 100 * ratio))
        #expect(abs(scale.pixelsPerInch / (width / 100 * 25.4) - 1) < 0.003)
      }
    }
  }

  @Test(arguments: [PixelFormat.nv12, .rgb])
  func `each format gives the same scale`(_ format: PixelFormat) throws {
    var picture = SheetPicture()
    picture.sheets = [SheetPicture.outline(at: (320, 240), width: 280, height: 396, turned: 2)]
    let (one, other) = (try picture.measure(), try picture.measure(format: format))
    #expect(abs(one.pixelsPerInch - other.pixelsPerInch) < 0.02)
  }

  // MARK: Refusals

  private func refusal(
    _ sheets: [SheetOutline], _ change: (inout SheetPicture) -> Void = { _ in }
  ) throws -> SheetRefusal? {
    var picture = SheetPicture()
    picture.sheets = sheets
    change(&picture)
    return #expect(throws: SheetRefusal.self) { try picture.measure() }
  }

  @Test func `a sheet that is not wholly in view is not found`() throws {
    #expect(try refusal([]) == .notFound)
    let cutOff = SheetPicture.outline(at: (320, 133), width: 233, height: 330, turned: 2)
    #expect(try refusal([cutOff]) == .notFound)
    let alike = SheetPicture.outline(at: (320, 240), width: 233, height: 330)
    #expect(try refusal([alike]) { ($0.ground, $0.paper) = (120, 122) } == .notFound)
  }

  @Test func `another shape is not found`() throws {
    let triangle = SheetOutline(corners: [[200, 100], [470, 133], [460, 140], [233, 400]])
    #expect(try refusal([triangle]) == .notFound)
  }

  @Test func `two sheets are refused`() throws {
    let sheets = [167.0, 467].map {
      SheetPicture.outline(at: ($0, 240), width: 200, height: 283, turned: $0 / 60)
    }
    #expect(try refusal(sheets) == .several)
  }

  /// All sizes of ISO 216 have one shape, and so has a mat of the next size.
  @Test(arguments: [1.4142, 2])
  func `a mat of the sheet's shape is not taken for the sheet`(factor: Double) throws {
    let mat = SheetPicture.outline(at: (320, 240), width: 160 * factor, height: 226.3 * factor)
    let sheet = SheetPicture.outline(at: (322, 239), width: 160, height: 226.3)
    let refused = try refusal([mat, sheet]) {
      $0.levels = [140]
      $0.size = FrameSize(width: 640, height: 500)
    }
    #expect(refused == .several)
  }

  @Test func `a sheet with a low contrast is refused with the figure`() throws {
    let sheet = SheetPicture.outline(at: (320, 240), width: 233, height: 330, turned: 1)
    let refusal = try refusal([sheet]) { ($0.ground, $0.paper, $0.noise) = (180, 195, 1) }
    guard case .lowContrast(let levels)? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect((14...15).contains(levels))
  }

  @Test func `a slanted view and another shape are refused with the figures`() throws {
    let slanted = SheetPicture.outline(at: (320, 240), width: 233, height: 330, keystone: 0.08)
    let keystone = try refusal([slanted])
    #expect(keystone?.description.contains("differ by 8.0 %") == true, "\(keystone as Any)")
    let letter = SheetPicture.outline(at: (320, 240), width: 267, height: 267 * 11 / 8.5)
    let shape = try refusal([letter])
    #expect(
      shape?.description.contains("sides of 1 to 1.294, not of 1 to 1.414") == true,
      "\(shape as Any)")
  }

  @Test func `a covered edge is refused`() throws {
    let sheet = SheetPicture.outline(at: (320, 240), width: 233, height: 330)
    // An equally light wedge juts out over two thirds of a side.
    let wedge = SheetOutline(corners: [[191, 120], [213, 120], [213, 350], [193, 350]])
    var picture = SheetPicture()
    picture.sheets = [sheet]
    _ = try picture.measure()
    picture.sheets.append(wedge)
    #expect(throws: SheetRefusal.self) { try picture.measure() }
  }
}
