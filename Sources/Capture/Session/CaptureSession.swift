public import Devices
public import Logging

/// Keeps a camera running and gives every press its frame.
///
/// The session opens the camera, starts its stream, and starts it anew with back-off whenever it
/// fails or stalls. A press is numbered, waits for its frame, and is handed with the frame to the
/// receiver, which encodes and stores it and says how it ended. Several presses may be in flight.
/// It runs on an executor of its own, because a camera's calls may block.
public actor CaptureSession {
  /// Encodes and stores a photo; returns how the press ended.
  public typealias PhotoReceiver = @Sendable (CapturedPhoto) async -> PressOutcome

  private enum Work {
    case photo(CapturedPhoto)
  }

  /// How the session was set up.
  public nonisolated let configuration: CaptureSessionConfiguration
  /// What happens, for all who listen.
  public nonisolated let events = EventHub<CaptureEvent>()

  let cameras: any CameraSystem
  let clock: any MonotonicClock
  let logger: Logger
  let executor = DispatchQueueExecutor(label: "platen.capture")
  private let numbers: PressNumbers
  private let receive: PhotoReceiver
  private let work: AsyncStream<Work>
  private let workContinuation: AsyncStream<Work>.Continuation

  private var ledger = PressLedger()
  private var selector: FrameSelector
  private var readinessMachine: ReadinessStateMachine
  private var publishedReadiness: Readiness?
  private var processing: Set<Int64> = []
  private var waiters: [Int64: [CheckedContinuation<PressRecord, Never>]] = [:]
  var rotation: RotationCoordinator
  var status = CaptureSessionStatus()
  var camera: (any Camera)?
  var lastSequence: UInt64?
  var wantsFrameRate: Double?
  var cameraCalls = CallWatch()

  /// Runs on the session's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes a session; ``run()`` starts it.
  ///
  /// - Parameters:
  ///   - configuration: the camera and the limits.
  ///   - cameras: the board's cameras.
  ///   - numbers: the source of press numbers.
  ///   - clock: the clock of the presses and frames.
  ///   - logger: where to log.
  ///   - receive: encodes and stores a photo.
  public init(
    configuration: CaptureSessionConfiguration, cameras: any CameraSystem, numbers: PressNumbers,
    clock: any MonotonicClock, logger: Logger, receive: @escaping PhotoReceiver
  ) {
    self.configuration = configuration
    self.cameras = cameras
    self.numbers = numbers
    self.clock = clock
    self.logger = logger
    self.receive = receive
    rotation = RotationCoordinator(mountingAngle: configuration.mountingAngle)
    selector = FrameSelector(ringFrameCount: configuration.stream.ringFrameCount)
    readinessMachine = ReadinessStateMachine(
      maximumCapturesInFlight: configuration.stream.leasedFrameCount)
    (work, workContinuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  // MARK: Running

  /// Runs the camera until the task is cancelled, then finishes the presses in flight.
  ///
  /// Presses whose frame has been chosen are still stored; those that wait for one are refused.
  ///
  /// - Throws: `DeviceError`, code `needsNewProcess`, when only a new process can use the camera
  ///   again; the presses in flight have been finished then, too.
  public func run() async throws {
    await numbers.prepare()
    readinessMachine.setRunning(true)
    status.isRunning = true
    publish()
    var fatal: DeviceError?
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.processPhotos() }
      fatal = await withTaskGroup(of: DeviceError?.self) { inner in
        inner.addTask { await self.keepStreaming() }
        inner.addTask {
          await self.tickUntilCancelled()
          return nil
        }
        let first = await inner.next() ?? nil
        inner.cancelAll()
        return first
      }
      readinessMachine.setRunning(false)
      status.isRunning = false
      for number in selector.abandonAll() { finish(number, .refused(.sessionNotRunning)) }
      publish()
      workContinuation.finish()
    }
    publish()
    events.finish()
    if let fatal { throw fatal }
  }

  private nonisolated func processPhotos() async {
    // Cancellation ends the stream of work early, so the photos in flight are finished in a task
    // that the cancellation does not reach.
    await Task {
      await withDiscardingTaskGroup { group in
        for await case .photo(let photo) in work {
          group.addTask {
            let outcome = await self.receive(photo)
            await self.finish(photo.press.number, outcome)
          }
        }
      }
    }.value
  }

  private func tickUntilCancelled() async {
    while !Task.isCancelled {
      for number in selector.expire(at: clock.now) { finish(number, .refused(.noFrameInTime)) }
      if isStuck { beginInterruption(.cameraStalled) }
      do { try await clock.sleep(for: .milliseconds(50)) } catch { return }
    }
  }

  // MARK: Presses

  /// Takes a press and returns its number as soon as it has one.
  ///
  /// The press ends as stored or refused; see ``outcome(of:)`` and ``events``.
  ///
  /// - Parameters:
  ///   - time: the kernel's timestamp of the press.
  ///   - source: where it came from.
  /// - Throws: what the source of numbers throws when the disk cannot be written; the press then
  ///   has no number and no picture, and counts as refused.
  @discardableResult
  public func press(at time: MonotonicInstant, source: Press.Source) async throws -> Int64 {
    let number: Int64
    do {
      number = try await numbers.next()
    } catch {
      ledger.refuseWithoutNumber()
      throw error
    }
    let press = Press(number: number, source: source, time: time)
    ledger.begin(press)
    if let refusal = readinessMachine.refusal {
      finish(number, .refused(refusal))
      return number
    }
    let deadline = max(time, clock.now).advanced(by: configuration.maximumWait)
    let selection = selector.press(number, at: time, deadline: deadline)
    if let record = ledger[number] { events.send(.press(record)) }
    publish()
    if let selection { await take(selection) }
    return number
  }

  /// Waits until a press has its outcome and returns its record.
  ///
  /// - Returns: the record, or `nil` when there is no such press or it has been forgotten.
  public func outcome(of number: Int64) async -> PressRecord? {
    guard let record = ledger[number] else { return nil }
    guard record.outcome == nil else { return record }
    return await withCheckedContinuation { waiters[number, default: []].append($0) }
  }

  /// The record of a press; `nil` when there is none or it has been forgotten.
  public func record(of number: Int64) -> PressRecord? { ledger[number] }

  /// The newest records, the newest first.
  public func latestRecords(_ count: Int) -> [PressRecord] { ledger.latest(count) }

  /// Presses of this run: stored, refused and in flight.
  public var pressCounts: (stored: Int, refused: Int, inFlight: Int) {
    (ledger.storedCount, ledger.refusedCount, ledger.inFlightCount)
  }

  private func take(_ selection: FrameSelection) async {
    guard let press = ledger[selection.number]?.press else { return }
    processing.insert(press.number)
    publish()
    var candidate: FrameSelection? = selection
    while let chosen = candidate {
      if let camera, let lease = await watched({ await camera.lease(chosen.frame.id) }) {
        let angle = rotation.captureAngle(at: chosen.frame.exposureMidpoint)
        ledger.select(chosen, captureAngle: angle, now: clock.now)
        if let record = ledger[press.number] { events.send(.press(record)) }
        workContinuation.yield(
          .photo(
            CapturedPhoto(
              press: press, selection: chosen, frame: lease, captureAngle: angle,
              camera: camera.identity)))
        publish()
        return
      }
      candidate = selector.replacement(for: chosen, pressedAt: press.time)
    }
    finish(press.number, .refused(.frameOverwritten))
  }

  private func finish(_ number: Int64, _ outcome: PressOutcome) {
    processing.remove(number)
    guard let record = ledger.finish(number, outcome, now: clock.now) else { return }
    events.send(.press(record))
    for waiter in waiters.removeValue(forKey: number) ?? [] { waiter.resume(returning: record) }
    publish()
  }

  // MARK: Frames

  func frameArrived(_ frame: FrameInfo) async {
    status.frameCount += 1
    status.lastFrameArrival = clock.now
    if let lastSequence, frame.sequence > lastSequence + 1 {
      status.droppedFrameCount += frame.sequence - lastSequence - 1
    }
    lastSequence = frame.sequence
    setFramesFlow(true)
    for selection in selector.frame(frame) { await take(selection) }
  }

  func streamEnded() {
    // A frame of the next stream would show another moment: the page may have been turned.
    let reason = Task.isCancelled ? RefusalReason.sessionNotRunning : .noFrameInTime
    for number in selector.abandonAll() { finish(number, .refused(reason)) }
    selector.streamEnded()
    lastSequence = nil
    setFramesFlow(false)
  }

  func setFramesFlow(_ framesFlow: Bool) {
    readinessMachine.setFramesFlow(framesFlow)
    publish()
  }

  // MARK: Readiness

  /// How long a call of the camera may take before it counts as hung.
  public static let longestCameraCall = Duration.seconds(15)

  /// Whether a call of the camera has not returned for ``longestCameraCall``: only a new process helps.
  public var isStuck: Bool {
    guard let began = cameraCalls.oldestBeginning else { return false }
    return began.duration(to: clock.now) > CaptureSession.longestCameraCall
  }

  /// The readiness now.
  public var readiness: Readiness { readinessMachine.readiness }

  /// An interruption begins: presses are refused with its reason until it ends.
  public func beginInterruption(_ reason: InterruptionReason) {
    if readinessMachine.begin(reason) {
      logger.warning("capture interrupted", metadata: ["capture.reason": "\(reason)"])
    }
    publish()
  }

  /// An interruption ends.
  public func endInterruption(_ reason: InterruptionReason) {
    if readinessMachine.end(reason) {
      logger.notice("capture interruption ended", metadata: ["capture.reason": "\(reason)"])
    }
    publish()
  }

  /// How the session stands.
  public var currentStatus: CaptureSessionStatus { status }

  func publish() {
    let waitingForFrame = selector.waitingNumbers.count
    readinessMachine.setCaptures(waitingForFrame: waitingForFrame, processing: processing.count)
    let readiness = readinessMachine.readiness
    guard readiness != publishedReadiness else { return }
    publishedReadiness = readiness
    events.send(.readiness(readiness))
  }
}
