import Devices
import Synchronization
import Testing

@Suite struct EventHubTests {
  @Test func `events that a slow listener misses are handed over`() async {
    let hub = EventHub<Int>()
    let dropped = Mutex<[Int]>([])
    let events = hub.listen(limit: 2) { number in dropped.withLock { $0.append(number) } }
    let other = hub.listen(limit: 10)
    for number in 1...5 { hub.send(number) }
    hub.finish()
    #expect(await events.reduce(into: []) { $0.append($1) } == [4, 5])
    #expect(dropped.withLock { $0 } == [1, 2, 3])
    #expect(await other.reduce(into: []) { $0.append($1) } == [1, 2, 3, 4, 5])
  }

  @Test func `a listener keeps no events that it does not want`() async {
    let hub = EventHub<Int>()
    let even = hub.listen(limit: 2, where: { $0 % 2 == 0 })
    for number in 1...5 { hub.send(number) }
    hub.finish()
    #expect(await even.reduce(into: []) { $0.append($1) } == [2, 4])
  }

  @Test func `a listener gets what went before, even from a hub that is finished`() async {
    let hub = EventHub<Int>()
    let events = hub.listen(first: [1, 2])
    hub.send(3)
    hub.finish()
    #expect(await events.reduce(into: []) { $0.append($1) } == [1, 2, 3])
    #expect(await hub.listen(first: [4]).reduce(into: []) { $0.append($1) } == [4])
  }

  @Test func `a hub hands events on to another one before the sender goes on`() async {
    let (hub, other) = (EventHub<Int>(), EventHub<Int>())
    let events = other.listen()
    hub.forward {
      other.send($0 * 10)
    } finish: {
      other.finish()
    }
    hub.send(1)
    hub.finish()
    hub.send(2)
    #expect(await events.reduce(into: []) { $0.append($1) } == [10])
  }
}
