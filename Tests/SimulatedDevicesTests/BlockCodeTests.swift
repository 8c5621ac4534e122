import Testing

@testable import SimulatedDevices

@Suite struct BlockCodeTests {
  private func lumas(_ blocks: [Bool], black: Double = 16, white: Double = 235) -> [Double] {
    blocks.map { $0 ? black : white }
  }

  @Test(arguments: [UInt64](1...200)) func `a code is read back despite noise`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let code = seed.isMultiple(of: 2) ? BlockCode.frame : .page
    let number = random.next() & (code.payloadBits == 32 ? 0xFFFF_FFFF : 0xFFFF)
    let noisy = lumas(code.blocks(of: number)).map {
      $0 + Double(Int(random.next() % 81)) - 40
    }
    #expect(code.number(fromLumas: noisy) == number, "seed \(seed)")
  }

  @Test(arguments: [UInt64](1...100)) func `a single wrong block is noticed`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let code = BlockCode.frame
    var blocks = code.blocks(of: random.next() & 0xFFFF_FFFF)
    blocks[Int(random.next() % UInt64(blocks.count))].toggle()
    #expect(code.number(fromLumas: lumas(blocks)) == nil, "seed \(seed)")
  }

  @Test func `low contrast and wrong counts are refused`() {
    let blocks = BlockCode.page.blocks(of: 7)
    #expect(BlockCode.page.number(fromLumas: lumas(blocks, black: 100, white: 140)) == nil)
    #expect(BlockCode.page.number(fromLumas: Array(lumas(blocks).dropLast())) == nil)
    #expect(BlockCode.page.number(fromLumas: lumas(blocks.reversed())) == nil)
  }
}
