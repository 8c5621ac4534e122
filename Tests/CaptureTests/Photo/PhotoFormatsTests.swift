import Devices
import Testing

@testable import Capture

/// The raw files that a press gets.
@Suite struct PhotoFormatsTests {
  private func stream(hasRaw: Bool) -> ResolvedStreamConfiguration {
    let size = FrameSize(width: 64, height: 36)
    return ResolvedStreamConfiguration(
      format: StreamFormat(
        size: size, pixelFormat: .yuv420, bytesPerRow: 64, colorSpace: .jpeg),
      bufferCount: 8, leasedFrameCount: 3, frameDuration: nil, readoutDuration: .zero,
      raw: hasRaw
        ? RawStreamFormat(
          format: RawFormat(mosaic: .rggb, bitDepth: 10, packing: .csi2), size: size,
          bytesPerRow: 96) : nil,
      adjustments: [])
  }

  @Test func `a press has the session's formats or its own`() {
    let (session, own): (Set<PhotoFormat>, Set<PhotoFormat>) = ([.jpeg, .dng], [.jpeg])
    let raw = stream(hasRaw: true)
    #expect(PhotoSettings().rawDeliveries(session, of: raw) == [.dng])
    #expect(PhotoSettings(formats: own).rawDeliveries(session, of: raw).isEmpty)
    #expect(PhotoSettings().rawDeliveries(own, of: raw).isEmpty)
    #expect(PhotoSettings(formats: session).rawDeliveries(own, of: raw) == [.dng])
  }

  @Test func `every photo of a bracket has a raw file`() throws {
    let settings = PhotoSettings(bracket: try Bracket("ev=-1,0,1"), formats: [.jpeg, .dng])
    #expect(settings.rawDeliveries([.jpeg], of: stream(hasRaw: true)) == [.dng, .dng, .dng])
  }

  @Test func `only a press that asks for a raw file asks in vain`() {
    let without = stream(hasRaw: false)
    #expect(PhotoSettings().rawDeliveries([.jpeg, .dng], of: without).isEmpty)
    #expect(!PhotoSettings().asksInVain(without))
    #expect(PhotoSettings(formats: [.jpeg, .dng]).asksInVain(without))
    #expect(!PhotoSettings(formats: [.jpeg, .dng]).asksInVain(stream(hasRaw: true)))
    #expect(!PhotoSettings(formats: [.jpeg, .dng]).asksInVain(nil))
  }
}
