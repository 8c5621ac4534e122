import Capture
import Devices
import Foundation
import Imaging
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Service

/// The DNG file of a press beside its JPEG image, read by exiftool and LibRaw.
@Suite(.timeLimit(.minutes(10))) struct RawPhotoTests {
  private let scratch = ScratchSpool()

  private func bench(
    formats: Set<PhotoFormat> = [.jpeg, .dng], log: RecordedLog = RecordedLog(),
    cameras: (any CameraSystem) -> any CameraSystem = { $0 }
  ) async throws -> PipelineBench {
    try await PipelineBench(scratch, logger: log.logger, cameras: cameras) { configuration in
      configuration.stream.wantsRaw = true
      configuration.formats = formats
    }
  }

  private func tags(of path: String) throws -> [String: String] {
    let data = try Tool.output(of: "exiftool", ["-j", "-n", "-G1", path])
    let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    return try #require(list.first).mapValues { "\($0)" }
  }

  @Test func `a press has a JPEG and a DNG of the same exposure`() async throws {
    let bench = try await bench()
    let events = bench.session.events.listen(limit: 1024)
    let number = try await bench.press()
    let photo = try #require(try await bench.stored(number))
    let items = try await bench.spool.recentItems(limit: 10)
    let raw = try #require(items.first { $0.metadata.rendition == "dng" })
    #expect(items.count == 2)
    #expect(raw.metadata.mediaType == "image/x-adobe-dng")
    #expect(raw.metadata.pressNumber == number)
    #expect(raw.metadata.frameSequence == photo.metadata.frameSequence)
    #expect(raw.metadata.exposureNanoseconds == photo.metadata.exposureNanoseconds)
    #expect(raw.remoteName.hasSuffix(".dng") && raw.path.hasSuffix(".dng"))

    // The readers' complaints are faults of the file.
    let findings = try Tool.output(
      of: "exiftool", ["-validate", "-warning", "-error", "-a", "-s3", raw.path])
    #expect(
      String(decoding: findings, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        == "OK")
    let identified = try Tool.runHere("raw-identify", [raw.path])
    #expect(identified.exitCode == 0, "\(identified.output)\(identified.complaint)")
    let developed = try Tool.runHere("dcraw_emu", ["-w", "-W", raw.path])
    #expect(developed.exitCode == 0 && developed.complaint.isEmpty, "\(developed.complaint)")

    let (jpegTags, rawTags) = (try tags(of: photo.path), try tags(of: raw.path))
    #expect(rawTags["XMP-platen:OrientationSource"] == "fixed")
    for tag in [
      "IFD0:Orientation", "IFD0:Make", "ExifIFD:ImageUniqueID", "ExifIFD:DateTimeOriginal",
      "ExifIFD:ISO",
    ] {
      #expect(rawTags[tag] == jpegTags[tag], "\(tag)")
    }
    // libtiff makes a fraction of single precision.
    let exposures = [jpegTags, rawTags].compactMap { $0["ExifIFD:ExposureTime"] }
      .compactMap { Double($0) }
    #expect(exposures.count == 2 && abs(exposures[0] / exposures[1] - 1) < 1e-4)
    #expect(rawTags["SubIFD:ImageWidth"] == "960" && rawTags["SubIFD:ImageHeight"] == "540")
    #expect(rawTags["SubIFD:BitsPerSample"] == "12")
    #expect(rawTags["SubIFD:BlackLevel"] == "256 256 256 256")
    #expect(rawTags["IFD0:ColorMatrix1"] != nil && rawTags["IFD0:AsShotNeutral"] != nil)
    #expect(Int(rawTags["IFD0:ImageWidth"] ?? "") ?? .max <= 256)

    var kinds: [PhotoDelivery.Kind] = []
    var expected = 0
    for await case .progress(let progress) in events where progress.uniqueID == number {
      switch progress.step {
      case .settingsResolved(let settings): expected = settings.expectedPhotoCount
      case .photoDelivered(let delivery, _): kinds.append(delivery.kind)
      default: break
      }
      if case .finished = progress.step { break }
    }
    #expect(expected == 2)
    #expect(kinds == [.photo, .dng])
    await bench.stop()
  }

  @Test func `a page is gray in the developed DNG`() async throws {
    let bench = try await bench()
    let number = try await bench.press()
    _ = try #require(try await bench.stored(number))
    let raw = try #require(
      try await bench.spool.recentItems(limit: 10).first { $0.metadata.rendition == "dng" })
    _ = try Tool.output(of: "dcraw_emu", ["-w", "-W", raw.path])
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw.path + ".ppm")))
    let pixels = bytes.suffix(960 * 540 * 3)
    try #require(pixels.count == 960 * 540 * 3)
    // The paper is the brightest large area, so its pixels are those around the ninth decile.
    let start = pixels.startIndex
    let lumas = stride(from: 0, to: pixels.count, by: 3).map { Int(pixels[start + $0 + 1]) }
    let level = lumas.sorted()[lumas.count * 8 / 10]
    var sums = [0, 0, 0]
    for index in lumas.indices where abs(lumas[index] - level) <= 8 {
      for channel in 0..<3 { sums[channel] += Int(pixels[start + 3 * index + channel]) }
    }
    let green = Double(sums[1])
    #expect(abs(Double(sums[0]) / green - 1) < 0.15 && abs(Double(sums[2]) / green - 1) < 0.15)
    await bench.stop()
  }

  @Test func `the developed DNG has the colors of a chart`() async throws {
    let frame = try #require(try await ColorChart.settledFrame())
    let exif = EXIFMetadata(
      orientation: .up, make: "Platen", model: "Test", software: "Platen",
      captured: WallClockTime(nanosecondsSince1970: 0), clockIsSynchronized: false,
      imageUniqueID: String(repeating: "0", count: 32), rigID: "test", pressNumber: 1)
    let file = try EncodedPicture.dng(of: frame, exif: exif, encoder: PhotoEncoder())
    let directory = TemporaryDirectory(on: .memory)
    defer { withExtendedLifetime(directory) {} }
    let path = directory.path + "/chart.dng"
    try Data(file.bytes).write(to: URL(fileURLWithPath: path))
    let picture = try Tool.output(of: "dcraw_emu", ColorChart.development + [path])
    let differences = try #require(ColorChart.differences(ofDevelopment: [UInt8](picture)))
    #expect(differences.count == 24)
    for (patch, difference) in zip(ColorChart.patches, differences) {
      #expect(difference < 2, "\(patch.name)")
    }
  }

  @Test func `each press chooses its formats`() async throws {
    let bench = try await bench(formats: [.jpeg])
    _ = try #require(try await bench.stored(try await bench.press()))
    #expect(try await bench.spool.recentItems(limit: 10).count == 1)
    let number = try await bench.press(PhotoSettings(formats: [.jpeg, .dng]))
    _ = try #require(try await bench.stored(number))
    #expect(try await bench.spool.recentItems(limit: 10).count == 3)
    await bench.stop()
  }

  @Test func `a stream without raw frames refuses a press for a DNG and takes the others`()
    async throws
  {
    let bench = try await PipelineBench(scratch, change: { $0.formats = [.jpeg, .dng] })
    let refused = try await bench.press(PhotoSettings(formats: [.jpeg, .dng]))
    #expect(await bench.session.outcome(of: refused)?.outcome == .refused(.noRawFrames))
    _ = try #require(try await bench.stored(try await bench.press()))
    #expect(try await bench.spool.recentItems(limit: 10).map(\.metadata.rendition) == [nil])
    await bench.stop()
  }

  @Test func `a DNG that cannot be made is logged, and the JPEG is stored`() async throws {
    let log = RecordedLog()
    let bench = try await bench(log: log, cameras: { LeaseCounter().cameras(of: $0) })
    let number = try await bench.press()
    _ = try #require(try await bench.stored(number))
    #expect(try await bench.spool.recentItems(limit: 10).count == 1)
    #expect(log.count("a DNG file could not be made or stored") == 1)
    await bench.stop()
  }
}
