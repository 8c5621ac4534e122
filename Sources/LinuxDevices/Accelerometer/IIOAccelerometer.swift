package import Devices

/// An accelerometer of the kernel's Industrial I/O subsystem.
///
/// Where the device has a buffer and a trigger, samples come through libiio's buffer with the
/// kernel's timestamps. The buffer is read a few times a second, whatever the rate, and without
/// blocking. So the kernel wakes this process for no single sample, and the attribute
/// `buffer/watermark` does not apply. Otherwise `in_accel_x_raw` and its like are read at the
/// wanted rate and stamped on arrival. Either way the samples of a ``batchInterval`` are delivered
/// together.
///
/// A driver's own trigger is silent where the sensor's interrupt is not wired, which the driver
/// cannot detect (MPU6050 on four wires). After a stall of that kind the device is polled. A failed
/// or missing device is reported once, closed, and reopened with growing pauses until it is back.
package actor IIOAccelerometer: Accelerometer {
  /// The time over which samples are gathered; a picture that needs them sooner calls ``flush()``.
  static let batchInterval = Duration.milliseconds(250)

  /// The device's display name, for example `lis3dh`.
  package nonisolated let name: String

  let pacing: SamplePacing
  private let mountMatrix: MountMatrix?
  private let frozenAfter: Duration?
  private let sysfs: String
  let clock: any MonotonicClock
  private let executor: DispatchQueueExecutor

  var sensor: OpenSensor?
  var buffer: IIOSampleBuffer?
  private var rate = 1.0
  /// The wanted time from one sample to the next.
  var period: Duration { .seconds(1 / rate) }
  var plausibility: AccelerometerPlausibility
  var recovery: AccelerometerRecovery?
  /// The time of the last reading; samples without a time of their own came after it.
  var lastReading: MonotonicInstant?
  /// The events that have not been delivered yet.
  var pending: [AccelerometerEvent] = []
  private var events: AsyncStream<[AccelerometerEvent]>.Continuation?
  private var sampling: Task<Void, Never>?
  var generation = 0
  /// The device's own trigger that has given no sample; `nil` while none is known to be silent.
  var silentTrigger: String?
  var hasSampledSinceOpening = false

  /// The values that are read once, when the device is opened.
  struct OpenSensor {
    var directory: IIODeviceDirectory
    var offset: SIMD3<Double>
    var scale: SIMD3<Double>
    var matrix: MountMatrix
    var hasMonotonicTimestamps: Bool
    /// The reason that an expected trigger is not used; `nil` when it is used or there is none.
    var fallback: DeviceError?

    /// Returns the scaled values of the three axes of the sensor.
    func acceleration(fromRaw raw: SIMD3<Int64>) -> Acceleration {
      let numbers = SIMD3<Double>(Double(raw.x), Double(raw.y), Double(raw.z))
      let values = (numbers + offset) * scale
      return Acceleration(x: values.x, y: values.y, z: values.z)
    }
  }

  /// The actor's own queue, where the device is read.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes an accelerometer; nothing is opened before ``start(rate:)``.
  ///
  /// - Parameters:
  ///   - name: the device's name (`lis3dh`), label or ID (`iio:device0`).
  ///   - pacing: the pacing of the samples.
  ///   - mountMatrix: overrides the kernel's matrix.
  ///   - frozenAfter: the time after which unchanged readings count as a fault; `nil` for never.
  ///   - sysfs: the path of sysfs.
  ///   - clock: the clock of the sampling.
  package init(
    name: String, pacing: SamplePacing = .device, mountMatrix: MountMatrix? = nil,
    frozenAfter: Duration? = nil, sysfs: String = "/sys",
    clock: any MonotonicClock = SystemMonotonicClock()
  ) {
    self.name = name
    self.pacing = pacing
    self.mountMatrix = mountMatrix
    self.frozenAfter = frozenAfter
    self.sysfs = sysfs
    self.clock = clock
    plausibility = AccelerometerPlausibility(frozenAfter: frozenAfter)
    executor = DispatchQueueExecutor(label: "platen.accelerometer.\(name)")
  }

  deinit {
    sampling?.cancel()
    events?.finish()
  }

  /// Starts sampling; a second call ends the first stream.
  ///
  /// When the trigger is missing or the permission for it, the first event reports that and the
  /// device is polled.
  ///
  /// - Parameter rate: the wanted samples per second; values outside 1...100 count as the nearest
  ///   of these. The sensor's closest rate is used.
  /// - Throws: ``DeviceError``: `absent`, `permissionDenied` or `busy`.
  package func start(
    rate: Double
  ) async throws(DeviceError) -> AsyncStream<[AccelerometerEvent]> {
    end()
    self.rate = min(max(rate, 1), 100)
    plausibility = AccelerometerPlausibility(frozenAfter: frozenAfter)
    silentTrigger = nil
    try open()
    recovery = AccelerometerRecovery(rate: self.rate, openedAt: clock.now)
    let (stream, continuation) = AsyncStream.makeStream(
      of: [AccelerometerEvent].self, bufferingPolicy: .bufferingNewest(64))
    events = continuation
    if let fallback = sensor?.fallback { continuation.yield([.failed(fallback)]) }
    sampling = Task(executorPreference: ActorTasks(on: executor)) {
      [weak self, clock, generation] in
      var next = clock.now
      while let pause = await self?.sample(generation: generation) {
        // A pause counts from the end of the previous one, so that the duration of a reading does
        // not change the rate. Batches come together with the work of each second.
        next =
          pause == IIOAccelerometer.batchInterval
          ? clock.now.next(pause) : max(next.advanced(by: pause), clock.now)
        do { try await clock.sleep(until: next) } catch { return }
      }
    }
    return stream
  }

  /// Reads the device and delivers all samples until now.
  package func flush() async {
    // A closed device is left to the sampling task, which reopens it.
    guard sensor != nil else { return }
    _ = sample(generation: generation)
    deliver()
  }

  /// Delivers the pending events as one element of the stream.
  func deliver() {
    guard !pending.isEmpty else { return }
    events?.yield(pending)
    pending = []
  }

  /// Stops sampling and ends the stream.
  package func stop() async {
    end()
  }

  private func end() {
    generation += 1
    sampling?.cancel()
    sampling = nil
    close()
    pending = []
    events?.finish()
    events = nil
  }

  /// Closes the device; the stream stays.
  func close() {
    buffer = nil
    sensor = nil
  }

  /// Opens the device for its buffer or for polling.
  func open() throws(DeviceError) {
    let directory = try IIODeviceDirectory(name: name, sysfs: sysfs)
    do throws(SystemError) {
      var (offset, scale) = (SIMD3<Double>(), SIMD3<Double>())
      for (index, axis) in IIODeviceDirectory.Axis.allCases.enumerated() {
        let conversion = try directory.conversion(of: axis)
        offset[index] = conversion.offset
        scale[index] = conversion.scale
      }
      sensor = OpenSensor(
        directory: directory, offset: offset, scale: scale,
        matrix: mountMatrix ?? directory.mountMatrix(), hasMonotonicTimestamps: false)
    } catch {
      throw DeviceError(error, device: name, problem: "cannot be opened")
    }
    hasSampledSinceOpening = false
    lastReading = clock.now
    guard directory.hasBuffer, let trigger = trigger(of: directory) else {
      try startPolling(directory)
      return
    }
    do throws(SystemError) {
      try startBuffer(directory, trigger: trigger)
    } catch {
      // Another program's buffer makes polling fail too; other faults may leave it possible.
      guard error.code != .busy else {
        close()
        throw DeviceError(error, device: name, problem: "cannot be sampled")
      }
      sensor?.fallback = DeviceError(
        error, device: name,
        problem: "cannot be sampled by the trigger \"\(trigger)\" and is polled instead")
      try startPolling(directory)
    }
  }

  /// Returns the trigger to use; `nil` for polling.
  private func trigger(of directory: IIODeviceDirectory) -> String? {
    switch pacing {
    case .polling: return nil
    case .trigger(let name): return name
    case .device:
      let current = directory.currentTrigger
      return current == silentTrigger ? nil : current
    }
  }

  private func startBuffer(
    _ directory: IIODeviceDirectory, trigger: String
  ) throws(SystemError) {
    try directory.assignTrigger(trigger)
    directory.requestRate(atLeast: rate)
    directory.requestTriggerRate(rate, of: trigger)
    sensor?.hasMonotonicTimestamps = directory.selectMonotonicClock()
    buffer = try IIOSampleBuffer(deviceID: directory.id)
  }

  private func startPolling(_ directory: IIODeviceDirectory) throws(DeviceError) {
    // A sensor that sleeps between readings waits two periods, rounded up to the kernel's ticks,
    // for each of three axes.
    directory.requestRate(atLeast: max(rate * 8, 400))
    do throws(SystemError) {
      _ = try directory.readRaw()
    } catch {
      close()
      throw DeviceError(error, device: name, problem: "cannot be read")
    }
  }
}
