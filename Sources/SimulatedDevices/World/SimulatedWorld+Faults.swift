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

  /// Cancels all requests of running streams at once, as libcamera does when the camera's front
  /// end has timed out; the streams end and can be started again.
  public func cancelStreams(camera: CameraDescription.ID? = nil) {
    let ids = affected(camera)
    change { state in for id in ids { state.cancellations[id, default: 0] += 1 } }
  }

  /// Breaks the accelerometer, or mends it with `nil`.
  public func setAccelerometerFault(_ fault: AccelerometerFault?) {
    change { $0.accelerometerFault = fault }
  }

  /// Breaks the temperature sensor, or mends it with `nil`.
  public func setTemperatureFault(_ fault: TemperatureFault?) {
    change { $0.temperatureFault = fault }
  }

  /// Breaks a light, or mends it with `nil`.
  public func setIndicatorFault(_ fault: IndicatorFault?, role: IndicatorRole) {
    change { $0.indicatorFaults[role] = fault }
  }

  private func affected(_ camera: CameraDescription.ID?) -> [CameraDescription.ID] {
    camera.map { [$0] } ?? cameraModels.map(\.id)
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
