import API
import Capture
import Devices
import RigConfiguration
import Testing

@testable import Service

/// The session's configuration, which several sections of the file make.
@Suite struct SessionConfigurationTests {
  /// The frame of a press must be kept until the push counts.
  @Test(arguments: [(5, 4), (100, 6)])
  func `a push that counts late enlarges the ring`(milliseconds: Int, count: Int) throws {
    let configuration = try PlatenConfiguration.parse(
      """
      rig: { id: rig-1 }
      board: linux
      spool: { directory: /var/lib/platen }
      buttons:
        pedal: { line: PEDAL, single: shoot }
        shutter: { line: SHUTTER, single: shoot, shortest_press: \(milliseconds) ms }
      """, file: "platen.yaml")
    let session = CaptureSessionConfiguration(configuration)
    let wanted = session.stream(
      for: session.settings, of: CameraDescription(id: "a", model: "b"), controls: CameraControls())
    #expect(wanted.ringFrameCount == count)
    #expect(wanted.previewWidth == PreviewStreamRequest.standardWidth)
  }

  @Test func `the merging of brackets is the default for presses`() throws {
    func merge(_ image: String) throws -> BracketMerge {
      CaptureSessionConfiguration(
        try PlatenConfiguration.parse(
          """
          rig: { id: rig-1 }
          board: linux
          spool: { directory: /var/lib/platen }
          image: { \(image) }
          """, file: "platen.yaml")
      ).merge
    }
    #expect(try merge("quality: 90") == .off)
    #expect(try merge("merge: only") == .only)
  }

  @Test(arguments: [true, false])
  func `the camera lends a frame for movies if they are wanted`(isEnabled: Bool) throws {
    let configuration = try PlatenConfiguration.parse(
      """
      rig: { id: rig-1 }
      board: linux
      spool: { directory: /var/lib/platen }
      movie: { enabled: \(isEnabled) }
      """, file: "platen.yaml")
    #expect(CaptureSessionConfiguration(configuration).recordsMovies == isEnabled)
  }

  static let flashes: [(String, FlashMode?)] = [
    ("mode: shot, flash: auto", .auto), ("mode: shot", .on), ("mode: session", nil),
  ]

  @Test(arguments: flashes)
  func `the lamp's flash is the default for presses`(lamp: String, flash: FlashMode?) throws {
    let configuration = try PlatenConfiguration.parse(
      """
      rig: { id: rig-1 }
      board: linux
      spool: { directory: /var/lib/platen }
      lamp: { line: LAMP, \(lamp) }
      """, file: "platen.yaml")
    #expect(CaptureSessionConfiguration(configuration).settings.flashMode == flash)
  }
}
