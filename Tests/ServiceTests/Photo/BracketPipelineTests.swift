import API
import Devices
import Foundation
import Logging
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Capture
@testable import Service

/// The way of a bracket from one press to its files, read back by exiftool.
@Suite struct BracketPipelineTests {
  let scratch = ScratchSpool()

  @Test func `all pictures of a bracket are stored with their places`() async throws {
    let bench = try await PipelineBench(
      scratch, image: .read("renditions: [thumbnail]"),
      change: {
        $0.additionalDeliveries = [.init(rawValue: "thumbnail")]
      })
    let events = bench.session.events.listen(limit: 1024)
    let record = try await storedBracket(bench)
    let number = record.press.number
    guard case .stored(let photo) = record.outcome else {
      Issue.record("the press was refused: \(String(describing: record.outcome))")
      return
    }
    let ids = ([photo.itemID] + photo.companionIDs).compactMap { ItemID($0) }
    #expect(ids.count == 3)
    let report = PressReport(record, bootID: nil)
    #expect(report.itemIDs == ids.map(\.description) && report.bracket == "ev=-2,0,2")
    let items = try await bench.spool.items(ids)
    let metadata = ids.compactMap { items[$0]?.metadata }
    #expect(metadata.map(\.bracketIndex) == [1, 2, 3])
    #expect(metadata.map(\.bracketCount) == [3, 3, 3])
    #expect(metadata.map(\.exposureBias) == [-2, 0, 2])
    #expect(Set(metadata.map(\.bracketID)) == [metadata.first?.imageUniqueID])
    #expect(Set(metadata.map(\.imageUniqueID)).count == 3)
    #expect(metadata.allSatisfy { $0.nearDuplicateOf == nil }, "one page, not three alike")
    for (id, text) in zip(ids, ["-2", "0", "2"]) {
      let path = try #require(items[id]?.path)
      let tags = try Tool.output(
        of: "exiftool", ["-n", "-s3", "-ExposureCompensation", "-UserComment", path])
      let lines = String(decoding: tags, as: UTF8.self).split(separator: "\n")
      #expect(lines.first.map(String.init) == text)
      #expect(lines.last?.contains("of 3; group: ") == true)
      let findings = try Tool.output(
        of: "exiftool", ["-validate", "-warning", "-error", "-s3", path])
      #expect(String(decoding: findings, as: UTF8.self).hasPrefix("OK"))
    }
    var steps: [String] = []
    for await case .progress(let progress) in events where progress.uniqueID == number {
      if case .photoDelivered(let delivery, let count) = progress.step {
        steps.append("\(delivery.kind) \(delivery.index) of \(count)")
      }
      if case .finished = progress.step { break }
    }
    #expect(
      steps == (1...3).map { "photo \($0) of 6" } + (4...6).map { "thumbnail \($0) of 6" })
    await bench.stop()
  }

  @Test func `a bracket that finds no room leaves nothing`() async throws {
    let bench = try await PipelineBench(scratch)
    let number = try await storedBracket(bench).press.number
    await bench.stop()
    let full = try await scratch.open { $0.maximumItems = 5 }
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let pipeline = PhotoPipeline(rig: .test, spool: full, logger: logger)
    let photo = try await photo(number + 1)
    let outcome = await pipeline.process(photo)
    #expect(outcome == .refused(.storageFull))
    #expect(try await full.item(pressNumber: number + 1) == nil)
    await full.close()
  }

  @Test func `the lamp of a picture is in its file and its sidecar`() async throws {
    let spool = try await scratch.open()
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let pipeline = PhotoPipeline(rig: .test, spool: spool, logger: logger)
    var photo = try await photo(1)
    photo.bracket?.lamp = "left"
    photo.settings.flash = ResolvedFlash(mode: .on, isEnabled: true)
    photo.isFlashFired = true
    for index in photo.companions.indices { photo.companions[index].bracket?.lamp = "top" }
    guard case .stored(let stored) = await pipeline.process(photo) else {
      Issue.record("the press was refused")
      return
    }
    let ids = ([stored.itemID] + stored.companionIDs).compactMap { ItemID($0) }
    let items = try await spool.items(ids)
    #expect(ids.map { items[$0]?.metadata.lamp } == ["left", "top", "top"])
    #expect(items[ids[0]]?.metadata.flash == .on)
    #expect(items[ids[0]]?.metadata.isFlashFired == true)
    let path = try #require(items[ids[0]]?.path)
    let tags = try Tool.output(of: "exiftool", ["-n", "-s3", "-Flash", "-UserComment", path])
    let lines = String(decoding: tags, as: UTF8.self).split(separator: "\n")
    #expect(lines.first.map(String.init) == "9", "fired, as wanted")
    #expect(lines.last?.contains("bracket: 1 of 3; lamp: left; group: ") == true, "\(lines)")
    await spool.close()
  }

  /// Takes a bracket; a machine that is too busy for the camera's frames gets further presses.
  func storedBracket(
    _ bench: PipelineBench, _ settings: PhotoSettings = PhotoSettings(bracket: .standard)
  ) async throws -> PressRecord {
    while true {
      let number = try await bench.press(settings)
      let record = try #require(await bench.session.outcome(of: number))
      switch record.outcome {
      case .refused(.bracketNotExposed), .refused(.bracketInProgress): continue
      default: return record
      }
    }
  }

  /// Takes a bracket of three frames of a camera without a session.
  private func photo(_ number: Int64) async throws -> CapturedPhoto {
    let world = SimulatedWorld()
    let model = try #require(world.cameraModels.first)
    let camera = try await SimulatedCameraSystem(world: world).open(model.id)
    let stream = try await camera.start(
      StreamConfiguration(size: FrameSize(width: 640, height: 360), frameRate: 30))
    let press = Press(number: number, source: .api, time: world.clock.now)
    var photos: [CapturedPhoto] = []
    for await case .frame(let frame) in stream.events {
      guard let lease = await camera.lease(frame.id) else { continue }
      let settings = ResolvedPhotoSettings(
        uniqueID: number, photoDimensions: lease.format.size, prioritization: .balanced,
        isFastCapture: false, expectedDeliveries: [.photo, .photo, .photo])
      var photo = CapturedPhoto(
        press: press,
        selection: FrameSelection(number: number, frame: frame, error: .zero, frameInterval: nil),
        frame: lease, captureAngle: 0, camera: model.description, settings: settings)
      photo.bracket = BracketPlace(index: photos.count + 1, count: 3, exposureBias: 0)
      photos.append(photo)
      if photos.count == 3 { break }
    }
    await camera.close()
    var first = try #require(photos.first)
    first.companions = Array(photos.dropFirst())
    return first
  }
}
