import CLibcameraShim
package import Devices

/// The camera object of this process: the library with the shim for the system's libcamera.
package enum CameraObject {
  /// Loads the object, unless it is loaded, and returns its path.
  ///
  /// - Throws: ``Devices/DeviceError`` with the code
  ///   ``Devices/DeviceError/Code/libraryUnknown``: libcamera is not installed, or no object fits
  ///   the installed one.
  package static func load() throws(DeviceError) -> String {
    var path = [CChar](repeating: 0, count: 512)
    let outcome = ShimOutcome.of { cause, size in
      platen_camera_object_load(&path, path.count, cause, size)
    }
    guard outcome.status == 0 else {
      throw DeviceError(outcome, device: "libcamera", problem: "cannot be used")
    }
    return path.withUnsafeBytes { shimText($0) }
  }
}
