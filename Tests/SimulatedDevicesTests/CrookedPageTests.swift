import Devices
import Foundation
import Imaging
import Testing

@testable import SimulatedDevices

/// The scene's text, photographed crooked and from aside, as tesseract reads the renditions of it.
@Suite struct CrookedPageTests {
  /// A crooked photo of the scene, whose page is the part with text.
  private struct Photo {
    static let size = FrameSize(width: 2048, height: 1536)
    /// The clockwise angle of the text in degrees.
    static let angle = 8.0
    /// The shares by which the scene shrinks for each pixel to the right and down.
    private static let depth = SIMD2(0.00006, 0.00009)

    private static let middle = SIMD2(Double(size.width), Double(size.height)) / 2
    private static let (cosine, sine) = (cos(angle * .pi / 180), sin(angle * .pi / 180))

    /// Returns the place in the scene of a place in the photo, both from the middle.
    private static func inScene(_ place: SIMD2<Double>) -> SIMD2<Double> {
      SIMD2(cosine * place.x + sine * place.y, cosine * place.y - sine * place.x)
        / (1 + (depth * place).sum())
    }

    /// Returns the place in the photo of a place in the scene, both from the middle.
    private static func inPhoto(_ place: SIMD2<Double>) -> SIMD2<Double> {
      let (a, b) = (cosine - depth.x * place.x, sine - depth.y * place.x)
      let (c, d) = (-sine - depth.x * place.y, cosine - depth.y * place.y)
      return SIMD2(place.x * d - b * place.y, a * place.y - place.x * c) / (a * d - b * c)
    }

    /// The findings of a perfect reader.
    static var findings: PageFindings {
      let text = PageSceneLayout(size: size).pixels(of: PageSceneLayout.text, turn: .none)
      let (left, right) = (Double(text.left - 20), Double(text.right + 20))
      let (top, bottom) = (Double(text.top - 20), Double(text.bottom + 20))
      var findings = PageFindings()
      findings.outline = [
        SIMD2(left, top), SIMD2(right, top), SIMD2(right, bottom), SIMD2(left, bottom),
      ].map { corner in
        let place = (inPhoto(corner - middle) + middle) / (middle * 2)
        return PageFindings.Point(x: place.x, y: place.y)
      }
      findings.textAngle = 0
      findings.skew = -angle
      findings.letterHeight = 14
      return findings
    }

    /// Takes the photo in gray.
    static func taken(page: Int) -> ScenePicture {
      let scene = ScenePicture(page: page, turn: .none, number: 1, size: size)
      var photo = scene
      for row in 0..<size.height {
        for column in 0..<size.width {
          let place = inScene(SIMD2(Double(column), Double(row)) - middle) + middle
          let x = min(max(place.x, 0), Double(size.width - 2))
          let y = min(max(place.y, 0), Double(size.height - 2))
          let first = Int(y) * size.width + Int(x)
          let (right, down) = (x - Double(Int(x)), y - Double(Int(y)))
          func line(_ index: Int) -> Double {
            Double(scene.luma[index]) * (1 - right) + Double(scene.luma[index + 1]) * right
          }
          let sample = line(first) * (1 - down) + line(first + size.width) * down
          photo.luma[row * size.width + column] = UInt8(sample.rounded())
        }
      }
      return photo
    }
  }

  @Test func `tesseract reads 99 of 100 letters of a crooked page that was straightened`() throws {
    let photo = Photo.taken(page: 1)
    let format = StreamFormat(
      size: photo.size, pixelFormat: .yuv420, bytesPerRow: photo.size.width, colorSpace: .jpeg)
    let bytes =
      photo.luma + [UInt8](repeating: 128, count: format.byteCount - photo.size.area)
    let exif = EXIFMetadata(
      orientation: .up, make: "m", model: "m", software: "s",
      captured: WallClockTime(nanosecondsSince1970: 0), clockIsSynchronized: true,
      imageUniqueID: String(repeating: "0", count: 32), rigID: "rig", pressNumber: 1)
    func accuracy(_ findings: PageFindings?) throws -> Double {
      let pictures = try bytes.withUnsafeBytes {
        try PhotoEncoder().encode(
          bytes: $0, format: format, exif: exif,
          renditions: [
            RenditionSettings(
              rendition: .document, quality: .quality(85), document: DocumentLimits())
          ], findings: findings)
      }
      let picture = try #require(pictures.first)
      #expect(max(picture.size.width, picture.size.height) <= 1024)
      let read = try ScenePicture.run(
        "tesseract", [], input: Data(picture.bytes), ["stdout", "-l", "eng"])
      let expected = letters(BookPage.numbered(1).words.joined())
      let found = letters(String(decoding: read, as: UTF8.self))
      return 1 - Double(distance(expected, found)) / Double(expected.count)
    }
    let plain = try accuracy(nil)
    let straightened = try accuracy(Photo.findings)
    #expect(straightened >= 0.99, "\(straightened), and \(plain) without the findings")
    #expect(straightened > plain)
  }

  private func letters(_ text: String) -> [UInt8] {
    text.lowercased().utf8.filter { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
  }

  /// Returns the number of letters to insert, delete or change (Levenshtein).
  private func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var row = Array(0...other.count)
    for (index, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, candidate) in other.enumerated() {
        let changed = diagonal + (letter == candidate ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(changed, diagonal + 1, row[column] + 1)
      }
    }
    return row[other.count]
  }
}
