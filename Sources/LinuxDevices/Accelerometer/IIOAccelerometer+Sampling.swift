import Devices

/// The readings of the open device, and its faults.
extension IIOAccelerometer {
  /// Reads the waiting samples and returns the time to the next reading; `nil` ends the task.
  func sample(generation: Int) -> Duration? {
    guard generation == self.generation else { return nil }
    guard sensor != nil else { return reopen() }
    do throws(DeviceError) {
      try take(try readSamples())
    } catch {
      return giveUp(after: error)
    }
    // The first sample of a buffer is wanted soon.
    return buffer == nil || !hasSampledSinceOpening ? period : max(period, Self.batchInterval)
  }

  /// Gathers samples, and delivers them when they make a batch or are the first.
  private func take(_ samples: [AccelerometerSample]) throws(DeviceError) {
    guard !samples.isEmpty else {
      if recovery?.isStalled(at: clock.now) == true { throw stall }
      return
    }
    pending.reserveCapacity(pending.count + samples.count)
    for sample in samples {
      if let fault = plausibility.fault(of: sample.acceleration, at: sample.time) {
        throw DeviceError(
          .implausible, device: name, problem: "answers nonsense; it is opened again", cause: fault)
      }
      pending.append(.sample(sample))
    }
    if isBatchDue || !hasSampledSinceOpening { deliver() }
    hasSampledSinceOpening = true
    recovery?.sampled(at: clock.now)
  }

  /// Whether the pending samples cannot wait for another one; a buffer has gathered them already.
  private var isBatchDue: Bool {
    guard buffer == nil, case .sample(let oldest)? = pending.first else { return true }
    return oldest.time.duration(to: clock.now) + period >= Self.batchInterval
  }

  /// The fault of a silent device; marks its own trigger as silent if that never gave a sample.
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
      let spacing = (lastReading ?? arrival).duration(to: arrival) / max(1, records.count)
      lastReading = arrival
      var samples: [AccelerometerSample] = []
      samples.reserveCapacity(records.count)
      for (index, record) in records.enumerated() {
        let acceleration = sensor.acceleration(fromRaw: record.raw)
        let later = records.count - 1 - index
        samples.append(
          AccelerometerSample(
            acceleration: sensor.matrix.applied(to: acceleration), sensor: acceleration,
            time: time(of: record, in: sensor, else: arrival.advanced(by: spacing * -later))))
      }
      return samples
    } catch {
      // The device was present before, so an absent one has been disconnected.
      let code = error.code == .absent ? DeviceError.Code.disconnected : error.code
      throw DeviceError(
        code, device: name, problem: "can no longer be read; it is opened again",
        cause: error.description)
    }
  }

  /// Returns the kernel's time of a record, or an estimate where there is none.
  private func time(
    of record: IIOSampleBuffer.Record, in sensor: OpenSensor, else estimate: MonotonicInstant
  ) -> MonotonicInstant {
    guard sensor.hasMonotonicTimestamps, let timestamp = record.timestamp else { return estimate }
    let time = MonotonicInstant(nanoseconds: timestamp)
    // The timestamps of a driver that uses another clock than it reports are not used.
    let age = time.duration(to: clock.now)
    return age >= .zero && age < .seconds(5) ? time : estimate
  }

  private func giveUp(after error: DeviceError) -> Duration {
    close()
    guard let (pause, isNews) = recovery?.failed(error) else { return .seconds(1) }
    if isNews { pending.append(.failed(error)) }
    deliver()
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
