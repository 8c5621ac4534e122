import CameraHost
import Capture
import Devices
import Foundation
import Testing

/// The table of docs/reference/cameras.md: the result of each Pi for each sensor and preset.
@Suite(.timeLimit(.minutes(10))) struct CameraTableTests {
  /// A sensor in a preset, with a row's cells.
  struct Row: Sendable, CustomTestStringConvertible {
    var sensor: String
    var preset: SessionPreset
    var size: String
    var shown: String
    var frameRate: String
    /// The buffers and the pictures in progress, for each memory.
    ///
    /// The memories are 256 and 508 MiB of contiguous memory, and unlimited memory.
    var memory: [String]
    var testDescription: String { "\(sensor) \(preset)" }
  }

  static let memories: [(name: String, mebibytes: Int?)] = [
    ("vc4", 256), ("vc4", 508), ("pisp", nil),
  ]

  /// The rows of the documentation.
  static let rows: [Row] = {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../docs/reference/cameras.md").path
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 8, let preset = presets[cells[1]] else { return nil }
      return Row(
        sensor: cells[0], preset: preset, size: cells[2], shown: cells[3], frameRate: cells[4],
        memory: Array(cells[5...]))
    }
  }()

  private static let presets: [String: SessionPreset] = [
    "document": .document, "1080p": .hd1920x1080, "full": .photo,
  ]

  @Test func `every sensor has a row for each preset`() {
    #expect(Self.rows.count == 12)
    #expect(Set(Self.rows.map(\.sensor)) == ["ov5647", "imx219", "imx477", "imx708"])
  }

  @Test(arguments: rows) func `the row agrees with the camera`(row: Row) async throws {
    for ((pipeline, mebibytes), cell) in zip(Self.memories, row.memory) {
      let system = try Fixture.piCameras("\(pipeline)/\(row.sensor)", memory: mebibytes)
      let camera = try await system.openFirst()
      var wanted = StreamConfiguration(
        size: row.preset.size(for: camera.identity), frameRate: 30, leasedFrameCount: 4)
      wanted.previewWidth = 1024
      let got = try await camera.start(wanted).configuration
      #expect("\(got.format.size)" == row.size)
      #expect(got.preview != nil)
      let coverage = try #require(got.coverage)
      #expect("\(percent(coverage.width)) x \(percent(coverage.height)) %" == row.shown)
      let rate = Duration.seconds(1) / (try #require(got.frameDuration))
      #expect(String(format: "%.1f", rate) == row.frameRate)
      let numbers = cell.split(separator: " / ").compactMap { Int($0) }
      #expect(numbers.count == 2, "\(got.bufferCount) / \(got.leasedFrameCount - 1)")
      #expect(numbers[0] == got.bufferCount)
      #expect(numbers[1] == min(3, got.leasedFrameCount - 1))
      await system.shutDown()
    }
  }

  private func percent(_ share: Double) -> Int { Int((share * 100).rounded()) }
}
