internal import CSystemd
package import Devices

/// The machine's power by systemd's login manager (`org.freedesktop.login1`, over D-Bus).
///
/// The calls are not interactive, as no one is present to enter a password. So polkit must have a
/// rule that allows them. Each call opens its own connection, because calls are rare.
package actor LogindPower: SystemPower {
  private static let service = "org.freedesktop.login1"

  private let busAddress: String?
  private let timeout: Duration
  private let executor = DispatchQueueExecutor(label: "platen.power.logind")

  /// The actor's own queue, where calls block on the bus.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes the machine's power; no connection is opened before the first call.
  ///
  /// - Parameters:
  ///   - busAddress: the D-Bus address, for example `unix:path=/run/dbus/system_bus_socket`; by
  ///     default the system's bus.
  ///   - timeout: the timeout of an answer, above 0.
  package init(busAddress: String? = nil, timeout: Duration = .seconds(15)) {
    self.busAddress = busAddress
    self.timeout = timeout
  }

  /// Powers the machine off (`Manager.PowerOff`).
  ///
  /// - Throws: ``DeviceError`` as documented for `SystemPower`.
  package func powerOff() async throws(DeviceError) {
    try call("PowerOff", problem: "did not switch the machine off")
  }

  /// Reboots the machine (`Manager.Reboot`).
  ///
  /// - Throws: ``DeviceError`` as documented for `SystemPower`.
  package func restart() async throws(DeviceError) {
    try call("Reboot", problem: "did not restart the machine")
  }

  /// Checks whether polkit would allow a power-off (`Manager.CanPowerOff`).
  ///
  /// - Throws: ``DeviceError`` as documented for `SystemPower`.
  package func checkPowerOff() async throws(DeviceError) {
    try check("CanPowerOff", problem: "would not switch the machine off")
  }

  /// Checks whether polkit would allow a reboot (`Manager.CanReboot`).
  ///
  /// - Throws: ``DeviceError`` as documented for `SystemPower`.
  package func checkRestart() async throws(DeviceError) {
    try check("CanReboot", problem: "would not restart the machine")
  }

  private func check(_ method: String, problem: String) throws(DeviceError) {
    var reply: OpaquePointer?
    defer { sd_bus_message_unref(reply) }
    try call(method, problem: problem, isCommand: false, &reply)
    var text: UnsafePointer<CChar>?
    let read = sd_bus_message_read_basic(reply, CChar(bitPattern: UInt8(ascii: "s")), &text)
    let answer = read > 0 ? text.map { String(cString: $0) } : nil
    guard answer != "yes" else { return }
    throw DeviceError(
      .permissionDenied, device: Self.service, problem: problem,
      cause: "\(method) says \"\(answer ?? "nothing")\"; a polkit rule has to allow it")
  }

  private func call(_ method: String, problem: String) throws(DeviceError) {
    var reply: OpaquePointer?
    defer { sd_bus_message_unref(reply) }
    try call(method, problem: problem, isCommand: true, &reply)
  }

  /// Calls the manager.
  ///
  /// - Parameter isCommand: whether the method has the argument `interactive`.
  private func call(
    _ method: String, problem: String, isCommand: Bool, _ reply: inout OpaquePointer?
  ) throws(DeviceError) {
    var bus: OpaquePointer?
    defer { sd_bus_flush_close_unref(bus) }
    let connected = SystemBus.connect(&bus, to: busAddress)
    guard connected >= 0 else {
      throw DeviceError(
        SystemError(connected), device: Self.service, problem: "cannot be asked over D-Bus")
    }
    var request: OpaquePointer?
    defer { sd_bus_message_unref(request) }
    var made = sd_bus_message_new_method_call(
      bus, &request, Self.service, "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
      method)
    if made >= 0, isCommand {
      // `interactive` is false. D-Bus has booleans of 32 bits.
      var isInteractive: Int32 = 0
      made = sd_bus_message_append_basic(
        request, CChar(bitPattern: UInt8(ascii: "b")), &isInteractive)
    }
    guard made >= 0 else {
      throw DeviceError(SystemError(made), device: Self.service, problem: problem)
    }
    var failure = sd_bus_error()
    defer { sd_bus_error_free(&failure) }
    let called = sd_bus_call(
      bus, request, UInt64(timeout.wholeNanoseconds / 1000), &failure, &reply)
    guard called < 0 else { return }
    let name = failure.name.map { String(cString: $0) } ?? ""
    let error = SystemError(called)
    throw DeviceError(
      Self.code(name) ?? error.code, device: Self.service, problem: problem,
      cause: failure.message.map { String(cString: $0) } ?? error.description)
  }

  /// Returns the kind of fault that a D-Bus error's name means.
  private static func code(_ name: String) -> DeviceError.Code? {
    switch name {
    case "org.freedesktop.DBus.Error.AccessDenied",
      "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired":
      .permissionDenied
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
      .absent
    case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout": .timedOut
    default: nil
    }
  }
}
