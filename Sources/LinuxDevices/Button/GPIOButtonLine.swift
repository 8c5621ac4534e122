package import Devices

/// A button on a GPIO line, through the kernel's GPIO character device (libgpiod 1.6 or 2.x).
///
/// Edges carry the instant at which the kernel's interrupt handler ran. The kernel's debouncing is
/// not used, because it would move that instant to the end of the bouncing. Once a second the
/// line's level is compared with the edges. An edge that the kernel lost is then replaced, after a
/// ``Devices/ButtonLineEvent/lostEdges(count:)``. The replacement has the present instant and no
/// number. The comparison also detects a chip that is gone, which kernels before 6.6 do not report
/// to a sleeping reader.
package actor GPIOButtonLine: ButtonLine {
  /// The line's display name, for example `SHUTTER` or `pinctrl-bcm2835 line 17`.
  package nonisolated let name: String

  private let address: GPIOLineAddress
  private let bias: GPIOLineBias
  private let isActiveLow: Bool
  private let clock: any MonotonicClock
  private let executor: DispatchQueueExecutor

  private var line: GPIOInputLine?
  private var gate: ReadinessGate?
  private var events: AsyncStream<ButtonLineEvent>.Continuation?
  private var tracker = EdgeTracker(isActive: false)
  private var pacer = EdgePacer()
  private var isResting = false
  private var lostInStream = 0
  /// The number of watches, so that leftovers of an ended one do not touch the next.
  private var generation = 0
  private var checking: Task<Void, Never>?

  /// The actor's own queue, where it blocks and where the line's edges arrive.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes a button line; nothing is opened before ``watch()``.
  ///
  /// - Parameters:
  ///   - address: the address of the line.
  ///   - bias: the pull of the line while the button is up.
  ///   - isActiveLow: whether the pressed button connects the line to ground.
  ///   - clock: the clock of rests and checks.
  package init(
    _ address: GPIOLineAddress, bias: GPIOLineBias = .asIs, isActiveLow: Bool = false,
    clock: any MonotonicClock = SystemMonotonicClock()
  ) {
    self.address = address
    self.bias = bias
    self.isActiveLow = isActiveLow
    self.clock = clock
    name = address.description
    executor = DispatchQueueExecutor(label: "platen.button.\(address)")
  }

  deinit {
    checking?.cancel()
    events?.finish()
  }

  /// Takes the line and watches both edges; a second call ends the first watch.
  ///
  /// - Throws: ``DeviceError``: `absent`, `busy` or `permissionDenied`.
  package func watch() async throws(DeviceError) -> ButtonLineWatch {
    end()
    let opened = try GPIOInputLine(address, bias: bias, isActiveLow: isActiveLow)
    let (stream, continuation) = AsyncStream.makeStream(
      of: ButtonLineEvent.self, bufferingPolicy: .bufferingNewest(1024))
    let firstEdges: [LineEdge]
    let isActive: Bool
    do {
      let level = try opened.isActive()
      firstEdges = try opened.readEdges()
      // An edge that came while the line was being opened shows the level before it.
      isActive = firstEdges.first.map { $0.kind == .deactivated } ?? level
      gate = try ReadinessGate(watching: opened.eventDescriptor, on: executor.queue) {
        [weak self] in self?.assumeIsolated { $0.readEdges() }
      }
    } catch {
      throw DeviceError(error, device: name, problem: "cannot be watched")
    }
    line = consume opened
    events = continuation
    tracker = EdgeTracker(isActive: isActive)
    pacer = EdgePacer()
    isResting = false
    lostInStream = 0
    report(firstEdges)
    checkLevelEachSecond(generation: generation)
    return ButtonLineWatch(isActiveAtStart: isActive, events: stream)
  }

  /// Ends the watch and releases the line.
  package func release() async {
    end()
  }

  private func end() {
    generation += 1
    checking?.cancel()
    checking = nil
    gate?.silence()
    gate = nil
    line = nil
    events?.finish()
    events = nil
  }

  private func fail(_ failure: SystemError) {
    let code = failure.code == .absent ? DeviceError.Code.disconnected : failure.code
    let problem = "can no longer be read"
    yield(
      .failed(DeviceError(code, device: name, problem: problem, cause: failure.description)))
    end()
  }

  // MARK: Edges

  private func readEdges() {
    guard line != nil, !isResting else { return }
    takeBatch()
  }

  /// Reads a batch and returns the number of its edges; rests when there are too many.
  @discardableResult
  private func takeBatch() -> Int {
    do throws(SystemError) {
      guard let edges = try line?.readEdges() else { return 0 }
      report(edges)
      if pacer.takesRest(afterReading: edges.count, at: clock.now) { rest() }
      return edges.count
    } catch {
      fail(error)
      return 0
    }
  }

  private func report(_ edges: [LineEdge]) {
    for edge in edges {
      let lost = tracker.take(edge)
      if lost > 0 { yield(.lostEdges(count: lost)) }
      yield(.edge(edge))
    }
  }

  /// Passes an event on, after a report of the events that a slow reader made the stream drop.
  private func yield(_ event: ButtonLineEvent) {
    if lostInStream > 0 {
      let count = lostInStream
      lostInStream = 0
      countDropped(events?.yield(.lostEdges(count: count)))
    }
    countDropped(events?.yield(event))
  }

  private func countDropped(
    _ result: AsyncStream<ButtonLineEvent>.Continuation.YieldResult?
  ) {
    guard case .dropped(let dropped) = result else { return }
    switch dropped {
    case .edge: lostInStream += 1
    case .lostEdges(let count): lostInStream += count
    case .failed: break
    }
  }

  private func rest() {
    isResting = true
    gate?.silence()
    Task { [weak self, clock, generation] in
      try? await clock.sleep(for: EdgePacer.window)
      await self?.endRest(generation: generation)
    }
  }

  private func endRest(generation: Int) {
    guard generation == self.generation else { return }
    isResting = false
    if takeBatch() == 0 { compareLevel() }
    guard !isResting, line != nil else { return }
    do throws(SystemError) { try gate?.listen() } catch { fail(error) }
  }

  // MARK: Level

  private func checkLevelEachSecond(generation: Int) {
    checking = Task(executorPreference: ActorTasks(on: executor)) { [weak self, clock] in
      while !Task.isCancelled {
        do { try await clock.sleep(untilNext: .seconds(1)) } catch { return }
        await self?.checkLevel(generation: generation)
      }
    }
  }

  private func checkLevel(generation: Int) {
    guard generation == self.generation, !isResting else { return }
    if takeBatch() == 0 { compareLevel() }
  }

  private func compareLevel() {
    do throws(SystemError) {
      guard let level = try line?.isActive() else { return }
      switch tracker.compare(level: level) {
      case .agrees: break
      case .compareAgain: rest()
      case .lostEdge(let kind):
        yield(.lostEdges(count: 1))
        yield(.edge(LineEdge(kind: kind, time: clock.now, isInferred: true)))
      }
    } catch {
      fail(error)
    }
  }
}
