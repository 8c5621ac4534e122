import Devices
import Testing

@Suite struct BlinkCodeTests {
  /// Counts flashes as a person does: a flash is as bright as the shortest steps.
  ///
  /// A pause of about a second ends a digit, and a longer pause ends the code.
  private func read(_ pattern: IndicatorPattern, flashLevel: Double) -> [Int] {
    var steps = pattern.steps
    // The pattern repeats, so its end continues in its beginning.
    if let first = steps.first, let last = steps.last, first.level == last.level {
      steps[0].duration += steps.removeLast().duration
    }
    // The count begins behind the longest pause.
    let start = steps.indices.max { steps[$0].duration < steps[$1].duration } ?? 0
    var digits = [0]
    for step in (steps[(start + 1)...] + steps[...start]) {
      if step.level == flashLevel {
        digits[digits.count - 1] += 1
      } else if step.duration >= .milliseconds(1500) {
        break
      } else if step.duration >= .milliseconds(800) {
        digits.append(0)
      }
    }
    return digits
  }

  @Test(arguments: 1...9, 1...9)
  func `flashes can be counted`(group: Int, number: Int) {
    let code = BlinkCode(group, number)
    #expect(read(code.pattern, flashLevel: 1) == [group, number])
    #expect(read(code.inversePattern, flashLevel: 0) == [group, number])
    #expect(code.pattern.period == code.inversePattern.period)
    #expect(code.pattern.period < .seconds(13))
  }

  @Test func `the first flash comes at once and the inverse begins lit`() {
    #expect(BlinkCode(2, 3).pattern.steps.first?.level == 1)
    #expect(BlinkCode(2, 3).inversePattern.steps.first?.level == 1)
    #expect(BlinkCode(2, 3).inversePattern.steps.first?.duration == BlinkCode.betweenCodes / 2)
  }

  /// The kernel is late by up to a tick of 100 Hz for each step and each edge.
  ///
  /// The pattern restarts after its period.
  @Test(arguments: 1...9, 1...9)
  func `all flashes are shown before the code restarts even with a late kernel`(
    group: Int, number: Int
  ) {
    let pattern = BlinkCode(group, number).inversePattern
    let tick = Duration.milliseconds(10)
    let lastFlash = pattern.steps.lastIndex { $0.level == 0 } ?? 0
    let end = pattern.steps[...lastFlash].reduce(Duration.zero) { $0 + $1.duration + tick * 2 }
    #expect(end < pattern.period - .milliseconds(100))
  }
}
