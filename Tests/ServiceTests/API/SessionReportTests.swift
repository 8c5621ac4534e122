import API
import Capture
import Devices
import Testing

@testable import Service

/// The session's state as the API shows it.
@Suite struct SessionReportTests {
  /// A USB camera streams at its own rate despite the setting, and any camera waits in dim light.
  @Test func `the frame rate is the measured one`() {
    var status = CaptureSessionStatus()
    #expect(report(status).frameRate == nil)
    status.stream = ResolvedStreamConfiguration(
      format: StreamFormat(
        size: FrameSize(width: 64, height: 48), pixelFormat: .yuyv, bytesPerRow: 128,
        colorSpace: .unspecified),
      bufferCount: 4, leasedFrameCount: 1, frameDuration: .milliseconds(40),
      readoutDuration: .zero, adjustments: [])
    #expect(report(status).frameRate == 25)
    status.frameInterval = .milliseconds(200)
    #expect(report(status).frameRate == 5)
  }

  private func report(_ status: CaptureSessionStatus) -> SessionReport {
    SessionReport(status, now: MonotonicInstant(nanoseconds: 0), cameraProcess: nil)
  }
}
