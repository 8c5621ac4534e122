package import Devices

/// The state of the capture session and its camera.
package struct SessionReport: Sendable, Hashable, Codable {
  /// The state of the session.
  package enum State: String, Sendable, Hashable, Codable, CaseIterable {
    /// The session does not run.
    case stopped
    /// The session runs, and no camera streams.
    case waitingForCamera
    /// Frames come.
    case running
  }

  /// The state of the session; readiness has the interruptions.
  package let state: Word<State>
  /// The camera; `nil` when none is open.
  package let camera: CameraReport?
  /// The pictures' size in pixels; `nil` while nothing is configured.
  package let size: SizeReport?
  /// The frames' pixel format; `nil` while nothing is configured.
  package let pixelFormat: Word<PixelFormat>?
  /// The frames a second; `nil` when not known.
  package let frameRate: Double?
  /// The settings that the camera could not follow, a sentence for each.
  package let adjustments: [String]
  /// The number of frames since the service started.
  package let framesSeen: UInt64
  /// The time since the last frame, in milliseconds; `nil` when none has come.
  package let lastFrameAgeMilliseconds: Double?
  /// The role of the camera in use, for example `main`; `nil` when none is open.
  package let cameraRole: String?
  /// Whether the standby has taken over because the wanted camera failed repeatedly.
  package let isStandbyInUse: Bool?
  /// The camera's last fault in words; `nil` when there was none.
  package let lastFault: String?
  /// The recovery after the last fault, for example `reopenCamera`; `nil` when there was none.
  package let lastRecovery: String?
  /// The time until frames came again, in milliseconds; `nil` when there was no fault.
  package let lastOutageMilliseconds: Double?
  /// The preset that gives ``size``: `document`, `1080p`, `full` or a wanted size.
  package let preset: String?
  /// The process that has the cameras; `nil` when the service has them itself.
  package let cameraProcess: CameraProcessReport?
  /// The lamp over the page; `nil` without a lamp, and before its first use.
  package let lamp: LampReport?

  package init(
    state: Word<State>, camera: CameraReport? = nil, size: SizeReport? = nil,
    pixelFormat: Word<PixelFormat>? = nil, frameRate: Double? = nil, adjustments: [String] = [],
    framesSeen: UInt64 = 0, lastFrameAgeMilliseconds: Double? = nil, cameraRole: String? = nil,
    isStandbyInUse: Bool? = nil, lastFault: String? = nil, lastRecovery: String? = nil,
    lastOutageMilliseconds: Double? = nil, preset: String? = nil,
    cameraProcess: CameraProcessReport? = nil, lamp: LampReport? = nil
  ) {
    self.state = state
    self.camera = camera
    self.size = size
    self.pixelFormat = pixelFormat
    self.frameRate = finite(frameRate)
    self.adjustments = adjustments
    self.framesSeen = framesSeen
    self.lastFrameAgeMilliseconds = finite(lastFrameAgeMilliseconds)
    self.cameraRole = cameraRole
    self.isStandbyInUse = isStandbyInUse
    self.lastFault = lastFault
    self.lastRecovery = lastRecovery
    self.lastOutageMilliseconds = finite(lastOutageMilliseconds)
    self.preset = preset
    self.cameraProcess = cameraProcess
    self.lamp = lamp
  }
}

/// The lamp over the page.
package struct LampReport: Sendable, Hashable, Codable {
  /// Whether the lamp is lit, as far as the lamp obeyed.
  package let isLit: Bool
  /// The problem at the last switching; `nil` when the lamp obeyed.
  package let fault: String?

  package init(isLit: Bool, fault: String? = nil) {
    self.isLit = isLit
    self.fault = fault
  }
}

/// A camera by name.
package struct CameraReport: Sendable, Hashable, Codable {
  /// The name that stays the same over restarts.
  package let id: String
  /// The sensor's or the camera's model.
  package let model: String

  package init(id: String, model: String) {
    self.id = id
    self.model = model
  }
}

/// A width and a height in pixels.
package struct SizeReport: Sendable, Hashable, Codable {
  /// The number of columns.
  package let width: Int
  /// The number of rows.
  package let height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
