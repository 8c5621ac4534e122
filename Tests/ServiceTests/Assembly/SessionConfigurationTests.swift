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
  }
}
