package import Devices
package import Logging

/// Takes pictures of the moment of a press, for as long as it runs.
///
/// The session keeps one camera streaming into a ring of frames, as its ``CameraLifecycle`` says,
/// and tells its ``FrameOutputs`` of every frame. A press is numbered and waits until the frame
/// nearest its kernel timestamp is certain. The session leases that frame and hands it with the
/// press to the receiver, which encodes and stores it and returns the outcome. Several presses may
/// be in flight. The ``RecoveryLadder`` recovers a failed camera; meanwhile the session is
/// interrupted, and presses are refused with the reason. The session runs on its own executor,
/// because a camera's calls may block.
package actor CaptureSession {
  /// Returns the damage of a compressed frame in words; `nil` for a whole frame.
  package typealias DamageFinder = @Sendable (FrameLease) async -> String?

  /// Encodes and stores a photo, reports each stored file, and returns the press's outcome.
  ///
  /// The receiver is called in the order in which frames were chosen, without waiting for the
  /// previous call to return.
  package typealias PhotoReceiver =
    @Sendable (
      CapturedPhoto, _ deliver: @escaping @Sendable (PhotoDelivery) async -> Void
    ) async -> PressOutcome

  /// The initial configuration.
  package nonisolated let configuration: CaptureSessionConfiguration
  /// The session's events, for all listeners.
  package nonisolated let events: EventHub<CaptureEvent>
  /// The coordinator that tells at any time, without waiting, whether a press would be taken.
  package nonisolated let readinessCoordinator: ReadinessCoordinator
  /// The requests for readings of the accelerometer until now, which come soon after.
  ///
  /// Each push of a button, and each admitted press, sends one before it asks for its frame.
  package nonisolated let gravityRequests = EventHub<Void>()

  let cameras: any CameraSystem
  let clock: any MonotonicClock
  let logger: Logger
  let numbers: PressNumbers
  let calibrationStorage: (any CalibrationStorage)?
  let lamp: (any Lamp)?
  /// The lamps of brackets by their names.
  nonisolated let lamps: [String: any Lamp]
  let executor: DispatchQueueExecutor
  /// The preference of the task that follows a stream.
  let followers: ActorTasks
  /// The timer of ``keepDeadlines()``.
  let deadlineTimer: WakeableTimer
  /// The timer of ``keepStreaming()``.
  let streamTimer: WakeableTimer
  /// The timer of the waits that look again after each ``stateChanged()``.
  let changeTimer: WakeableTimer
  let lastResort: (any LastResort)?
  let findDamage: DamageFinder?
  private let receive: PhotoReceiver
  private let work: AsyncStream<CapturedPhoto>
  let workContinuation: AsyncStream<CapturedPhoto>.Continuation

  var status = CaptureSessionStatus()
  var outputs: FrameOutputs
  var rotation: RotationCoordinator
  var settings: SessionSettings
  /// The settings with which a camera last gave frames; at first those of the configuration.
  var provenSettings: SessionSettings
  /// The number of the camera's own faults since the settings were changed or proven.
  var unprovenFaultCount = 0
  var configurationGate = FairGate()
  var lifecycle: CameraLifecycle
  var stallDetector: StallDetector
  /// The stream's initial frame rate, if the camera reported one.
  var startedFrameRate: Double?
  /// The time up to which ``keepDeadlines()`` has done what was due.
  var deadlinesKeptUntil = MonotonicInstant(nanoseconds: 0)
  var constraints = CaptureConstraints.none
  var cameraCalls = CallWatch()
  var calibrations: [CameraDescription.ID: CameraCalibration] = [:]
  var scales: [CameraDescription.ID: [CameraScale]] = [:]
  /// The positions at which lenses were focused on request.
  var focusedLenses: [CameraDescription.ID: Double] = [:]
  var convergence: ConvergenceDetector?
  var lampSwitch: LampSwitch?
  var lightMeter: LightMeter
  var lampHolderCount = 0
  var announceLamp: AsyncStream<Void>.Continuation?
  /// The light that a bracket has asked for last, a lamp's or none; `nil` until it is there.
  var stepLight: LampSwitch?
  /// The name of the lamp that a bracket has asked for last; `nil` for none.
  var wantedStepLamp: String?
  var announceStepLamp: AsyncStream<String?>.Continuation?
  /// The time of the next try to turn off a lamp of a bracket; `nil` unless turning off failed.
  var stepLampRetry: MonotonicInstant?

  /// The session's own queue.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes a session; ``run()`` starts it.
  ///
  /// - Parameters:
  ///   - configuration: the cameras and the limits.
  ///   - cameras: the board's cameras.
  ///   - numbers: the source of press numbers.
  ///   - clock: the clock of the presses and frames.
  ///   - logger: the logger.
  ///   - calibrations: keeps calibrations and scales across restarts; with `nil` they last as long
  ///     as the session.
  ///   - lamp: the light for the pages, switched as configured; `nil` leaves the light as it is.
  ///   - lamps: the lamps of brackets by their names, each dark except for its frame.
  ///   - lastResort: limits how often the service ends for the camera; `nil` for no limit.
  ///   - findDamage: checks each compressed frame that was chosen, except those of brackets; `nil`
  ///     for no check.
  ///   - receive: encodes and stores a photo.
  package init(
    configuration: CaptureSessionConfiguration, cameras: any CameraSystem, numbers: PressNumbers,
    clock: any MonotonicClock, logger: Logger, calibrations: (any CalibrationStorage)? = nil,
    lamp: (any Lamp)? = nil, lamps: [String: any Lamp] = [:],
    lastResort: (any LastResort)? = nil,
    findDamage: DamageFinder? = nil, receive: @escaping PhotoReceiver
  ) {
    let executor = DispatchQueueExecutor(label: "platen.capture")
    self.executor = executor
    followers = ActorTasks(on: executor)
    calibrationStorage = calibrations
    self.lamp = lamp
    self.lamps = lamps
    lampSwitch = lamp == nil ? nil : LampSwitch(policy: configuration.lamp)
    lightMeter = LightMeter(threshold: configuration.lamp.autoFrom)
    status.lamp = lamp == nil ? nil : LampStatus()
    self.configuration = configuration
    self.cameras = cameras
    self.numbers = numbers
    self.clock = clock
    deadlineTimer = WakeableTimer(clock: clock)
    streamTimer = WakeableTimer(clock: clock)
    changeTimer = WakeableTimer(clock: clock)
    self.logger = logger
    self.lastResort = lastResort
    self.findDamage = findDamage
    self.receive = receive
    status.lastFault = configuration.earlierRecovery?.fault
    status.lastRecovery = configuration.earlierRecovery?.rung
    settings = configuration.settings
    provenSettings = configuration.settings
    lifecycle = CameraLifecycle(
      configuration.settings.camera,
      ladder: RecoveryLadder(policy: configuration.recovery, startedAt: clock.now))
    stallDetector = StallDetector(configuration)
    rotation = RotationCoordinator(mountingAngle: configuration.mountingAngle)
    outputs = FrameOutputs(photo: PhotoOutput(configuration))
    let events = EventHub<CaptureEvent>()
    self.events = events
    readinessCoordinator = ReadinessCoordinator(
      maximumCapturesInFlight: configuration.maximumCapturesInFlight,
      publish: { events.send(.readiness($0)) })
    (work, workContinuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  // MARK: Running

  /// Runs the camera until the task is canceled, then finishes the presses in flight.
  ///
  /// Presses whose frame has been chosen are still stored; those that wait for one are refused.
  ///
  /// - Throws: `DeviceError`, when the recovery has failed and only a new process can use the
  ///   camera again; the presses in flight have been finished then, too.
  package func run() async throws {
    numbers.prepare()
    if let calibrationStorage {
      calibrations = await calibrationStorage.calibrations()
      scales = await calibrationStorage.scales()
    }
    readinessCoordinator.update { $0.setRunning(true) }
    status.isRunning = true
    var fatal: DeviceError?
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.processPhotos() }
      group.addTask { await self.writeMovies() }
      fatal = await withTaskGroup(of: DeviceError?.self) { inner in
        inner.addTask { await self.keepStreaming() }
        inner.addTask {
          await self.keepDeadlines()
          return nil
        }
        if lamp != nil {
          inner.addTask {
            await self.driveLamp()
            return nil
          }
        }
        if !lamps.isEmpty {
          inner.addTask {
            await self.driveStepLamps()
            return nil
          }
        }
        let first = await inner.next() ?? nil
        inner.cancelAll()
        return first
      }
      await extinguishLamp()
      status.isRunning = false
      readinessCoordinator.update { $0.setRunning(false) }
      perform(outputs.take(.sessionEnded, now: clock.now).actions)
      workContinuation.finish()
    }
    events.finish()
    if let fatal { throw fatal }
  }

  private nonisolated func processPhotos() async {
    // Cancellation ends the stream of work early, so the photos in flight are finished in a task
    // that the cancellation does not reach.
    await Task {
      await withDiscardingTaskGroup { group in
        for await photo in work {
          // Immediate, so that photos come to the receiver in order: a retake replaces an earlier
          // press.
          group.addImmediateTask {
            let last = LastDeliveries()
            let outcome = await self.receive(photo) { delivery in
              if delivery.index < photo.settings.expectedPhotoCount {
                await self.delivered(delivery, of: photo)
              } else {
                last.keep(delivery)
              }
            }
            await self.finish(photo, last.deliveries, outcome)
          }
        }
      }
    }.value
  }

  // MARK: State

  /// The readiness now.
  package nonisolated var readiness: Readiness { readinessCoordinator.readiness }

  /// The session's status.
  package var currentStatus: CaptureSessionStatus { status }

  /// The lasting interruptions, and the newest ended ones.
  package var interruptionLog: InterruptionLog { readinessCoordinator.interruptions }
}
