import Devices
import Imaging
import Testing

@testable import Capture
@testable import SimulatedDevices

/// The pages of the simulated book, as hands-free pictures tell them apart.
@Suite struct SimulatedBookTests {
  private func look(_ page: Int, _ size: FrameSize) throws -> PageFingerprint {
    let format = StreamFormat(
      size: size, pixelFormat: .yuv420, bytesPerRow: size.width, colorSpace: .jpeg)
    var bytes = [UInt8](repeating: 0, count: format.byteCount)
    let glance = try bytes.withUnsafeMutableBytes { bytes in
      if let base = bytes.baseAddress {
        PageScene(page: page, turn: .none, format: format).paint(on: base)
      }
      return try GrayPicture.glance(bytes: UnsafeRawBufferPointer(bytes), format: format)
    }
    let sheet = PageSceneLayout(size: size).place(of: PageSceneLayout.sheet, turn: .none)
    let (width, height) = (Double(size.width), Double(size.height))
    return PageFingerprint(
      fields: glance.fields(
        PageFingerprint.side,
        of: PageFindings.Region(
          x: Double(sheet.left) / width, y: Double(sheet.top) / height,
          width: Double(sheet.right - sheet.left) / width,
          height: Double(sheet.bottom - sheet.top) / height)))
  }

  @Test(arguments: [FrameSize(width: 1920, height: 1080), FrameSize(width: 1280, height: 960)])
  func `no page looks like the one before`(size: FrameSize) throws {
    var before = try look(1, size)
    for page in 2...18 {
      let next = try look(page, size)
      #expect(!next.isSamePage(as: before), "page \(page)")
      before = next
    }
  }
}
