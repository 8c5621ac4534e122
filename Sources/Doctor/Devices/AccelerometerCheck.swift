import API
import Capture
import Devices
import RigConfiguration

/// The check of the accelerometer: its presence, and whether its readings can be gravity.
struct AccelerometerCheck: DoctorCheck {
  let part = DoctorPart.accelerometer
  let section: AccelerometerSection?
  /// The service's report; `nil` when the service does not run.
  let rotation: RotationReport?
  let isSimulated: Bool
  let files: KernelFiles

  func findings() async -> [DoctorReport.Finding] {
    guard let section else { return [notChecked("the configuration names no accelerometer")] }
    let name = section.device
    if let rotation { return [finding(rotation, name)] }
    if isSimulated { return [notChecked("the board is simulated", of: name)] }
    return [withoutService(name)]
  }

  private func finding(_ rotation: RotationReport, _ name: String) -> Finding {
    let code = DoctorCode(.accelerometer)
    switch rotation.accelerometer.value {
    case .ok:
      let axes = rotation.acceleration?.map { "\(($0 * 10).rounded() / 10)" }
      let felt = axes.map { ", \($0.joined(separator: " ")) m/s²" } ?? ""
      return ok("gives gravity, capture angle \(rotation.captureAngle)°\(felt)", of: name)
    case .absent:
      return warning(code, withoutDriver(name) ?? "it is absent or cannot be read", of: name)
    case .frozen:
      return warning(code, "it gives the same readings, or none, for too long", of: name)
    case .implausible: return warning(code, "what it gives cannot be gravity", of: name)
    case .some(.none), nil: return notChecked("the service does not watch it", of: name)
    }
  }

  /// Returns the problem of a sensor in the device tree without a driver in the kernel.
  ///
  /// The result is `nil` otherwise.
  private func withoutDriver(_ name: String) -> String? {
    let bus = "/sys/bus/i2c/devices"
    // A device tree may name a part of the chip, as in "st,lis3dh-accel"; IIO names the chip.
    let client = files.names(in: bus).first { client in
      files.read("\(bus)/\(client)/name").map { $0 == name || $0.hasPrefix(name + "-") } ?? false
    }
    guard let client, !files.exists("\(bus)/\(client)/driver") else { return nil }
    return "the kernel has no driver for \"\(name)\" at \(client) on the I2C bus, or the driver "
      + "finds no such chip there; \"dmesg\" says which"
  }

  private func withoutService(_ name: String) -> Finding {
    let bus = KernelFiles.iioBus
    guard let found = files.iioDevice(named: name) else {
      let names = files.iioDevices.compactMap { files.read("\(bus)/\($0)/name") }
      return warning(
        DoctorCode(.accelerometer),
        withoutDriver(name) ?? "there is no IIO device \"\(name)\""
          + (names.isEmpty ? ", nor any other" : "; there are \(names.joined(separator: ", "))"),
        of: name)
    }
    let axes = ["x", "y", "z"].map { files.read("\(bus)/\(found)/in_accel_\($0)_raw") }
    guard axes.allSatisfy({ $0.flatMap { Int64($0) } != nil }) else {
      return warning(DoctorCode(.accelerometer), "its axes cannot be read", of: name)
    }
    return ok("\(found) gives numbers", of: name)
  }
}

extension KernelFiles {
  /// The directory of the IIO devices.
  static let iioBus = "/sys/bus/iio/devices"

  /// The directories of the IIO devices, in their order.
  var iioDevices: [String] { names(in: Self.iioBus).filter { $0.hasPrefix("iio:device") } }

  /// Returns the directory of an IIO device by its name, label or directory, as the service does.
  func iioDevice(named name: String) -> String? {
    iioDevices.first { device in
      device == name
        || ["name", "label"].contains { read("\(Self.iioBus)/\(device)/\($0)") == name }
    }
  }
}
