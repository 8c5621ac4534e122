package import Devices

extension SimulatedWorld {
  /// Returns the faults of a camera.
  ///
  /// - Parameter camera: the camera's ID, by default the first camera's.
  package func cameraFaults(_ camera: CameraDescription.ID? = nil) -> Set<CameraFault> {
    let ids = affected(camera)
    return read { state in ids.first.flatMap { state.cameraFaults[$0] } ?? [] }
  }

  /// Breaks cameras in a way that lasts until ``clear(_:camera:)``.
  ///
  /// - Parameters:
  ///   - fault: the fault from now on, besides earlier faults.
  ///   - camera: the camera's ID, by default all cameras.
  package func inject(_ fault: CameraFault, camera: CameraDescription.ID? = nil) {
    let ids = affected(camera)
    change { state in for id in ids { state.cameraFaults[id, default: []].insert(fault) } }
  }

  /// Repairs cameras.
  ///
  /// A camera that was ``CameraFault/absent`` is listed again and must be reopened.
  package func clear(_ fault: CameraFault, camera: CameraDescription.ID? = nil) {
    let ids = affected(camera)
    change { state in for id in ids { state.cameraFaults[id, default: []].remove(fault) } }
  }

  /// Damages the next frames of running streams.
  package func damageFrames(_ count: Int, camera: CameraDescription.ID? = nil) {
    let ids = affected(camera)
    change { state in for id in ids { state.damagedFrames[id, default: 0] += max(0, count) } }
  }

  /// Cancels the rest of ``damageFrames(_:camera:)`` and ``failNextStarts(_:camera:)``.
  package func mendFrames(camera: CameraDescription.ID? = nil) {
    let ids = affected(camera)
    change { state in
      for id in ids {
        state.damagedFrames[id] = nil
        state.failingStarts[id] = nil
      }
    }
  }

  /// Makes the next `count` starts of a stream fail for lack of memory.
  package func failNextStarts(_ count: Int, camera: CameraDescription.ID? = nil) {
    let ids = affected(camera)
    change { state in for id in ids { state.failingStarts[id, default: 0] += max(0, count) } }
  }

  /// Cancels all requests of running streams at once; the streams end and can be restarted.
  ///
  /// libcamera does the same when the camera's front end has timed out.
  package func cancelStreams(camera: CameraDescription.ID? = nil) {
    let ids = affected(camera)
    change { state in for id in ids { state.cancellations[id, default: 0] += 1 } }
  }

  /// The number of times that each trouble has reached a user of the cameras.
  package var cameraTroubles: [CameraTrouble: Int] { read { $0.troubles } }

  func note(_ trouble: CameraTrouble) {
    note { $0.troubles[trouble, default: 0] += 1 }
  }

  /// Breaks the accelerometer, or repairs it with `nil`.
  package func setAccelerometerFault(_ fault: AccelerometerFault?) {
    change { $0.accelerometerFault = fault }
  }

  /// Breaks the temperature sensor, or repairs it with `nil`.
  package func setTemperatureFault(_ fault: TemperatureFault?) {
    change { $0.temperatureFault = fault }
  }

  /// Breaks the firmware's flags, or repairs them with `nil`.
  package func setThrottleFault(_ fault: ThrottleFault?) {
    change { $0.throttleFault = fault }
  }

  /// Forbids the service to power off and restart the machine, or allows both again.
  package func denyPower(_ isDenied: Bool) {
    change { $0.isPowerDenied = isDenied }
  }

  /// Breaks a light, or repairs it with `nil`.
  package func setIndicatorFault(_ fault: IndicatorFault?, role: IndicatorRole) {
    change { $0.indicatorFaults[role] = fault }
  }

  /// Breaks the lamp, or repairs it with `nil`.
  package func setLampFault(_ fault: LampFault?) {
    change { $0.lampFault = fault }
  }

  private func affected(_ camera: CameraDescription.ID?) -> [CameraDescription.ID] {
    camera.map { [$0] } ?? cameraModels.map(\.id)
  }

  /// Takes one of the failing starts; returns whether this start fails.
  func takeFailingStart(of camera: CameraDescription.ID) -> Bool {
    take(\.failingStarts, of: camera, lasting: .outOfMemory)
  }

  /// Takes one of the damaged frames; returns whether this frame is damaged.
  func takeDamagedFrame(of camera: CameraDescription.ID) -> Bool {
    take(\.damagedFrames, of: camera, lasting: .damaged)
  }

  /// Takes one of a camera's counted faults.
  ///
  /// - Returns: whether there was one, or the lasting fault is set.
  private func take(
    _ counts: WritableKeyPath<State, [CameraDescription.ID: Int]>,
    of camera: CameraDescription.ID, lasting fault: CameraFault
  ) -> Bool {
    var isFaulty = false
    note { state in
      isFaulty = state.cameraFaults[camera]?.contains(fault) ?? false
      if let count = state[keyPath: counts][camera], count > 0 {
        state[keyPath: counts][camera] = count - 1
        isFaulty = true
      }
    }
    return isFaulty
  }
}
