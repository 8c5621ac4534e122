import Imaging
import TestSupport
import Testing

struct EncodePlanTests {
  struct Example: CustomStringConvertible {
    var cores: Int, pictures: Int
    var atOnce: Int, stripes: Int
    var description: String { "\(pictures) pictures on \(cores) cores" }
  }

  @Test(arguments: [
    Example(cores: 4, pictures: 1, atOnce: 1, stripes: 4),
    Example(cores: 4, pictures: 2, atOnce: 2, stripes: 2),
    Example(cores: 4, pictures: 3, atOnce: 3, stripes: 1),
    Example(cores: 4, pictures: 4, atOnce: 4, stripes: 1),
    Example(cores: 4, pictures: 9, atOnce: 4, stripes: 1),
    Example(cores: 1, pictures: 3, atOnce: 1, stripes: 1),
    Example(cores: 0, pictures: 0, atOnce: 1, stripes: 1),
    Example(cores: -2, pictures: -5, atOnce: 1, stripes: 1),
  ])
  func `A single picture has all cores, and several share them`(_ example: Example) {
    let plan = EncodePlan(coreCount: example.cores, pictureCount: example.pictures)
    #expect(plan.picturesAtOnce == example.atOnce)
    #expect(plan.stripesPerPicture == example.stripes)
  }

  @Test
  func `Plans use at most the existing cores, and leave fewer unused than a picture has`() {
    for cores in 1...16 {
      for pictures in 1...40 {
        let plan = EncodePlan(coreCount: cores, pictureCount: pictures)
        let used = plan.picturesAtOnce * plan.stripesPerPicture
        #expect(used <= cores && cores - used < plan.picturesAtOnce)
      }
    }
  }

  @Test(arguments: 0..<8)
  func `A schedule never gives out a core twice, and no picture waits while a core is free`(
    _ seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    var schedule = EncodeSchedule(coreCount: Int.random(in: 1...8, using: &generator))
    var running: [Int] = []
    var waiting = 0
    for step in 0..<5000 {
      if Bool.random(using: &generator) {
        waiting += Int.random(in: 1...3, using: &generator)
      } else if let index = running.indices.randomElement(using: &generator) {
        schedule.end(stripeCount: running.remove(at: index))
      }
      while let stripes = schedule.begin(waitingCount: waiting) {
        let isAlone = waiting == 1 && running.isEmpty
        #expect(stripes >= 1 && (!isAlone || stripes == schedule.coreCount))
        running.append(stripes)
        waiting -= 1
      }
      let name = "seed \(seed), step \(step): \(schedule)"
      #expect(schedule.busyCoreCount == running.reduce(0, +), "\(name)")
      #expect(schedule.busyCoreCount <= schedule.coreCount, "\(name)")
      #expect(schedule.pictureCount == running.count, "\(name)")
      #expect(waiting == 0 || schedule.busyCoreCount == schedule.coreCount, "\(name)")
    }
    for stripes in running { schedule.end(stripeCount: stripes) }
    #expect(schedule.busyCoreCount == 0 && schedule.pictureCount == 0)
  }
}
