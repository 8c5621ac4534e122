import Foundation
import TestSupport
import Testing

@testable import Spool

struct NumberLimitsTests {
  @Test func `Bounds are always ahead of the numbers`() {
    var random = TestSeed.generator()
    var limits = NumberLimits()
    var (sequence, press) = (Int64(1), Int64(1))
    var writes = 0
    for _ in 0..<10_000 {
      sequence += Int64.random(in: 0...1, using: &random)
      press += Int64.random(in: 0...3, using: &random)
      if !limits.covers(sequence: sequence, press: press) {
        limits.raise(sequence: sequence, press: press)
        writes += 1
      }
      #expect(
        limits.sequence >= sequence && limits.press >= press, "seed \(TestSeed.value)")
    }
    #expect((10...25).contains(writes))
  }

  @Test(arguments: ["", "{}", "null", "{\"boot\":-1,\"bootID\":\"\",\"sequence\":1,\"press\":1}"])
  func `A damaged file gives no bounds`(text: String) throws {
    let directory = TestDirectory()
    try Data(text.utf8).write(to: URL(fileURLWithPath: directory.path + "/numbers.json"))
    #expect(NumberLimits.read(from: directory.path, files: KernelFileSystem()) == nil)
  }
}
