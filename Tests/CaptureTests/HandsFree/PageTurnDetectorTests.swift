import Capture
import Devices
import TestSupport
import Testing

@Suite struct PageTurnDetectorTests {
  private static func desk(_ purpose: UInt64 = 1) -> PageDesk {
    PageDesk(random: TestSeed.generator(purpose))
  }

  @Test func `a thousand page turns give one picture each`() {
    var desk = Self.desk(26)
    var wanted: [Int] = []
    var number = 0
    desk.rest(.seconds(5))
    for _ in 0..<Repetitions.of(1000) {
      number += 1
      switch Int.random(in: 0..<20, using: &desk.random) {
      case 0:  // Two pages are turned fast: the first is never seen lying still.
        desk.turn(to: number)
        number += 1
        desk.turn(to: number)
      case 1:  // A hand rests on the page before it goes.
        desk.turn(to: number, handRests: .seconds(2))
      case 2:  // A hand stays.
        desk.turn(to: number, handRests: .seconds(12))
      case 3:  // The page is lifted and put back.
        desk.turn(to: number)
        desk.rest(.seconds(4))
        desk.turn(to: number)
      case 4:  // Somebody bumps the table, during the countdown or after the picture.
        desk.turn(to: number)
        desk.rest(.milliseconds(Int.random(in: 300...5000, using: &desk.random)))
        desk.observe(2, motion: 0.05...0.4)
      case 5:  // The light flickers.
        desk.turn(to: number)
        for _ in 0..<Int.random(in: 1...4, using: &desk.random) {
          desk.rest(.milliseconds(Int.random(in: 200...1500, using: &desk.random)))
          desk.observe(1, motion: 0...0.06)
        }
      case 6:  // A hand waves above the page, which stays.
        desk.turn(to: number)
        desk.rest(.seconds(4))
        desk.hasHand = true
        desk.observe(6, motion: 0.03...0.2)
        desk.hasHand = false
      default: desk.turn(to: number)
      }
      wanted.append(number)
      desk.rest(.milliseconds(Int.random(in: 3500...7000, using: &desk.random)))
    }
    let doubles = desk.pictures.count - Set(desk.pictures).count
    let missed = Set(wanted).subtracting(desk.pictures).count
    print("PageTurnDetectorTests: seed \(TestSeed.value), doubles \(doubles), missed \(missed)")
    #expect(doubles == 0, "seed \(TestSeed.value)")
    #expect(missed <= 10, "seed \(TestSeed.value)")
    #expect(desk.wrongPictures == 0, "seed \(TestSeed.value)")
  }

  @Test func `a countdown is shown and called off by a motion`() {
    var desk = Self.desk()
    desk.rest(.seconds(2))
    desk.turn(to: 1)
    desk.rest(.seconds(2))
    #expect(desk.actions.suffix(4) == [.read, .read, .count(2), .count(1)])
    desk.observe(1, motion: 0.1...0.1)
    #expect(desk.actions.last == .callOff && desk.pictures.isEmpty)
    desk.rest(.seconds(4))
    #expect(desk.actions.suffix(5) == [.read, .read, .count(2), .count(1), .take])
  }

  @Test func `without a countdown nothing is shown`() {
    var policy = PageTurnPolicy()
    policy.countdown = 0
    var desk = PageDesk(policy, random: TestSeed.generator(2))
    desk.rest(.seconds(2))
    desk.turn(to: 1)
    desk.rest(.seconds(2))
    #expect(desk.pictures == [1])
    #expect(desk.actions.suffix(3) == [.read, .read, .take])
  }

  @Test func `the page that lies there at the start has its picture`() {
    var desk = Self.desk()
    desk.page = 5
    desk.rest(.seconds(10))
    #expect(desk.pictures.isEmpty)
    desk.turn(to: 6)
    desk.rest(.seconds(5))
    #expect(desk.pictures == [6])
  }

  /// A reading with another outline sees another page.
  @Test(arguments: 3...7) func `a single wrong reading takes no picture and hides none`(
    interval: Int
  ) {
    var desk = Self.desk(UInt64(interval))
    desk.wrongReadings = { $0.isMultiple(of: interval) }
    desk.rest(.seconds(8))
    for page in 1...12 {
      desk.turn(to: page)
      desk.rest(.seconds(8))
      // The hand goes without a turn.
      desk.turn(to: page)
      desk.rest(.seconds(8))
    }
    #expect(desk.pictures == Array(1...12), "seed \(TestSeed.value)")
  }

  @Test func `a page that looks different at each reading is not read at each observation`() {
    var desk = Self.desk()
    desk.rest(.seconds(2))
    desk.wrongReadings = { _ in true }
    desk.turn(to: 1)
    let before = desk.readingCount
    desk.rest(.seconds(20))
    #expect(desk.pictures.isEmpty)
    #expect(desk.readingCount - before <= 40)
  }

  @Test func `an empty desk gets no picture`() {
    var desk = Self.desk()
    desk.rest(.seconds(2))
    desk.turn(to: 0)
    desk.rest(.seconds(10))
    #expect(desk.pictures.isEmpty)
  }

  @Test func `a press by hand is the picture of its page`() {
    var desk = Self.desk()
    desk.rest(.seconds(2))
    for page in 1...20 {
      desk.turn(to: page)
      desk.rest(.milliseconds(1500))
      let looked = desk.look()
      #expect(desk.detector.pressed(at: desk.now, looked) == .callOff)
      desk.detector.stored(desk.now)
      // Every second page is turned before it could be read again.
      if page.isMultiple(of: 2) { desk.rest(.seconds(5)) }
    }
    #expect(desk.pictures.isEmpty)
    desk.turn(to: 21)
    desk.rest(.seconds(5))
    #expect(desk.pictures == [21])
  }

  @Test func `a reading goes before the look in passing of a press by hand`() {
    var desk = Self.desk()
    desk.rest(.seconds(2))
    desk.turn(to: 1)
    desk.rest(.milliseconds(1500))
    // A coarse look takes the page for the next one.
    desk.page = 2
    let wrong = desk.look()
    desk.page = 1
    #expect(desk.detector.pressed(at: desk.now, wrong) == .callOff)
    desk.detector.stored(desk.now)
    desk.turn(to: 2)
    desk.rest(.seconds(5))
    #expect(desk.pictures == [2])
  }

  @Test func `a press by hand that was refused leaves the page to the detector`() {
    var desk = Self.desk()
    desk.rest(.seconds(2))
    desk.turn(to: 1)
    let pressed = desk.now
    let looked = desk.look()
    _ = desk.detector.pressed(at: pressed, looked)
    #expect(desk.detector.refused(pressed, at: desk.now) == .wait)
    desk.rest(.seconds(8))
    #expect(desk.pictures == [1])
  }

  @Test func `a refusal during the countdown of the next page calls it off`() throws {
    var desk = Self.desk()
    desk.storesPresses = false
    desk.rest(.seconds(2))
    desk.turn(to: 1)
    while desk.pictures.isEmpty { desk.rest(PageDesk.tick) }
    let pressed = try #require(desk.times.last)
    desk.turn(to: 2)
    desk.rest(.milliseconds(1500))
    #expect(desk.detector.refused(pressed, at: desk.now) == .callOff)
  }

  @Test func `a refused page is taken again after longer and longer pauses`() throws {
    var desk = Self.desk()
    desk.storesPresses = false
    desk.rest(.seconds(2))
    desk.turn(to: 1)
    var pauses: [Duration] = []
    for count in 1...6 {
      while desk.pictures.count < count { desk.rest(PageDesk.tick) }
      let last = try #require(desk.times.last)
      if count > 1 { pauses.append(desk.times[count - 2].duration(to: last)) }
      #expect(desk.detector.refused(last, at: desk.now) == .wait)
    }
    #expect(desk.pictures == [1, 1, 1, 1, 1, 1])
    #expect(pauses == pauses.sorted() && pauses[0] >= .seconds(4) && pauses[4] >= .seconds(32))
    // A page that was turned while the press was under way is not the refused one.
    desk.storesPresses = true
    desk.turn(to: 2)
    desk.rest(.seconds(40))
    #expect(desk.pictures.suffix(1) == [2])
  }

  @Test func `no picture is taken while the rig is not ready`() {
    var desk = Self.desk()
    desk.rest(.seconds(2))
    desk.isReady = false
    desk.turn(to: 1)
    desk.rest(.seconds(20))
    #expect(desk.pictures.isEmpty && !desk.actions.contains(.count(2)))
    desk.isReady = true
    desk.rest(.seconds(2))
    // The rig is interrupted during the countdown.
    desk.isReady = false
    desk.rest(.seconds(5))
    #expect(desk.pictures.isEmpty)
    desk.isReady = true
    desk.rest(.seconds(5))
    #expect(desk.pictures == [1] && desk.wrongPictures == 0)
  }

  @Test func `a page that was turned out of sight gets its picture`() {
    var desk = Self.desk()
    #expect(desk.detector.lostSight() == .wait)
    desk.page = 1
    desk.rest(.seconds(5))
    #expect(desk.pictures.isEmpty)
    _ = desk.detector.lostSight()
    desk.page = 2
    desk.rest(.seconds(5))
    #expect(desk.pictures == [2])
  }
}
