import ArgumentParser
import Devices
import Foundation

/// A binary PPM picture of 8 bits (netpbm's ppm(5)) without comments.
struct Pixmap {
  let format: StreamFormat
  let samples: [UInt8]

  init(_ data: Data, name: String) throws {
    var words: [Int] = []
    var rest = data.dropFirst(2)
    while words.count < 3 {
      rest = rest.drop { $0 <= UInt8(ascii: " ") }
      let digits = rest.prefix { $0 > UInt8(ascii: " ") }
      guard let word = Int(String(decoding: digits, as: UTF8.self)) else { break }
      words.append(word)
      rest = rest.dropFirst(digits.count)
    }
    guard data.starts(with: Data("P6".utf8)), words.count == 3, words[2] == 255 else {
      throw ValidationError("\"\(name)\" is no binary PPM picture of 8 bits.")
    }
    samples = [UInt8](rest.dropFirst())
    format = StreamFormat(
      size: FrameSize(width: words[0], height: words[1]), pixelFormat: .rgb,
      bytesPerRow: 3 * words[0], colorSpace: .jpeg)
  }
}
