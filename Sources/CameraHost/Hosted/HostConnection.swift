import Devices
import Dispatch
import Foundation
import Logging
import Synchronization

/// A camera process and the socket to it.
///
/// Answers and events come on the process's own thread, which only resumes, enqueues and notes.
/// Requests are sent on a queue, because a process that does not read makes the sender wait.
/// Whatever happens to the process, each call returns: by its answer, its deadline or the process's
/// end.
final class HostConnection: Sendable {
  /// The outcome of a call on this side.
  enum Outcome: Sendable {
    case answer(HostAnswer)
    case lease(HostedLease, SharedMemory, raw: SharedMemory?, preview: SharedMemory?)
    case failure(DeviceError)
  }

  /// A stream on this side, with the buffers that its leases have mapped.
  struct Stream {
    var device: String
    let events = CameraEvents()
    var memories: [Int: SharedMemory] = [:]
    /// The buffers to map as frames come; `nil` before the start.
    var unmapped: UnmappedBuffers?
  }

  /// The state behind the lock.
  struct State {
    var ledger = HostLedger()
    var child: ChildProcess?
    var greeting: HostGreeting?
    var waiters: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
    var leaseStreams: [UInt64: Int] = [:]
    var streams: [Int: Stream] = [:]
    var startWaiter: CheckedContinuation<Bool, Never>?
    var nextStream = 0
  }

  let socket: HostSocket
  let clock: any MonotonicClock
  let deadlines: HostDeadlines
  let logger: Logger
  let sending = DispatchQueue(label: "platen.camera-host.requests")
  let state = Mutex(State())
  /// A hub without events, which is finished when the end of the process has been collected.
  let collected = EventHub<Void>()
  let whenEnded: @Sendable (HostEnd) -> Void

  private init(
    socket: HostSocket, deadlines: HostDeadlines, clock: any MonotonicClock, logger: Logger,
    whenEnded: @escaping @Sendable (HostEnd) -> Void
  ) {
    self.socket = socket
    self.deadlines = deadlines
    self.clock = clock
    self.logger = logger
    self.whenEnded = whenEnded
  }

  /// Starts a process and waits until it is ready.
  ///
  /// - Parameters:
  ///   - prepared: the process to take if it can begin; another one is started if not.
  ///   - whenEnded: a closure that gets the process's end once, as soon as it is decided.
  /// - Throws: `DeviceError`: `inputOutput` when the process cannot start or ends at once,
  ///   `timedOut`.
  static func start(
    _ launch: HostLaunch, prepared: PreparedProcess?, deadlines: HostDeadlines,
    clock: any MonotonicClock, logger: Logger, whenEnded: @escaping @Sendable (HostEnd) -> Void
  ) async throws(DeviceError) -> HostConnection {
    let connection: HostConnection
    if let copy = prepared?.begin(with: launch.arguments) {
      connection = HostConnection(
        socket: copy.socket, deadlines: deadlines, clock: clock, logger: logger,
        whenEnded: whenEnded)
      connection.watch(
        .adopt(copy.processID, socket: copy.socket, listener: connection.listener()))
    } else {
      let (socket, childDescriptor) = try pair()
      connection = HostConnection(
        socket: socket, deadlines: deadlines, clock: clock, logger: logger, whenEnded: whenEnded)
      connection.watch(
        .start(
          launch, socket: socket, childDescriptor: childDescriptor,
          listener: connection.listener()))
    }
    if await !connection.isReady() {
      let end = connection.end ?? connection.presumedEnd
      throw DeviceError(
        { if case .hung = end.cause { .timedOut } else { .inputOutput } }(),
        device: "camera process", problem: "cannot be started", cause: end.description)
    }
    return connection
  }

  private static func pair() throws(DeviceError) -> (HostSocket, other: Int32) {
    do throws(SystemError) {
      return try HostSocket.pair()
    } catch {
      throw DeviceError(
        .inputOutput, device: "camera process", problem: "cannot be started",
        cause: "socketpair: \(error)")
    }
  }

  private func watch(_ child: ChildProcess) {
    state.withLock { $0.child = child }
  }

  private func listener() -> ChildProcess.Listener {
    ChildProcess.Listener(
      started: { process in self.state.withLock { $0.ledger.processID = process } },
      received: { packet, descriptors in self.receive(packet, descriptors) },
      receivedCut: {
        self.finish(
          .malformed(
            "a message has more than \(HostCodec.maximumBytes) bytes, or its descriptor was lost"))
      },
      ended: { status in self.noteEnd { $0.ended(status, at: self.clock.now) } },
      failed: { code in
        self.finish(.notStarted(SystemError(code).description))
        self.noteEnd { $0.ended(.exited(-1), at: self.clock.now) }
      })
  }

  private func isReady() async -> Bool {
    let timer = Task {
      do { try await clock.sleep(for: deadlines.begin) } catch { return }
      finish(.hung(call: "start", after: deadlines.begin))
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { waiter in
      let known: Bool? = state.withLock { state in
        if state.ledger.isUsable { return true }
        if state.ledger.cause != nil { return false }
        state.startWaiter = waiter
        return nil
      }
      if let known { waiter.resume(returning: known) }
    }
  }

  /// The process's number.
  var processID: Int32 { state.withLock { $0.ledger.processID } }

  /// The process's greeting; `nil` before it is ready.
  var greeting: HostGreeting? { state.withLock { $0.greeting } }

  /// Whether the process takes calls.
  var isUsable: Bool { state.withLock { $0.ledger.isUsable } }

  /// The end of the process; `nil` while it runs.
  var end: HostEnd? {
    state.withLock { state in
      if case .ended(let end) = state.ledger.phase { end } else { nil }
    }
  }

  /// The decided end of the process, for callers that do not wait for the end itself.
  var presumedEnd: HostEnd {
    state.withLock { state in
      HostEnd(
        cause: state.ledger.cause ?? .requested, processID: state.ledger.processID, time: clock.now)
    }
  }
}
