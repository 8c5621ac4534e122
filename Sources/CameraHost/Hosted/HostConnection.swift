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
    case lease(HostedLease, SharedMemory)
    case failure(DeviceError)
  }

  private struct Stream {
    var device: String
    var sink: AsyncStream<CameraEvent>.Continuation
    var memories: [Int: SharedMemory] = [:]
  }

  private struct State {
    var ledger = HostLedger()
    var child: ChildProcess?
    var greeting: HostGreeting?
    var waiters: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
    var leaseStreams: [UInt64: Int] = [:]
    var streams: [Int: Stream] = [:]
    var startWaiter: CheckedContinuation<Bool, Never>?
    var endWaiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var nextWaiter: UInt64 = 0
    var nextStream = 0
  }

  private let socket: HostSocket
  private let clock: any MonotonicClock
  private let deadlines: HostDeadlines
  private let logger: Logger
  private let sending = DispatchQueue(label: "platen.camera-host.requests")
  private let state = Mutex(State())
  private let whenEnded: @Sendable (HostEnd) -> Void

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

  // MARK: Life

  /// Starts a process and waits until it is ready.
  ///
  /// - Parameter whenEnded: a closure that gets the process's end once, as soon as it is decided.
  /// - Throws: `DeviceError`: `inputOutput` when the process cannot start or ends at once,
  ///   `timedOut`.
  static func start(
    _ launch: HostLaunch, deadlines: HostDeadlines, clock: any MonotonicClock, logger: Logger,
    whenEnded: @escaping @Sendable (HostEnd) -> Void
  ) async throws(DeviceError) -> HostConnection {
    let socket: HostSocket
    let childDescriptor: Int32
    do throws(HostSocket.Failure) {
      (socket, childDescriptor) = try HostSocket.pair()
    } catch {
      throw DeviceError(
        .inputOutput, device: "camera process", problem: "cannot be started",
        cause: "socketpair: \(error)")
    }
    let connection = HostConnection(
      socket: socket, deadlines: deadlines, clock: clock, logger: logger, whenEnded: whenEnded)
    let child = ChildProcess.start(
      launch, socket: socket, childDescriptor: childDescriptor, listener: connection.listener())
    connection.state.withLock { $0.child = child }
    if await !connection.isReady() {
      let end = connection.end ?? connection.presumedEnd
      throw DeviceError(
        { if case .hung = end.cause { .timedOut } else { .inputOutput } }(),
        device: "camera process", problem: "cannot be started", cause: end.description)
    }
    return connection
  }

  private func listener() -> ChildProcess.Listener {
    ChildProcess.Listener(
      started: { process in self.state.withLock { $0.ledger.processID = process } },
      received: { packet, descriptors in self.receive(packet, descriptors) },
      receivedCut: { self.finish(.malformed("a message was cut, or its descriptor was")) },
      ended: { status in self.noteEnd { $0.ended(status, at: self.clock.now) } },
      failed: { code in
        self.finish(.notStarted(String(cString: strerror(code))))
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
  private var presumedEnd: HostEnd {
    state.withLock { state in
      HostEnd(
        cause: state.ledger.cause ?? .requested, processID: state.ledger.processID, time: clock.now)
    }
  }

  /// Kills the process for a cause; calls fail and streams end at once.
  func finish(_ cause: HostEnd.Cause) {
    let (isFirst, child) = state.withLock { ($0.ledger.end(cause), $0.child) }
    if isFirst { kill(child) }
  }

  private func kill(_ child: ChildProcess?) {
    child?.kill()
    let end = presumedEnd
    // The end is noted before the calls fail, so that their callers can read the cause.
    whenEnded(end)
    failAll(end)
  }

  /// Closes the socket, so that the process ends by itself.
  func letGo() {
    let isFirst = state.withLock { $0.ledger.end(.requested) }
    guard isFirst else { return }
    socket.shutDown()
    whenEnded(presumedEnd)
    failAll(presumedEnd)
  }

  /// Waits until the process has ended, at most for a duration.
  ///
  /// - Returns: whether the process has ended.
  func hasEnded(within patience: Duration) async -> Bool {
    let token = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    let timer = Task {
      do { try await clock.sleep(for: patience) } catch { return }
      state.withLock { $0.endWaiters.removeValue(forKey: token) }?.resume(returning: false)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { waiter in
      let hasEnded = state.withLock { state in
        if case .ended = state.ledger.phase { return true }
        state.endWaiters[token] = waiter
        return false
      }
      if hasEnded { waiter.resume(returning: true) }
    }
  }

  private func noteEnd(_ note: (inout HostLedger) -> HostEnd) {
    let (end, isNews) = state.withLock { state in
      let isNews = state.ledger.cause == nil
      return (note(&state.ledger), isNews)
    }
    if isNews { whenEnded(end) }
    failAll(end)
    let waiters = state.withLock { state in
      defer { state.endWaiters = [:] }
      return state.endWaiters.values.map { $0 }
    }
    for waiter in waiters { waiter.resume(returning: true) }
  }

  private func failAll(_ end: HostEnd) {
    let (calls, waiters, streams, starting) = state.withLock { state in
      defer {
        state.waiters = [:]
        state.leaseStreams = [:]
        state.streams = [:]
        state.startWaiter = nil
      }
      return (state.ledger.takeAll(), state.waiters, state.streams, state.startWaiter)
    }
    starting?.resume(returning: false)
    for (id, waiter) in waiters {
      let call = calls[id] ?? HostLedger.Call(name: "answer", device: "camera", beginning: end.time)
      waiter.resume(returning: .failure(end.error(of: call)))
    }
    for stream in streams.values {
      if !end.isInOrder { stream.sink.yield(.streamFailed(end.error(ofStream: stream.device))) }
      stream.sink.finish()
    }
  }

  // MARK: Calls

  /// Makes a call and waits for its answer.
  ///
  /// - Parameter frame: the longest frame that may be under way, which is added to the deadline.
  func call(
    _ call: HostCall, of device: String, frame: Duration = .zero
  ) async -> Outcome {
    let limit = deadlines.limit(of: call) + frame
    let id = state.withLock { $0.ledger.begin(call.name, of: device, at: clock.now) }
    guard let id else {
      let note = HostLedger.Call(name: call.name, device: device, beginning: clock.now)
      return .failure((end ?? presumedEnd).error(of: note))
    }
    let timer = Task {
      do { try await clock.sleep(for: limit) } catch { return }
      expire(id)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { waiter in
      let isTaken = state.withLock { state in
        // The process may have ended since the call was noted.
        guard state.ledger.isUsable else { return false }
        state.waiters[id] = waiter
        if case .lease(_, let stream, _) = call { state.leaseStreams[id] = stream }
        return true
      }
      guard isTaken else {
        let note = HostLedger.Call(name: call.name, device: device, beginning: clock.now)
        waiter.resume(returning: .failure((end ?? presumedEnd).error(of: note)))
        return
      }
      send(.call(id: id, call))
    }
  }

  private func expire(_ id: UInt64) {
    let (mustKill, child) = state.withLock { state in
      (state.ledger.expire(id, at: clock.now), state.child)
    }
    if mustKill { kill(child) }
  }

  /// Ends a lease without waiting.
  func giveBack(_ lease: UInt64) {
    if isUsable { send(.giveBack(lease: lease)) }
  }

  /// Closes an unused camera without waiting.
  func abandon(_ camera: Int) {
    if isUsable { send(.abandon(camera: camera)) }
  }

  private func send(_ request: HostRequest) {
    sending.async { [self] in
      do {
        try socket.send(try HostCodec.encode(request))
      } catch let error as HostCodec.Malformed {
        finish(.malformed(error.description))
      } catch {
        // The process is gone. Its thread sees the end too, and knows the cause.
        logger.debug("a request could not be sent", metadata: ["error": "\(error)"])
      }
    }
  }

  // MARK: Streams

  /// Makes a stream that can receive events before its start.
  func makeStream(of device: String) -> (number: Int, events: AsyncStream<CameraEvent>) {
    let (events, sink) = AsyncStream.makeStream(
      of: CameraEvent.self, bufferingPolicy: .bufferingNewest(256))
    let number: Int? = state.withLock { state in
      guard state.ledger.isUsable else { return nil }
      state.nextStream += 1
      state.streams[state.nextStream] = Stream(device: device, sink: sink)
      return state.nextStream
    }
    if number == nil { sink.finish() }
    return (number ?? 0, events)
  }

  /// Ends a stream on this side.
  func endStream(_ number: Int) {
    // The memory is unmapped after the lock is released.
    let stream = state.withLock { $0.streams.removeValue(forKey: number) }
    stream?.sink.finish()
  }

  // MARK: Messages

  private func receive(_ packet: Data, _ descriptors: [Int32]) -> Bool {
    var descriptors = descriptors
    defer { for descriptor in descriptors { close(descriptor) } }
    do throws(HostCodec.Malformed) {
      switch try HostCodec.decode(HostReply.self, from: packet) {
      case .ready(let greeting): try welcome(greeting)
      case .answer(let id, .lease(let lease)):
        try settle(id, lease, descriptor: descriptors.isEmpty ? nil : descriptors.removeFirst())
      case .answer(let id, let answer): try settle(id, answer)
      case .event(_, .streamFailed(let error)) where error.code == .needsNewProcess:
        finish(.used(error))
        return false
      case .event(let number, let event):
        state.withLock { $0.streams[number]?.sink }?.yield(event)
      case .endOfStream(let number): endStream(number)
      }
      return true
    } catch {
      finish(.malformed(error.description))
      return false
    }
  }

  private func welcome(_ greeting: HostGreeting) throws(HostCodec.Malformed) {
    guard greeting.version == HostGreeting.version else {
      throw HostCodec.Malformed(
        description: "it speaks version \(greeting.version), not \(HostGreeting.version)")
    }
    let (isExpected, waiter) = state.withLock { state in
      state.greeting = greeting
      defer { state.startWaiter = nil }
      return (state.ledger.becomeReady(), state.startWaiter)
    }
    guard isExpected else { throw HostCodec.Malformed(description: "it was ready twice") }
    waiter?.resume(returning: true)
  }

  private func settle(_ id: UInt64, _ answer: HostAnswer) throws(HostCodec.Malformed) {
    let (call, waiter) = state.withLock { state in
      state.leaseStreams[id] = nil
      return (state.ledger.answer(id), state.waiters.removeValue(forKey: id))
    }
    guard call != nil else {
      return try requireEnding("an answer to call \(id), which is not open")
    }
    waiter?.resume(returning: .answer(answer))
  }

  private func settle(
    _ id: UInt64, _ lease: HostedLease, descriptor: Int32?
  ) throws(HostCodec.Malformed) {
    let end = lease.offset.addingReportingOverflow(lease.byteCount)
    guard lease.offset >= 0, lease.byteCount >= 0, !end.overflow else {
      if let descriptor { close(descriptor) }
      throw HostCodec.Malformed(description: "a frame lies outside its buffer")
    }
    let number = state.withLock { $0.leaseStreams[id] }
    var memory = state.withLock { state in
      number.flatMap { state.streams[$0]?.memories[lease.buffer] }
    }
    do throws(DeviceError) {
      if let descriptor {
        let mapped = try SharedMemory(
          descriptor: descriptor, leastByteCount: end.partialValue, device: "camera process")
        memory = mapped
        if let number { state.withLock { $0.streams[number]?.memories[lease.buffer] = mapped } }
      }
    } catch {
      giveBack(lease.lease)
      return try settle(id, .failure(error))
    }
    guard let memory else {
      // The stream has been ended on this side meanwhile.
      giveBack(lease.lease)
      return try settle(id, .noLease)
    }
    guard end.partialValue <= memory.byteCount else {
      throw HostCodec.Malformed(description: "a frame lies outside its buffer")
    }
    let (call, waiter) = state.withLock { state in
      state.leaseStreams[id] = nil
      return (state.ledger.answer(id), state.waiters.removeValue(forKey: id))
    }
    guard call != nil, let waiter else {
      return try requireEnding("a lease for call \(id), which is not open")
    }
    waiter.resume(returning: .lease(lease, memory))
  }

  /// Throws unless the process is ending: an answer during a kill is late, and not wrong.
  private func requireEnding(_ problem: String) throws(HostCodec.Malformed) {
    guard state.withLock({ $0.ledger.cause }) != nil else {
      throw HostCodec.Malformed(description: problem)
    }
  }
}
