import CLibcameraShim
import Devices

extension RawFormat {
  /// Reads the shim's form of raw samples; `nil` when there are none.
  init?(_ raw: platen_camera_raw) {
    let mosaic: Mosaic
    switch raw.mosaic {
    case PLATEN_CAMERA_MOSAIC_RGGB.rawValue: mosaic = .rggb
    case PLATEN_CAMERA_MOSAIC_BGGR.rawValue: mosaic = .bggr
    case PLATEN_CAMERA_MOSAIC_GRBG.rawValue: mosaic = .grbg
    case PLATEN_CAMERA_MOSAIC_GBRG.rawValue: mosaic = .gbrg
    case PLATEN_CAMERA_MOSAIC_MONOCHROME.rawValue: mosaic = .monochrome
    default: return nil
    }
    let packing: Packing
    switch raw.packing {
    case PLATEN_CAMERA_PACKING_CSI2.rawValue: packing = .csi2
    case PLATEN_CAMERA_PACKING_PISP.rawValue: packing = .pispCompressed
    default: packing = .none
    }
    self.init(mosaic: mosaic, bitDepth: Int(raw.bit_depth), packing: packing)
  }
}

extension RawStreamFormat {
  /// Reads the shim's layout of raw frames; `nil` when there are none.
  init?(_ raw: platen_camera_raw) {
    guard let format = RawFormat(raw) else { return nil }
    self.init(
      format: format, size: FrameSize(width: Int(raw.width), height: Int(raw.height)),
      bytesPerRow: Int(raw.stride))
  }
}

extension RawFrame {
  /// Makes the raw frame of a lease; `nil` when the lease has none.
  init?(
    _ info: platen_camera_frame_info, format: RawStreamFormat, lease: platen_camera_frame,
    memory: platen_camera_frame_memory
  ) {
    guard let memory = LibcameraSideMemory(.raw, of: lease, memory: memory) else { return nil }
    self.init(
      format: format, properties: RawProperties(info, format: format.format), memory: memory)
  }
}

extension RawProperties {
  /// Computes the properties of a frame's raw samples from libcamera's metadata.
  ///
  /// libcamera gives the matrix from balanced sensor colors to linear sRGB and the gains of the
  /// balance. Where a camera reports neither, the colors are taken as linear sRGB.
  /// Unreported black levels are those of most Sony sensors, which rpicam-apps assumes, too.
  init(_ info: platen_camera_frame_info, format: RawFormat) {
    func has(_ field: Int) -> Bool { Int(info.present) & field != 0 }
    let unit = Double(1 << format.bitDepth) / 65_536
    let levels = has(PLATEN_CAMERA_HAS_BLACK_LEVELS) ? info.black_levels : (4096, 4096, 4096, 4096)
    let (red, greenOfRed, greenOfBlue, blue) = (
      Double(levels.0) * unit, Double(levels.1) * unit, Double(levels.2) * unit,
      Double(levels.3) * unit
    )
    let blackLevels =
      switch format.mosaic {
      case .rggb, .monochrome: [red, greenOfRed, greenOfBlue, blue]
      case .bggr: [blue, greenOfBlue, greenOfRed, red]
      case .grbg: [greenOfRed, red, blue, greenOfBlue]
      case .gbrg: [greenOfBlue, blue, red, greenOfRed]
      }
    let gains = (red: info.red_gain, blue: info.blue_gain)
    let isBalanced =
      has(PLATEN_CAMERA_HAS_WHITE_BALANCE_GAINS) && gains.red > 0 && gains.blue > 0
      && gains.red.isFinite && gains.blue.isFinite
    let neutral = isBalanced ? [1 / gains.red, 1, 1 / gains.blue] : [1, 1, 1]
    let matrix = withUnsafeBytes(of: info.color_matrix) { bytes in
      bytes.bindMemory(to: Float.self).map { Double($0) }
    }
    let balanced =
      (has(PLATEN_CAMERA_HAS_COLOR_MATRIX) ? SquareMatrix(matrix).inverse : nil) ?? .identity
    let colors = balanced.multiplied(by: .sRGBFromXYZ)
    self.init(
      blackLevels: blackLevels, whiteLevel: Double(1 << format.bitDepth - 1), neutral: neutral,
      colorMatrix: (0..<9).map { colors.elements[$0] * neutral[$0 / 3] })
  }
}

/// A matrix of three rows and three columns, row by row.
private struct SquareMatrix {
  var elements: [Double]

  init(_ elements: [Double]) { self.elements = elements }

  static let identity = SquareMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1])

  /// The matrix from XYZ with white D65 to linear sRGB (IEC 61966-2-1).
  static let sRGBFromXYZ = SquareMatrix([
    3.2404542, -1.5371385, -0.4985314, -0.9692660, 1.8760108, 0.0415560, 0.0556434, -0.2040259,
    1.0572252,
  ])

  /// The inverse by the matrix's cofactors; `nil` where there is none.
  var inverse: SquareMatrix? {
    func element(_ row: Int, _ column: Int) -> Double { elements[3 * (row % 3) + column % 3] }
    func cofactor(_ row: Int, _ column: Int) -> Double {
      element(row + 1, column + 1) * element(row + 2, column + 2)
        - element(row + 1, column + 2) * element(row + 2, column + 1)
    }
    let determinant = (0..<3).reduce(0.0) { $0 + element(0, $1) * cofactor(0, $1) }
    guard determinant.isFinite, abs(determinant) > 1e-6 else { return nil }
    return SquareMatrix((0..<9).map { cofactor($0 % 3, $0 / 3) / determinant })
  }

  func multiplied(by other: SquareMatrix) -> SquareMatrix {
    SquareMatrix(
      (0..<9).map { (index: Int) -> Double in
        let row = index / 3 * 3
        return (0..<3).reduce(0.0) {
          $0 + elements[row + $1] * other.elements[3 * $1 + index % 3]
        }
      })
  }
}
