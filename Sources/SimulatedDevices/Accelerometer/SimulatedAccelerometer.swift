package import Devices

/// The accelerometer of a simulated world: gravity, a little noise and the injected faults.
///
/// Readings are in steps of 1 mg with up to ±2 steps of noise, as with a small MEMS sensor. The
/// noise is a function of the world's seed and the reading's number. Each sample is delivered by
/// itself, as soon as it is taken. No call blocks, so the actor needs no executor of its own.
package actor SimulatedAccelerometer: Accelerometer {
  /// The sensor's rates in samples per second (the rates of an LIS3DH up to 100).
  package static let rates: [Double] = [1, 10, 25, 50, 100]

  /// The sensor's name.
  package nonisolated let name: String
  private let world: SimulatedWorld
  private let readings: Readings
  private var sampler: Task<Void, Never>?

  /// Makes the accelerometer of a world.
  ///
  /// - Parameters:
  ///   - world: the world that gives the position and the faults.
  ///   - name: the sensor's name.
  ///   - fitting: the right mount matrix for the way in which the sensor is soldered on.
  ///   - mountMatrix: the mount matrix that the driver uses, by default `fitting`. Another matrix
  ///     gives the wrong readings of a rig with a wrong configuration.
  package init(
    world: SimulatedWorld, name: String = "lis3dh", fitting: MountMatrix = .identity,
    mountMatrix: MountMatrix? = nil
  ) {
    self.world = world
    self.name = name
    readings = Readings(
      seed: world.seed, fitting: fitting, mountMatrix: mountMatrix ?? fitting)
  }

  deinit { sampler?.cancel() }

  /// Starts sampling; a second call ends the first stream.
  ///
  /// - Parameter rate: the wanted samples per second, 1...100; the closest of ``rates`` is taken.
  /// - Throws: `DeviceError`, code `absent`, during the fault ``AccelerometerFault/absent``.
  package func start(rate: Double) async throws(DeviceError) -> AsyncStream<[AccelerometerEvent]> {
    await stop()
    if world.read({ $0.accelerometerFault }) == .absent { throw gone }
    let rate = SimulatedAccelerometer.rates.min { abs($0 - rate) < abs($1 - rate) } ?? rate
    let (stream, continuation) = AsyncStream.makeStream(
      of: [AccelerometerEvent].self, bufferingPolicy: .bufferingNewest(64))
    let period = Duration.nanoseconds(Int64(1e9 / rate))
    let sampler = Task { [world, readings, gone] in
      await SimulatedAccelerometer.sample(
        world, readings, every: period, gone: gone, into: continuation)
    }
    continuation.onTermination = { _ in sampler.cancel() }
    self.sampler = sampler
    return stream
  }

  /// Does nothing, because no sample waits.
  package func flush() async {}

  /// Stops sampling and ends the stream.
  package func stop() async {
    sampler?.cancel()
    await sampler?.value
    sampler = nil
  }

  private nonisolated var gone: DeviceError {
    DeviceError(
      .absent, device: name, problem: "cannot be read; trying again", cause: "No such device")
  }

  private static func sample(
    _ world: SimulatedWorld, _ readings: Readings, every period: Duration, gone: DeviceError,
    into continuation: AsyncStream<[AccelerometerEvent]>.Continuation
  ) async {
    var time = world.clock.now
    var index: UInt64 = 0
    var last: Acceleration?
    var wasAbsent = false
    while true {
      index += 1
      time = time.advanced(by: period)
      // Readings that are too old are skipped, as by a sensor's full FIFO.
      while time.advanced(by: period * 64) < world.clock.now { time = time.advanced(by: period) }
      do { try await world.clock.sleep(until: time) } catch { break }
      let fault = world.read { $0.accelerometerFault }
      let position = world.scene(at: time).position
      let reading =
        switch fault {
        case .frozen: last ?? readings.reading(of: position, index: index)
        case .nonsense: readings.nonsense(index: index)
        case nil, .absent, .silent: readings.reading(of: position, index: index)
        }
      last = reading
      switch fault {
      case .absent:
        if !wasAbsent { continuation.yield([.failed(gone)]) }
      case .silent: break
      default:
        // Nonsense has no meaning in any axes, so it is not converted.
        let acceleration = fault == .nonsense ? reading : readings.inRig(reading)
        continuation.yield(
          [.sample(AccelerometerSample(acceleration: acceleration, sensor: reading, time: time))])
      }
      wasAbsent = fault == .absent
    }
    continuation.finish()
  }
}
