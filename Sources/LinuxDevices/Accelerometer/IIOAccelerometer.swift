public import Devices

/// An accelerometer of the kernel's Industrial I/O subsystem.
///
/// Where the device has a buffer and a trigger, samples come through libiio's buffer with the
/// kernel's timestamps; else `in_accel_x_raw` and its like are read at the wanted rate and stamped
/// on arrival. A driver's own trigger gives nothing where the sensor's interrupt is not wired, which
/// the driver cannot tell (MPU6050 on four wires): after one stall the device is polled. A device that fails or goes is told once, closed, and opened again with growing
/// pauses until it is back.
public actor IIOAccelerometer: Accelerometer {
  /// The device as people know it, for example `lis3dh`.
  public nonisolated let name: String

  private let pacing: SamplePacing
  private let mountMatrix: MountMatrix?
  private let frozenAfter: Duration?
  private let sysfs: String
  private let clock: any MonotonicClock
  private let executor: DispatchQueueExecutor

  private var sensor: OpenSensor?
  private var buffer: IIOSampleBuffer?
  private var rate = 1.0
  private var plausibility: AccelerometerPlausibility
  private var recovery: AccelerometerRecovery?
  private var events: AsyncStream<AccelerometerEvent>.Continuation?
  private var sampling: Task<Void, Never>?
  private var generation = 0
  /// The device's own trigger that has given no sample; `nil` while none is known to be silent.
  private var silentTrigger: String?
  private var hasSampledSinceOpening = false

  /// What is read once, when the device is opened.
  private struct OpenSensor {
    var directory: IIODeviceDirectory
    var conversions: [(offset: Double, scale: Double)]
    var matrix: MountMatrix
    var hasMonotonicTimestamps: Bool
    /// Why a trigger that should be there is not used; `nil` when it is, or when there is none.
    var fallback: DeviceError?

    /// Scales the three axes of the sensor.
    func acceleration(fromRaw raw: [Int64]) -> Acceleration {
      let values = zip(raw, conversions).map { raw, conversion in
        (Double(raw) + conversion.offset) * conversion.scale
      }
      return Acceleration(x: values[0], y: values[1], z: values[2])
    }
  }

  /// The actor's own queue, where the device is read.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes an accelerometer; nothing is opened before ``start(rate:)``.
  ///
  /// - Parameters:
  ///   - name: the device's name (`lis3dh`), label or ID (`iio:device0`).
  ///   - pacing: how the samples are paced.
  ///   - mountMatrix: overrides the matrix that the kernel tells.
  ///   - frozenAfter: how long the sensor may say exactly the same before it counts as broken;
  ///     `nil` for ever.
  ///   - sysfs: where sysfs is.
  ///   - clock: times the sampling.
  public init(
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
  /// When the trigger cannot be used, for want of it or of permission, the first event says so and
  /// the device is polled.
  ///
  /// - Parameter rate: wanted samples a second; values outside 1...100 count as the nearest of
  ///   these. The sensor's closest is taken.
  /// - Throws: ``DeviceError``: `absent`, `permissionDenied` or `busy`.
  public func start(
    rate: Double
  ) async throws(DeviceError) -> AsyncStream<AccelerometerEvent> {
    end()
    self.rate = min(max(rate, 1), 100)
    plausibility = AccelerometerPlausibility(frozenAfter: frozenAfter)
    silentTrigger = nil
    try open()
    recovery = AccelerometerRecovery(rate: self.rate, openedAt: clock.now)
    let (stream, continuation) = AsyncStream.makeStream(
      of: AccelerometerEvent.self, bufferingPolicy: .bufferingNewest(64))
    events = continuation
    if let fallback = sensor?.fallback { continuation.yield(.failed(fallback)) }
    sampling = Task { [weak self, clock, generation] in
      var next = clock.now
      while let pause = await self?.sample(generation: generation) {
        // A pause counts from the last one's end, so that the rate holds whatever reading takes.
        next = max(next.advanced(by: pause), clock.now)
        do { try await clock.sleep(until: next) } catch { return }
      }
    }
    return stream
  }

  /// Stops sampling and ends the stream.
  public func stop() async {
    end()
  }

  private func end() {
    generation += 1
    sampling?.cancel()
    sampling = nil
    close()
    events?.finish()
    events = nil
  }

  private func close() {
    buffer = nil
    sensor = nil
  }

  // MARK: Opening

  private func open() throws(DeviceError) {
    let directory = try IIODeviceDirectory(name: name, sysfs: sysfs)
    do throws(SystemError) {
      var conversions: [(offset: Double, scale: Double)] = []
      for axis in IIODeviceDirectory.Axis.allCases {
        conversions.append(try directory.conversion(of: axis))
      }
      sensor = OpenSensor(
        directory: directory, conversions: conversions,
        matrix: mountMatrix ?? directory.mountMatrix(), hasMonotonicTimestamps: false)
    } catch {
      throw DeviceError(error, device: name, problem: "cannot be opened")
    }
    hasSampledSinceOpening = false
    guard directory.hasBuffer, let trigger = trigger(of: directory) else {
      try startPolling(directory)
      return
    }
    do throws(SystemError) {
      try startBuffer(directory, trigger: trigger)
    } catch {
      // Somebody else's buffer makes polling fail too; anything else may leave it possible.
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

  /// The trigger to use; `nil` for polling.
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

  // MARK: Sampling

  /// Reads what there is and returns the time to the next reading; `nil` ends the sampling task.
  private func sample(generation: Int) -> Duration? {
    guard generation == self.generation else { return nil }
    guard sensor != nil else { return reopen() }
    do throws(DeviceError) {
      let samples = try readSamples()
      try check(samples)
      for sample in samples { events?.yield(.sample(sample)) }
      if !samples.isEmpty {
        hasSampledSinceOpening = true
        recovery?.sampled(at: clock.now)
      } else if recovery?.isStalled(at: clock.now) == true {
        throw stall
      }
    } catch {
      return giveUp(after: error)
    }
    return buffer == nil ? .seconds(1 / rate) : min(.seconds(1 / rate), .milliseconds(100))
  }

  /// The fault of a device that gives nothing; notes its own trigger as silent where that never
  /// gave anything.
  private var stall: DeviceError {
    if pacing == .device, buffer != nil, !hasSampledSinceOpening,
      let trigger = sensor?.directory.currentTrigger
    {
      silentTrigger = trigger
      return DeviceError(
        .timedOut, device: name,
        problem: "gives no samples by its own trigger \"\(trigger)\" and is polled instead",
        cause: "the sensor's interrupt may not be wired; \"trigger: none\" polls from the start")
    }
    return DeviceError(.timedOut, device: name, problem: "gives no samples; it is opened again")
  }

  private func readSamples() throws(DeviceError) -> [AccelerometerSample] {
    guard let sensor else { return [] }
    do throws(SystemError) {
      let records: [IIOSampleBuffer.Record]
      if let buffered = try buffer?.readRecords() {
        records = buffered
      } else {
        records = [IIOSampleBuffer.Record(raw: try sensor.directory.readRaw(), timestamp: nil)]
      }
      let arrival = clock.now
      return records.map { record in
        let acceleration = sensor.acceleration(fromRaw: record.raw)
        return AccelerometerSample(
          acceleration: sensor.matrix.applied(to: acceleration), sensor: acceleration,
          time: time(of: record, in: sensor, arrival: arrival))
      }
    } catch {
      // Absent here means that it was there before.
      let code = error.code == .absent ? DeviceError.Code.disconnected : error.code
      throw DeviceError(
        code, device: name, problem: "can no longer be read; it is opened again",
        cause: error.text)
    }
  }

  private func time(
    of record: IIOSampleBuffer.Record, in sensor: OpenSensor, arrival: MonotonicInstant
  ) -> MonotonicInstant {
    guard sensor.hasMonotonicTimestamps, let timestamp = record.timestamp else { return arrival }
    let time = MonotonicInstant(nanoseconds: timestamp)
    // A driver that stamps with another clock than it says is not believed.
    let age = time.duration(to: arrival)
    return age >= .zero && age < .seconds(5) ? time : arrival
  }

  private func check(_ samples: [AccelerometerSample]) throws(DeviceError) {
    for sample in samples {
      guard let fault = plausibility.fault(of: sample.acceleration, at: sample.time) else {
        continue
      }
      throw DeviceError(
        .implausible, device: name, problem: "answers nonsense; it is opened again", cause: fault)
    }
  }

  private func giveUp(after error: DeviceError) -> Duration {
    close()
    guard let (pause, isNews) = recovery?.failed(error) else { return .seconds(1) }
    if isNews { events?.yield(.failed(error)) }
    return pause
  }

  private func reopen() -> Duration {
    do throws(DeviceError) {
      try open()
      recovery?.opened(at: clock.now)
      return .zero
    } catch {
      return giveUp(after: error)
    }
  }
}
