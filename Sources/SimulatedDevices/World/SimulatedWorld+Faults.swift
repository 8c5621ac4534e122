public import Devices

extension SimulatedWorld {
  /// What is wrong with a camera.
  ///
  /// - Parameter camera: the camera's ID; the first camera when nothing is said.
  public func cameraFaults(_ camera: CameraDescription.ID? = nil) -> Set<CameraFault> {
    let ids = affected(camera)
    return read { state in ids.first.flatMap { state.cameraFaults[$0] } ?? [] }
  }

  /// Breaks cameras in a way that lasts until ``clear(_:camera:)``.
  ///
  /// - Parameters:
  ///   - fault: what is wrong from now on, besides what was wrong before.
  ///   - camera: the camera's ID; all cameras when nothing is said.
  public func inject(_ fault: CameraFault, camera: CameraDescription.ID? = nil) {
    let ids = affected(camera)
    change { state in for id in ids { state.cameraFaults[id, default: []].insert(fault) } }
  }

  /// Mends cameras.
  ///
  /// A camera that was ``CameraFault/absent`` is listed again and must be opened anew.
  public func clear(_ fault: CameraFault, camera: CameraDescription.ID? = nil) {
    let ids = affected(camera)
    change { state in for id in ids { state.cameraFaults[id, default: []].remove(fault) } }
  }

  /// Damages the next frames of running streams.
  public func damageFrames(_ count: Int, camera: CameraDescription.ID? = nil) {
    let ids = affected(camera)
    change { state in for id in ids { state.damagedFrames[id, default: 0] += max(0, count) } }
  }

  /// Takes back what ``damageFrames(_:camera:)`` and ``failNextStarts(_:camera:)`` have left.
  public func mendFrames(camera: CameraDescription.ID? = nil) {
    let ids = affected(camera)
    change { state in
      for id in ids {
        state.damagedFrames[id] = nil
        state.failingStarts[id] = nil
      }
    }
  }

  /// Makes the next starts of a stream fail for want of memory, however often that is.
  public func failNextStarts(_ count: Int, camera: CameraDescription.ID? = nil) {
    let ids = affected(camera)
    change { state in for id in ids { state.failingStarts[id, default: 0] += max(0, count) } }
  }

  /// Cancels all requests of running streams at once, as libcamera does when the camera's front
  /// end has timed out; the streams end and can be started again.
  public func cancelStreams(camera: CameraDescription.ID? = nil) {
    let ids = affected(camera)
    change { state in for id in ids { state.cancellations[id, default: 0] += 1 } }
  }

  /// How often the cameras have done what to their user.
  public var cameraTroubles: [CameraTrouble: Int] { read { $0.troubles } }

  func note(_ trouble: CameraTrouble) {
    note { $0.troubles[trouble, default: 0] += 1 }
  }

  /// Breaks the accelerometer, or mends it with `nil`.
  public func setAccelerometerFault(_ fault: AccelerometerFault?) {
    change { $0.accelerometerFault = fault }
  }

  /// Breaks the temperature sensor, or mends it with `nil`.
  public func setTemperatureFault(_ fault: TemperatureFault?) {
    change { $0.temperatureFault = fault }
  }

  /// Breaks the firmware's flags, or mends them with `nil`.
  public func setThrottleFault(_ fault: ThrottleFault?) {
    change { $0.throttleFault = fault }
  }

  /// Forbids the service to switch the machine off, or allows it again.
  public func denyPower(_ isDenied: Bool) {
    change { $0.isPowerDenied = isDenied }
  }

  /// Breaks a light, or mends it with `nil`.
  public func setIndicatorFault(_ fault: IndicatorFault?, role: IndicatorRole) {
    change { $0.indicatorFaults[role] = fault }
  }

  /// Breaks the lamp, or mends it with `nil`.
  public func setLampFault(_ fault: LampFault?) {
    change { $0.lampFault = fault }
  }

  private func affected(_ camera: CameraDescription.ID?) -> [CameraDescription.ID] {
    camera.map { [$0] } ?? cameraModels.map(\.id)
  }

  /// Uses up one of the starts that are to fail; says whether this one does.
  func takeFailingStart(of camera: CameraDescription.ID) -> Bool {
    var isFailing = false
    note { state in
      isFailing = state.cameraFaults[camera]?.contains(.outOfMemory) ?? false
      if let count = state.failingStarts[camera], count > 0 {
        state.failingStarts[camera] = count - 1
        isFailing = true
      }
    }
    return isFailing
  }

  /// Uses up one of the frames that are to be damaged.
  func takeDamagedFrame(of camera: CameraDescription.ID) -> Bool {
    var isDamaged = false
    note { state in
      isDamaged = state.cameraFaults[camera]?.contains(.damaged) ?? false
      if let count = state.damagedFrames[camera], count > 0 {
        state.damagedFrames[camera] = count - 1
        isDamaged = true
      }
    }
    return isDamaged
  }
}
