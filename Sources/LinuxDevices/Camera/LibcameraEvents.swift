import CLibcameraShim
import Devices
import Glibc
import Logging
import Synchronization

/// The events of a running stream, taken from the shim and given to the stream's receiver.
///
/// libcamera's own thread takes the events of finished requests, without a wake-up of another
/// thread. An event thread takes all other events, and the camera's actor takes the rest at the
/// end. The lock is held while the receiver has an event, so that events keep their order and the
/// end is the last.
final class LibcameraEvents: Sendable {
  private struct State {
    /// The receiver; `nil` after the end.
    var receive: (@Sendable (CameraEvent?) -> Void)?
    /// The number of lost events that the last event told; `nil` before the first event.
    var lostCount: UInt64?
  }

  private let camera: platen_camera
  private let device: String
  private let readoutDuration: Duration
  private let logger: Logger
  private let state: Mutex<State>

  /// Makes the events of a stream that has just been started.
  ///
  /// - Parameter receive: a closure that gets each event, and at last `nil`.
  init(
    of camera: platen_camera, device: String, readoutDuration: Duration, logger: Logger,
    receive: @escaping @Sendable (CameraEvent?) -> Void
  ) {
    self.camera = camera
    self.device = device
    self.readoutDuration = readoutDuration
    self.logger = logger
    state = Mutex(State(receive: receive))
  }

  /// Takes the waiting events; does nothing after the end.
  func take() {
    state.withLock { takeAll(&$0) }
  }

  /// Takes the waiting events unless another thread takes them or the stream has ended.
  ///
  /// libcamera's thread must not wait, not even for the lock.
  ///
  /// - Returns: whether all events were taken that waited at the time of the call.
  func takeUnlessBusy() -> Bool {
    state.withLockIfAvailable { state in
      takeAll(&state)
      return state.receive != nil
    } ?? false
  }

  /// Has libcamera's thread take the events of finished requests until another listener is set.
  func listen() {
    _ = platen_camera_listen(
      camera,
      { context in
        let events = Unmanaged<LibcameraEvents>.fromOpaque(context).takeUnretainedValue()
        return events.takeUnlessBusy() ? 1 : 0
      },
      { context in Unmanaged<LibcameraEvents>.fromOpaque(context).release() },
      // The shim releases the events, also after a failure.
      Unmanaged.passRetained(self).toOpaque())
  }

  /// Tells the receiver that the stream has failed, as its events cannot be waited for any more.
  ///
  /// - Parameter number: the `errno` of the failed wait.
  func fail(_ number: Int32) {
    let error = DeviceError(
      SystemError(number), device: device, problem: "has events that cannot be waited for")
    state.withLock { state in
      guard let receive = state.receive else { return }
      receive(.streamFailed(error))
    }
  }

  /// Takes the waiting events and ends the stream for its receiver; a second call does nothing.
  func end() {
    state.withLock { state in
      takeAll(&state)
      state.receive?(nil)
      state.receive = nil
    }
  }

  private func takeAll(_ state: inout State) {
    guard let receive = state.receive else { return }
    var event = platen_camera_event()
    while platen_camera_next_event(camera, &event) == 1 {
      if let lost = state.lostCount, event.lost_events > lost {
        logger.debug(
          "Frames were finished faster than they were looked at",
          metadata: ["camera.id": "\(device)", "frames": "\(event.lost_events - lost)"])
      }
      state.lostCount = event.lost_events
      if let translated = translate(event) { receive(translated) }
    }
  }

  private func translate(_ event: platen_camera_event) -> CameraEvent? {
    switch event.kind {
    case PLATEN_CAMERA_FRAME.rawValue:
      .frame(FrameInfo(event.frame, readoutDuration: readoutDuration))
    case PLATEN_CAMERA_DAMAGED.rawValue: .damagedFrame(sequence: event.frame.sequence)
    case PLATEN_CAMERA_STARVED.rawValue: .starved
    case PLATEN_CAMERA_REPLENISHED.rawValue: .replenished
    case PLATEN_CAMERA_STREAM_FAILED.rawValue:
      .streamFailed(
        DeviceError(
          ShimOutcome(
            status: event.error,
            cause: event.error == -ECANCELED
              ? "libcamera canceled its requests, as it does when the sensor sends nothing"
              : "libcamera does not take its requests any more"),
          device: device, problem: "stopped by itself"))
    case PLATEN_CAMERA_DISCONNECTED.rawValue: .disconnected
    default: nil
    }
  }
}
