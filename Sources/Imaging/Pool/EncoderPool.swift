import Devices

/// Encoders for several tasks at once: one picture with all cores, or several with one core each.
///
/// Work begins in the order in which it comes and runs on queues of the pool's own, never on the
/// shared thread pool. The cores are shared as ``EncodeSchedule`` says.
public actor EncoderPool {
  /// Blocking work with an encoder and the number of threads it may use.
  public typealias Work<Success> = @Sendable (PhotoEncoder, Int) throws -> Success

  /// An encoder and the threads it may use.
  private struct Turn: Sendable {
    var lane: EncoderLane
    var stripeCount: Int
  }

  private var schedule: EncodeSchedule
  /// Those that rest; the one that worked last is taken first, for its memory is warm.
  private var resting: [EncoderLane] = []
  private var waiting: [CheckedContinuation<Turn, Never>] = []

  /// Makes a pool; encoders are made when they are needed.
  ///
  /// - Parameter coreCount: the cores that encoding may use; less than 1 counts as 1.
  public init(coreCount: Int) {
    schedule = EncodeSchedule(coreCount: coreCount)
  }

  /// The pictures that wait for a core.
  public var waitingCount: Int { waiting.count }

  /// Runs work with an encoder, as soon as its turn comes.
  ///
  /// It is not cancelled with the task that waits for it: a picture that was taken is made.
  ///
  /// - Throws: ``ImagingError`` when there is no encoder, or what the work throws.
  public func perform<Success: Sendable>(_ work: @escaping Work<Success>) async throws -> Success {
    let turn = await nextTurn()
    defer {
      schedule.end(stripeCount: turn.stripeCount)
      resting.append(turn.lane)
      beginWaiting()
    }
    return try await turn.lane.run(work, stripeCount: turn.stripeCount)
  }

  /// Waits for a turn, which has to be ended.
  ///
  /// A function of its own: Swift 6.2.3 cannot optimise a continuation in a generic function.
  private func nextTurn() async -> Turn {
    await withCheckedContinuation { continuation in
      waiting.append(continuation)
      beginWaiting()
    }
  }

  private func beginWaiting() {
    while let stripeCount = schedule.begin(waitingCount: waiting.count) {
      let lane = resting.popLast() ?? EncoderLane()
      waiting.removeFirst().resume(returning: Turn(lane: lane, stripeCount: stripeCount))
    }
  }
}

/// One encoder on a queue of its own.
private actor EncoderLane {
  private let executor = DispatchQueueExecutor(label: "platen.encoder")
  private var encoder: PhotoEncoder?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run<Success: Sendable>(
    _ work: EncoderPool.Work<Success>, stripeCount: Int
  ) throws -> Success {
    let encoder = try self.encoder ?? PhotoEncoder()
    self.encoder = encoder
    return try work(encoder, stripeCount)
  }
}
