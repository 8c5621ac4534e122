import Devices

/// The readings of the open device, and its faults.
extension IIOAccelerometer {
  /// Reads the waiting samples and returns the time to the next reading; `nil` ends the task.
  func sample(generation: Int) -> Duration? {
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
      return records.map { record in
        let acceleration = sensor.acceleration(fromRaw: record.raw)
        return AccelerometerSample(
          acceleration: sensor.matrix.applied(to: acceleration), sensor: acceleration,
          time: time(of: record, in: sensor, arrival: arrival))
      }
    } catch {
      // The device was present before, so an absent one has been disconnected.
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
    // The timestamps of a driver that uses another clock than it reports are not used.
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
