import CLibcameraShim
import Devices
import Testing

@testable import LinuxDevices

/// libcamera's raw formats and metadata.
@Suite struct RawFrameLibcameraTests {
  private static let csi2: UInt64 = 0x0b << 56 | 1
  private static let pisp: UInt64 = 0x0c << 56 | 1

  private func fourCC(_ name: String) -> UInt32 {
    name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  // The names are those of libcamera's formats.yaml.
  @Test(
    arguments: [
      ("RGGB", 0, .rggb, 8, .csi2), ("BA81", 0, .bggr, 8, .csi2),
      ("RG10", csi2, .rggb, 10, .csi2), ("BG10", csi2, .bggr, 10, .csi2),
      ("BA10", csi2, .grbg, 10, .csi2), ("GB10", csi2, .gbrg, 10, .csi2),
      ("RG10", 0, .rggb, 10, .none), ("RG12", csi2, .rggb, 12, .csi2),
      ("BG12", 0, .bggr, 12, .none), ("BA12", csi2, .grbg, 12, .csi2),
      ("GB12", csi2, .gbrg, 12, .csi2), ("RG14", csi2, .rggb, 14, .csi2),
      ("RGB6", 0, .rggb, 16, .none), ("BYR2", 0, .bggr, 16, .none),
      ("GR16", 0, .grbg, 16, .none), ("GB16", 0, .gbrg, 16, .none),
      ("RGB6", pisp, .rggb, 16, .pispCompressed), ("BYR2", pisp, .bggr, 16, .pispCompressed),
      ("R10 ", csi2, .monochrome, 10, .csi2), ("R16 ", pisp, .monochrome, 16, .pispCompressed),
    ] as [(String, UInt64, RawFormat.Mosaic, Int, RawFormat.Packing)])
  func `a raw format is known`(
    name: String, modifier: UInt64, mosaic: RawFormat.Mosaic, bits: Int,
    packing: RawFormat.Packing
  ) {
    var raw = platen_camera_raw()
    #expect(platen_rehearse_raw(fourCC(name), modifier, &raw) == 0)
    #expect(RawFormat(raw) == RawFormat(mosaic: mosaic, bitDepth: bits, packing: packing))
  }

  // Processed formats, and the packing of an Intel IPU3.
  @Test(
    arguments: [
      ("YU12", 0), ("YUYV", 0), ("RG10", 0x01 << 56 | 13), ("RG10", pisp),
    ] as [(String, UInt64)])
  func `other formats are no raw format`(name: String, modifier: UInt64) {
    var raw = platen_camera_raw()
    #expect(platen_rehearse_raw(fourCC(name), modifier, &raw) < 0)
    #expect(RawFormat(raw) == nil)
  }

  private func info() -> platen_camera_frame_info {
    var info = platen_camera_frame_info()
    info.present = UInt32(
      PLATEN_CAMERA_HAS_WHITE_BALANCE_GAINS | PLATEN_CAMERA_HAS_COLOR_MATRIX
        | PLATEN_CAMERA_HAS_BLACK_LEVELS)
    (info.red_gain, info.blue_gain) = (2, 1.6)
    info.color_matrix = (2, -1, 0, 0, 1, 0, 0, 0, 1)
    info.black_levels = (4096, 4112, 4128, 4144)
    return info
  }

  @Test(
    arguments: [
      (.rggb, [256, 257, 258, 259]), (.bggr, [259, 258, 257, 256]),
      (.grbg, [257, 256, 259, 258]), (.gbrg, [258, 259, 256, 257]),
    ] as [(RawFormat.Mosaic, [Double])])
  func `black levels have the places of their colors`(mosaic: RawFormat.Mosaic, levels: [Double]) {
    let format = RawFormat(mosaic: mosaic, bitDepth: 12, packing: .csi2)
    let properties = RawProperties(info(), format: format)
    #expect(properties.blackLevels == levels)
    #expect(properties.whiteLevel == 4095)
  }

  @Test func `the matrix goes back from XYZ to the sensor's colors`() {
    let format = RawFormat(mosaic: .rggb, bitDepth: 10, packing: .csi2)
    let properties = RawProperties(info(), format: format)
    #expect(properties.neutral == [0.5, 1, 0.625])
    // White of D65 is (1, 1, 1) in linear sRGB. The inverse of the matrix makes it (1, 1, 1) of
    // balanced colors, and the gains make it neutral.
    let white = [0.95047, 1, 1.08883]
    let colors = (0..<3).map { row in
      (0..<3).reduce(0.0) { $0 + properties.colorMatrix[3 * row + $1] * white[$1] }
    }
    for (color, neutral) in zip(colors, properties.neutral) {
      #expect(abs(color - neutral) < 1e-3)
    }
  }

  @Test func `a camera without metadata has usual numbers`() {
    let format = RawFormat(mosaic: .rggb, bitDepth: 10, packing: .csi2)
    let properties = RawProperties(platen_camera_frame_info(), format: format)
    #expect(properties.blackLevels == [64, 64, 64, 64])
    #expect(properties.neutral == [1, 1, 1])
    #expect(abs(properties.colorMatrix[0] - 3.2404542) < 1e-6)
  }
}
