import Devices
import Testing

extension Conformance {
  @Suite struct ButtonConformanceTests {
    @Test(arguments: ConformanceBoard.all)
    func `a press is two edges with the times of the press`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      let watch = try await rig.button.watch()
      #expect(!watch.isActiveAtStart)
      let down = try await rig.hands.hold()
      let up = try await rig.hands.letGo()
      var events = watch.events.makeAsyncIterator()
      let edges = [await events.next()?.edge, await events.next()?.edge]
      #expect(edges.map { $0?.kind } == [.activated, .deactivated])
      for (edge, window) in zip(edges, [down, up]) {
        let time = try #require(edge?.time)
        #expect(window.contains(time), "\(time) is not in \(window)")
      }
      await rig.button.release()
      #expect(await events.next() == nil)
    }

    @Test(arguments: ConformanceBoard.all)
    func `a button that is held at the start is reported as such`(board: ConformanceBoard)
      async throws
    {
      let rig = try await board.makeRig()
      _ = try await rig.hands.hold()
      let watch = try await rig.button.watch()
      #expect(watch.isActiveAtStart)
      _ = try await rig.hands.letGo()
      var events = watch.events.makeAsyncIterator()
      #expect(await events.next()?.edge?.kind == .deactivated)
      await rig.button.release()
    }

    @Test(arguments: ConformanceBoard.all)
    func `a released line can be taken again`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      for _ in 0..<10 {
        let watch = try await rig.button.watch()
        _ = try await rig.hands.hold()
        var events = watch.events.makeAsyncIterator()
        #expect(await events.next()?.edge?.kind == .activated)
        await rig.button.release()
        _ = try await rig.hands.letGo()
      }
    }

    @Test(arguments: ConformanceBoard.all)
    func `a second watch ends the first`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      let first = try await rig.button.watch()
      let second = try await rig.button.watch()
      for await event in first.events { Issue.record("\(event)") }
      _ = try await rig.hands.hold()
      var events = second.events.makeAsyncIterator()
      #expect(await events.next()?.edge?.kind == .activated)
      await rig.button.release()
      _ = try await rig.hands.letGo()
    }

    @Test(arguments: ConformanceBoard.all)
    func `a line that another program has is busy`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      try await rig.hands.occupyButton(true)
      let error = await #expect(throws: DeviceError.self) { try await rig.button.watch() }
      #expect(error?.code == .busy)
      try await rig.hands.occupyButton(false)
      _ = try await rig.button.watch()
      await rig.button.release()
    }

    @Test(arguments: ConformanceBoard.all)
    func `a line that does not exist is absent`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      let error = await #expect(throws: DeviceError.self) { try await rig.absentButton.watch() }
      #expect(error?.code == .absent)
    }

    @Test(arguments: ConformanceBoard.all)
    func `no edge of quick presses is lost`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      let watch = try await rig.button.watch()
      try await rig.hands.press(count: 20, every: .milliseconds(40))
      var events = watch.events.makeAsyncIterator()
      var edges: [LineEdge] = []
      while edges.count < 40, let event = await events.next() {
        edges.append(try #require(event.edge, "\(event) after \(edges.count) edges"))
      }
      let isDown = (0..<40).map { $0 % 2 == 0 }
      #expect(edges.map { $0.kind == .activated } == isDown)
      #expect(edges.map(\.time) == edges.map(\.time).sorted())
      let numbers = edges.compactMap(\.lineSequence)
      if let first = numbers.first { #expect(numbers == (0..<40).map { first + UInt32($0) }) }
      await rig.button.release()
    }

    @Test(arguments: ConformanceBoard.all)
    func `a press after a storm is seen`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      let watch = try await rig.button.watch()
      var events = watch.events.makeAsyncIterator()
      try await rig.hands.storm(edges: 8000)
      var (isDown, isSeen) = (false, false)
      var told: [ButtonLineEvent] = []
      // The storm's rest in the queue may displace the first press, whose level is found out later;
      // by then the queue is empty.
      for _ in 0..<2 where !isSeen {
        let down = try await rig.hands.hold()
        while let event = await events.next() {
          told.append(event)
          guard let edge = event.edge else {
            // An edge in place of the lost ones follows only where the level differs.
            isDown = false
            continue
          }
          isSeen = edge.kind == .activated && down.contains(edge.time)
          // The button was known to be up after the storm.
          if isSeen { #expect(!isDown, "\(told.suffix(8))") }
          isDown = edge.kind == .activated
          if isSeen || edge.time > down.upperBound { break }
        }
        _ = try await rig.hands.letGo()
      }
      #expect(isSeen)
      await rig.button.release()
    }
  }
}

extension ButtonLineEvent {
  /// The edge; `nil` for other events.
  fileprivate var edge: LineEdge? {
    if case .edge(let edge) = self { edge } else { nil }
  }
}
