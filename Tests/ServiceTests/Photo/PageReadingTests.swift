import Devices
import Foundation
import Imaging
import RigConfiguration
import SimulatedDevices
import Spool
import Synchronization
import TestSupport
import Testing

@testable import Capture
@testable import Service

/// The reading of pages on the way from a press to its files, with a reader of the simulated scene.
@Suite(.timeLimit(.minutes(10))) struct PageReadingTests {
  private let scratch = ScratchSpool()
  private let reader = SceneReading()

  private func bench(
    image: ImageSection = ImageSection(), page: PageSection = PageSection(),
    log: RecordedLog = RecordedLog()
  ) async throws -> PipelineBench {
    var duplicates = NearDuplicates.Configuration()
    duplicates.threshold = 2
    return try await PipelineBench(
      scratch, image: image, page: page, readPage: { [reader] in try reader.read($0, $1) },
      duplicates: duplicates, logger: log.logger)
  }

  /// Turns the rig, lays it down if wanted, and tells the session gravity.
  ///
  /// - Parameter ahead: the time by which the readings are ahead, for a machine that is too busy to
  ///   take a picture before gravity counts as silent.
  private func place(
    _ bench: PipelineBench, _ turn: QuarterTurn, _ attitude: RigPosition.Attitude,
    ahead: Duration = .zero
  ) async {
    bench.world.turn(to: turn)
    bench.world.tilt(to: attitude)
    for _ in 0..<RotationCoordinator.agreement {
      await bench.session.update(
        AccelerometerSample(
          acceleration: bench.world.position.acceleration,
          time: bench.world.clock.now.advanced(by: ahead)))
    }
  }

  /// Takes a picture after all that was changed before.
  private func take(
    _ bench: PipelineBench
  ) async throws -> (record: PressRecord, photo: StoredPhoto, item: ItemRecord) {
    let number = try await bench.pressAhead()
    let record = try #require(await bench.session.outcome(of: number))
    guard case .stored(let photo)? = record.outcome else {
      throw Refusal(outcome: "\(String(describing: record.outcome))")
    }
    return (record, photo, try #require(try await bench.spool.item(pressNumber: number)))
  }

  private struct Refusal: Error {
    let outcome: String
  }

  private func lines(_ arguments: [String], _ path: String) throws -> [String] {
    String(decoding: try Tool.output(of: "exiftool", arguments + [path]), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  @Test(arguments: QuarterTurn.allCases)
  func `the text turns the pictures of a rig that lies, and unknown text keeps the angle`(
    _ turn: QuarterTurn
  ) async throws {
    let bench = try await bench()
    await place(bench, turn, .lensDown)
    let steps: [(isBlind: Bool, source: OrientationSource)] = [(false, .text), (true, .kept)]
    for (isBlind, source) in steps {
      reader.change { $0.isBlind = isBlind }
      let (record, photo, item) = try await take(bench)
      #expect(
        try lines(["-n", "-s3", "-Orientation", "-XMP:OrientationSource"], photo.path)
          == ["\(turn.exifOrientation)", source.rawValue])
      #expect(try lines(["-validate", "-warning", "-error", "-a", "-s3"], photo.path) == ["OK"])
      #expect(record.captureAngle == turn.rawValue && record.orientationSource == source)
      #expect(photo.orientationSource == source && photo.captureAngle == turn.rawValue)
      #expect(item.metadata.captureAngle == turn.rawValue)
      #expect(item.metadata.orientation == turn.exifOrientation)
      #expect(item.metadata.orientationSource == source)
      #expect(await bench.session.captureAngle == turn.rawValue)
    }
    await bench.stop()
  }

  @Test func `gravity decides where it can, and the page is read all the same`() async throws {
    let bench = try await bench()
    await place(bench, .clockwise90, .standing, ahead: .seconds(600))
    reader.change { $0.findings.textAngle = 180 }
    let (record, photo, item) = try await take(bench)
    #expect(record.captureAngle == 90 && record.orientationSource == .gravity)
    #expect(photo.page?.textAngle == 180 && item.metadata.page?.textAngle == 180)
    #expect(reader.count == 1)
    #expect(try lines(["-n", "-s3", "-Orientation"], photo.path) == ["6"])
    await bench.stop()
  }

  @Test func `text that must not decide is read beside`() async throws {
    var page = PageSection()
    page.decidesOrientation = false
    let bench = try await bench(page: page)
    await place(bench, .half, .lensDown)
    let (record, photo, _) = try await take(bench)
    #expect(record.captureAngle == 0 && record.orientationSource == .kept)
    #expect(photo.page?.textAngle == 180 && reader.count == 1)
    await bench.stop()
  }

  @Test(arguments: [RigPosition.Attitude.standing, .lensDown])
  func `a reading that fails is logged once and loses nothing`(
    _ attitude: RigPosition.Attitude
  ) async throws {
    let log = RecordedLog()
    var page = PageSection()
    // The same page again would be told without a reading.
    page.warnings = []
    let bench = try await bench(page: page, log: log)
    let isLying = attitude == .lensDown
    await place(bench, .clockwise270, .standing, ahead: isLying ? .zero : .seconds(600))
    if isLying { await place(bench, .clockwise270, attitude) }
    reader.change { $0.fails = true }
    for _ in 0..<2 {
      let (record, photo, item) = try await take(bench)
      #expect(photo.page == nil && item.metadata.page == nil)
      #expect(record.captureAngle == 270)
      #expect(record.orientationSource == (isLying ? .kept : .gravity))
    }
    reader.change {
      $0.fails = false
      // JSON has no such number.
      $0.findings.skew = .nan
    }
    #expect(try await take(bench).item.metadata.page == nil)
    #expect(log.count("a page could not be read") == 1)
    #expect(reader.count == 3)
    await bench.stop()
  }

  @Test func `warnings that are off are not given`() async throws {
    var page = PageSection()
    page.warnings = [.glare]
    let bench = try await bench(page: page)
    reader.change { $0.findings.warnings = [.textBlurred, .glare] }
    let (_, photo, item) = try await take(bench)
    #expect(photo.page?.warnings == [.glare] && item.metadata.page?.warnings == [.glare])
    #expect(try lines(["-s3", "-XMP:Warnings"], photo.path) == ["glare"])
    await bench.stop()
  }

  @Test(arguments: [true, false])
  func `a warning about the document is in both files, as in their sidecars, unless off`(
    isOn: Bool
  ) async throws {
    var page = PageSection()
    if !isOn { page.warnings = [.glare] }
    let bench = try await bench(
      image: .read("renditions: [document], document: { minimum_letter_height: 12 }"), page: page)
    await place(bench, .none, .standing, ahead: .seconds(600))
    // The document cannot be larger than the frame, about which this reader warns of nothing.
    reader.change { $0.findings.letterHeight = 8 }
    let (record, photo, _) = try await take(bench)
    let expected: [PageWarning] = isOn ? [.lettersTooSmall] : []
    #expect(photo.page?.warnings == expected)
    let items = try await bench.spool.items(pressNumber: record.press.number)
    #expect(items.map(\.metadata.rendition) == [nil, "document"])
    for item in items {
      #expect(item.metadata.page?.warnings == expected, "\(item.path)")
      #expect(try lines(["-s3", "-XMP:Warnings"], item.path) == expected.map(\.rawValue))
    }
    await bench.stop()
  }

  @Test func `a page that is taken twice is repeated, unless it is a retake or empty`() async throws
  {
    let bench = try await bench()
    bench.world.showPage(1)
    #expect(try await take(bench).photo.page?.warnings == [])
    let (_, photo, item) = try await take(bench)
    #expect(photo.page?.warnings == [.pageRepeated])
    #expect(item.metadata.page?.warnings == [.pageRepeated])
    let retake = try await bench.press(PhotoSettings(replacesLastPhoto: true))
    #expect(try await bench.stored(retake)?.metadata.page?.warnings == [])
    reader.change { $0.findings.warnings = [.pageEmpty] }
    #expect(try await take(bench).photo.page?.warnings == [])
    await bench.stop()
  }

  @Test func `a page is repeated after a restart as well, and the next page is not`() async throws {
    for (page, expected) in [(1, []), (1, [.pageRepeated]), (2, [])] as [(Int, [PageWarning])] {
      let bench = try await bench()
      bench.world.showPage(page)
      #expect(try await take(bench).photo.page?.warnings == expected, "page \(page)")
      await bench.stop()
    }
  }

  @Test func `a bracket is read once, and its pictures have the same angle`() async throws {
    let bench = try await bench()
    await place(bench, .clockwise90, .lensDown)
    var stored: StoredPhoto?
    // A machine that is too busy for the camera's frames gets further presses.
    while stored == nil {
      let number = try await bench.press(PhotoSettings(bracket: .standard))
      switch await bench.session.outcome(of: number)?.outcome {
      case .stored(let photo)?: stored = photo
      case .refused(.bracketNotExposed)?, .refused(.bracketInProgress)?: continue
      case let other: throw Refusal(outcome: "\(String(describing: other))")
      }
    }
    let photo = try #require(stored)
    let ids = ([photo.itemID] + photo.companionIDs).compactMap { ItemID($0) }
    let metadata = try await bench.spool.items(ids).values.map(\.metadata)
    #expect(metadata.map(\.captureAngle) == [90, 90, 90])
    #expect(metadata.allSatisfy { $0.orientationSource == .text && $0.page != nil })
    #expect(reader.count == 1)
    await bench.stop()
  }

  @Test func `a hot rig reads only pages that may have to be turned`() async throws {
    let bench = try await bench()
    await place(bench, .none, .standing, ahead: .seconds(600))
    await bench.session.apply(CaptureConstraints(averagesFrames: false))
    #expect(try await take(bench).photo.page == nil)
    #expect(reader.count == 0)
    await place(bench, .half, .lensDown)
    #expect(try await take(bench).record.orientationSource == .text)
    #expect(reader.count == 1)
    await bench.stop()
  }

  @Test func `presses keep their order whether they are read before or beside`() async throws {
    let bench = try await bench()
    var numbers: [Int64] = []
    for attitude in [RigPosition.Attitude.lensDown, .standing, .lensDown] {
      await place(bench, .none, attitude)
      numbers.append(try await bench.press())
    }
    var stored: [Int64] = []
    for number in numbers {
      if try await bench.stored(number) != nil { stored.append(number) }
    }
    let items = try await bench.spool.recentItems(limit: 10)
    #expect(items.reversed().map(\.metadata.pressNumber) == stored)
    #expect(!stored.isEmpty)
    await bench.stop()
  }
}

/// A reader that finds the turn of the simulated scene.
private final class SceneReading: Sendable {
  struct State {
    /// Whether the reader cannot tell the turn.
    var isBlind = false
    var fails = false
    /// The findings besides the turn of the scene.
    var findings = PageFindings()
    var count = 0
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.count } }

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  func read(_ bytes: UnsafeRawBufferPointer, _ format: StreamFormat) throws -> PageFindings {
    let state = state.withLock { state in
      state.count += 1
      return state
    }
    if state.fails { throw ImagingError(.malformedFrame, subject: "frame", problem: "is torn") }
    var findings = state.findings
    if !state.isBlind, findings.textAngle == nil {
      findings.textAngle =
        PageSceneReader(size: format.size).read(luma: bytes, bytesPerRow: format.bytesPerRow)
        .turnToUpright?.rawValue
    }
    return findings
  }
}
