package import Devices

/// An accelerometer of the kernel's Industrial I/O subsystem.
///
/// Where the device has a buffer and a trigger, samples come through libiio's buffer with the
/// kernel's timestamps. Otherwise `in_accel_x_raw` and its like are read at the wanted rate and
/// stamped on arrival. A driver's own trigger is silent where the sensor's interrupt is not wired,
/// which the driver cannot detect (MPU6050 on four wires). After a stall of that kind the device is
/// polled. A failed or missing device is reported once, closed, and reopened with growing pauses
/// until it is back.
package actor IIOAccelerometer: Accelerometer {
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
  var rate = 1.0
  var plausibility: AccelerometerPlausibility
  var recovery: AccelerometerRecovery?
  var events: AsyncStream<AccelerometerEvent>.Continuation?
  private var sampling: Task<Void, Never>?
  var generation = 0
  /// The device's own trigger that has given no sample; `nil` while none is known to be silent.
  var silentTrigger: String?
  var hasSampledSinceOpening = false

  /// The values that are read once, when the device is opened.
  struct OpenSensor {
    var directory: IIODeviceDirectory
    var conversions: [(offset: Double, scale: Double)]
    var matrix: MountMatrix
    var hasMonotonicTimestamps: Bool
    /// The reason that an expected trigger is not used; `nil` when it is used or there is none.
    var fallback: DeviceError?

    /// Returns the scaled values of the three axes of the sensor.
    func acceleration(fromRaw raw: [Int64]) -> Acceleration {
      let values = zip(raw, conversions).map { raw, conversion in
        (Double(raw) + conversion.offset) * conversion.scale
      }
      return Acceleration(x: values[0], y: values[1], z: values[2])
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
        // A pause counts from the end of the previous one, so that the duration of a reading does
        // not change the rate.
        next = max(next.advanced(by: pause), clock.now)
        do { try await clock.sleep(until: next) } catch { return }
      }
    }
    return stream
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
