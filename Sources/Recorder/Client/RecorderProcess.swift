package import CameraHost
package import Devices
import Dispatch
import Glibc

/// A recorder's process for one part of a recording, from its start to the closed file.
///
/// Whatever happens to the process, each call returns: by its answer, its deadline or the process's
/// end. A recorder that hangs is killed.
package actor RecorderProcess {
  /// The fate of a frame.
  package enum Fate: Sendable, Hashable {
    /// The recorder has the frame.
    case written
    /// The frame is not in the recording, for this reason, a sentence.
    case dropped(String)
  }

  private let executor: DispatchQueueExecutor
  private let socket: HostSocket
  private let clock: any MonotonicClock
  private var child: ChildProcess?
  private var timer: (any ClockTimer)?
  private var ledger: RecorderLedger
  private var leases: [Int: FrameLease] = [:]
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var timerEnd: MonotonicInstant?
  private(set) var processID: Int32 = 0
  /// Whether the process has ended, or was never there.
  private var isGone = false

  /// The separate queue on which the process is watched.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private init(socket: HostSocket, deadlines: RecorderDeadlines, clock: any MonotonicClock) {
    executor = DispatchQueueExecutor(label: "platen.recorder")
    self.socket = socket
    self.clock = clock
    ledger = RecorderLedger(deadlines: deadlines, at: clock.now)
  }

  deinit {
    timer?.cancel()
    child?.kill()
  }

  /// Starts a recorder and waits until its encoder is open.
  ///
  /// - Parameters:
  ///   - launch: the program.
  ///   - file: an empty file that is open for writing and reading; stays the caller's.
  /// - Throws: ``RecorderFailure`` when the program cannot be started or cannot encode the frames.
  package static func start(
    _ launch: HostLaunch, _ part: RecorderPart, file: Int32,
    deadlines: RecorderDeadlines = RecorderDeadlines(),
    clock: any MonotonicClock = SystemMonotonicClock()
  ) async throws(RecorderFailure) -> RecorderProcess {
    let socket: HostSocket
    let other: Int32
    do throws(SystemError) {
      (socket, other) = try HostSocket.pair()
    } catch {
      throw RecorderFailure("The recorder cannot be started, so nothing is recorded: \(error).")
    }
    let process = RecorderProcess(socket: socket, deadlines: deadlines, clock: clock)
    var launch = launch
    if part.sound != nil { launch.arguments.append(RecorderLaunch.soundOption) }
    await process.begin(launch, other)
    await process.send(.open(part), [file])
    await process.waitUntilOpen()
    if let failure = await process.failure { throw failure }
    return process
  }

  private func begin(_ launch: HostLaunch, _ childDescriptor: Int32) {
    timer = clock.makeTimer(on: executor.queue) { [weak self] in
      self?.assumeIsolated { $0.expire() }
    }
    setTimer()
    child = ChildProcess.start(
      launch, socket: socket, childDescriptor: childDescriptor, listener: listener())
  }

  /// Returns the callbacks, which go on in the actor's queue in their order.
  private func listener() -> ChildProcess.Listener {
    ChildProcess.Listener(
      started: { [weak self] number in self?.enter { $0.processID = number } },
      received: { [weak self] packet, descriptors in
        for descriptor in descriptors { Glibc.close(descriptor) }
        guard let reply = try? HostCodec.message(RecorderReply.self, in: packet) else {
          self?.enter { $0.fail("The recorder sent what is no message, so it was killed.") }
          return false
        }
        self?.enter { $0.take(reply) }
        return true
      },
      receivedCut: { [weak self] in
        self?.enter { $0.fail("The recorder sent too long a message, so it was killed.") }
      },
      ended: { [weak self] status in self?.enter { $0.noteEnd(status) } },
      failed: { [weak self] code in
        let cause = SystemError(code)
        self?.enter {
          $0.isGone = true
          $0.fail("The recorder cannot be started, so nothing is recorded: \(cause).")
        }
      })
  }

  private nonisolated func enter(
    _ body: @escaping @Sendable (isolated RecorderProcess) -> Void
  ) {
    executor.queue.async { self.assumeIsolated(body) }
  }

  /// The numbers of the part.
  package var counts: RecorderCounts { ledger.counts }

  /// The failure that ended the part; `nil` while it goes on, and for a closed one.
  package var failure: RecorderFailure? {
    if case .failed(let failure) = ledger.phase { failure } else { nil }
  }

  /// Gives a frame to the recorder without waiting for its encoding.
  ///
  /// The lease is kept until the recorder has read the frame.
  package func append(_ lease: FrameLease) -> Fate {
    guard let number = ledger.begin(at: clock.now) else {
      return .dropped(
        failure?.description ?? "The recorder still encodes earlier frames, so this one is dropped."
      )
    }
    leases[number] = lease
    send(
      .frame(
        RecorderFrame(
          number: number, timestamp: lease.info.timestamp, offset: lease.buffer.offset,
          byteCount: lease.buffer.byteCount)),
      [lease.buffer.fileDescriptor])
    setTimer()
    return failure.map { .dropped($0.description) } ?? .written
  }

  /// Gives a frame to the recorder and waits until its memory is no longer read.
  package func write(_ lease: FrameLease) async -> Fate {
    let unusable = ledger.counts.unusable
    let fate = append(lease)
    guard fate == .written else { return fate }
    let number = ledger.counts.sent
    while ledger.underWay.contains(number) {
      await withCheckedContinuation { waiters.append($0) }
    }
    if let failure { return .dropped(failure.description) }
    guard ledger.counts.unusable > unusable else { return .written }
    return .dropped(ledger.counts.notice ?? "The recorder could not use the frame.")
  }

  /// Closes the part and waits until its file is on stable storage.
  ///
  /// A recorder with a fragmented file waits for ``copy(into:)`` or ``end()``. After a failure, the call waits a while for the end of the process, which may still write.
  ///
  /// - Throws: ``RecorderFailure`` when the recorder has failed; what was safe is kept.
  package func close() async throws(RecorderFailure) -> RecordedPart {
    if ledger.phase == .recording {
      ledger.close(at: clock.now)
      send(.close)
      setTimer()
    }
    await waitUntilOver()
    if case .closed(let part) = ledger.phase {
      if part.form == .ordinary { end() }
      return part
    }
    socket.shutDown()
    await waitUntilGone()
    end()
    throw failure ?? RecorderFailure("The recording was closed twice.")
  }

  /// Copies the closed file as an ordinary movie and waits until the copy is on stable storage.
  ///
  /// - Parameter file: an empty file that is open for writing and reading; stays the caller's.
  /// - Returns: the part in the form of its copy.
  /// - Throws: ``RecorderFailure`` without a whole copy; the closed file is as it was.
  package func copy(into file: Int32) async throws(RecorderFailure) -> RecordedPart {
    defer { end() }
    guard !isGone, case .closed = ledger.phase else {
      throw RecorderFailure("The recording cannot be copied: its recorder is gone.")
    }
    ledger.copy(at: clock.now)
    send(.copy, [file])
    setTimer()
    await waitUntilOver()
    guard case .closed(let part) = ledger.phase else {
      socket.shutDown()
      await waitUntilGone()
      throw failure ?? RecorderFailure("The recording was copied twice.")
    }
    return part
  }

  /// Lets the recorder of a closed part end, which it does by itself.
  package func end() {
    socket.shutDown()
    timer?.cancel()
  }

  /// Kills the recorder; what was safe is kept.
  package func kill() {
    fail("The recorder was killed on request.")
  }

  private func waitUntilOpen() async {
    while ledger.phase == .opening { await withCheckedContinuation { waiters.append($0) } }
  }

  private func waitUntilOver() async {
    while !ledger.isOver { await withCheckedContinuation { waiters.append($0) } }
  }

  /// Waits for the process's end, but not for ever: the kernel may hold it for a slow card.
  private func waitUntilGone() async {
    let limit = clock.now.advanced(by: ledger.deadlines.ending)
    while !isGone, clock.now < limit {
      timer?.set(to: limit, period: nil)
      await withCheckedContinuation { waiters.append($0) }
    }
  }

  private func send(_ request: RecorderRequest, _ descriptors: [Int32] = []) {
    do {
      // At most four messages are unread, so no call waits.
      try socket.send(try HostCodec.json(of: request), descriptors: descriptors)
    } catch let error as HostCodec.Malformed {
      fail("A message to the recorder cannot be written, so the part ends: \(error).")
    } catch {
      // The process is gone. Its thread sees the end too, and knows the cause.
    }
  }

  private func take(_ reply: RecorderReply) {
    ledger.take(reply, at: clock.now)
    update()
  }

  private func noteEnd(_ status: ChildProcess.Status) {
    isGone = true
    let cause =
      switch status {
      case .exited(let status): "it ended by itself with status \(status)"
      case .signal(let number): "it was ended by \(HostEnd.name(ofSignal: number))"
      }
    ledger.fail("The recorder is gone, and what was safe is kept: \(cause).")
    update()
  }

  private func fail(_ sentence: String) {
    ledger.fail(sentence)
    child?.kill()
    update()
  }

  private func expire() {
    timerEnd = nil
    if ledger.expire(at: clock.now) { child?.kill() }
    update()
  }

  /// Gives back what the recorder has read, sets the timer and resumes the waiting caller.
  private func update() {
    leases = leases.filter { ledger.underWay.contains($0.key) }
    setTimer()
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  private func setTimer() {
    // A timer that comes too early is set again then.
    guard let deadline = ledger.deadline, timerEnd.map({ deadline < $0 }) ?? true else { return }
    timerEnd = deadline
    timer?.set(to: deadline, period: nil)
  }
}
