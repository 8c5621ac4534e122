import Foundation
import Platen
import Testing

struct ConfigurationSafetyTests {
  @Test("An alias bomb is refused without being expanded", arguments: [false, true])
  func aliasBomb(asKey: Bool) {
    var text = "a0: &a0 [x, x]\n"
    for level in 1...60 {
      text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n"
    }
    if asKey { text += "? *a60\n: 1\n" }
    let errors = ConfigurationSamples.errors(text)
    #expect(errors.count == (asKey ? 121 : 120))
    #expect(errors.first == #"f.yaml:2:10: expected the value itself, found the alias "*a0""#)
  }

  @Test("An anchor that nobody uses does no harm, an alias without anchor is no YAML")
  func loneAnchor() {
    #expect(
      ConfigurationSamples.errors(ConfigurationSamples.least + "\nlog: &x {level: info}") == [])
    #expect(
      ConfigurationSamples.errors(ConfigurationSamples.least + "\nlog: {level: *x}\n")
        == ["f.yaml:6:14: this is not YAML: found undefined alias"])
  }

  @Test(
    "Deep nesting is refused", arguments: ["[", "{", "- ", "? ", "a: {", "[{", "[a: "],
    [30, 999, 5000, 100_000])
  func nesting(_ opening: String, _ depth: Int) {
    let nested = String(repeating: opening, count: depth)
    let closing = String(
      String(repeating: opening, count: depth).reversed().compactMap { character in
        switch character {
        case "[": "]"
        case "{": "}"
        default: nil as Character?
        }
      })
    for text in [nested, nested + closing, "rig: " + nested + closing] {
      let errors = ConfigurationSamples.errors(text)
      #expect(!errors.isEmpty)
      #expect(errors.allSatisfy { $0.hasPrefix("f.yaml:") && $0.utf8.count < 10000 })
    }
  }

  @Test("Mutations of a valid file give a configuration or errors with places", arguments: 0..<12)
  func mutations(_ seed: UInt64) throws {
    var generator = SplitMix64(state: seed)
    var outcomes = (accepted: 0, refused: 0)
    for round in 0..<150 {
      var bytes = Array(
        (round % 4 == 0 ? ConfigurationSamples.least : ConfigurationSamples.full).utf8)
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        Self.mutate(&bytes, using: &generator)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      do {
        _ = try PlatenConfiguration.parse(text: text, file: "f.yaml")
        outcomes.accepted += 1
      } catch {
        outcomes.refused += 1
        #expect(!error.errors.isEmpty, "seed \(seed), round \(round)")
        for problem in error.errors {
          #expect(
            (problem.line ?? 0) >= 1 && (problem.column ?? 0) >= 1
              && !problem.description.contains { $0.isNewline },
            "seed \(seed), round \(round): \(problem)")
        }
      }
    }
    #expect(outcomes.accepted > 0 && outcomes.refused > 0, "seed \(seed): \(outcomes)")
  }

  private static let pieces = [
    "&a ", "*a", "<<: ", "!!str ", "? ", "- ", ": ", "{", "}", "[", "]", "|\n", ">\n", "\"", "'",
    "#", "---\n", "...\n", "%YAML 1.2\n", "\t", "\r\n", "\u{0}", "\u{85}", "\u{E001}", "🦆", "~",
    "id", "rig:\n", "\n", "  ", "99999999999999999999", "-", "1e9", "0x10", ".inf",
  ]

  static func mutate(_ bytes: inout [UInt8], using generator: inout SplitMix64) {
    guard bytes.count > 4 else { return }
    let position = Int.random(in: 0..<bytes.count, using: &generator)
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: bytes[position] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes.remove(at: position)
    case 2, 3:
      let piece = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      bytes.insert(contentsOf: piece.utf8, at: position)
    case 4:
      let count = Int.random(in: 1...min(40, bytes.count - position), using: &generator)
      bytes.insert(contentsOf: bytes[position..<position + count], at: position)
    case 5:
      let count = Int.random(in: 1...min(40, bytes.count - position), using: &generator)
      bytes.removeSubrange(position..<position + count)
    default:
      // Repeat a whole line: the easiest way to a duplicate key.
      var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let line = Int.random(in: 0..<lines.count, using: &generator)
      lines.insert(lines[line], at: Int.random(in: 0...lines.count, using: &generator))
      bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    }
  }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
