internal import CSystemd
import Foundation
import Glibc
import Synchronization

/// A real D-Bus daemon with a stand-in for systemd's login manager and its time service.
///
/// The effect of a request on logind and polkit cannot be tested without powering the machine off.
/// The form of the request and the effect of each answer can be tested.
final class LoginManagerStandIn: Sendable {
  /// The answer to requests.
  enum Answer: Sendable {
    case done
    case text(String)
    case property(Bool)
    case error(name: String, message: String)
    case silence
  }

  /// A request: its method, and whether it allows a question to a person.
  struct Request: Sendable, Hashable {
    var method: String
    var isInteractive: Bool
  }

  /// The address of the bus.
  let address: String
  /// The requests so far.
  var requests: [Request] { state.withLock { $0.requests } }

  private struct State {
    var requests: [Request] = []
    var isEnding = false
  }

  private let folder: FakeSysfs
  private let daemon: Process
  private let answer: Answer
  private let state = Mutex(State())

  /// Starts the daemon, and the manager unless the bus is to be without one.
  ///
  /// - Parameter isForbidden: whether the bus itself forbids sending to the manager.
  init(_ answer: Answer = .done, isPresent: Bool = true, isForbidden: Bool = false) throws {
    folder = FakeSysfs()
    address = "unix:path=\(folder.path)/bus"
    self.answer = answer
    let rule = isForbidden ? "<deny send_interface=\"org.freedesktop.login1.Manager\"/>" : ""
    try folder.set(
      "bus.conf",
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig><type>system</type><listen>\(address)</listen><policy context="default">
        <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
        \(rule)
      </policy></busconfig>
      """)
    daemon = Process()
    daemon.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
    daemon.arguments = ["--config-file=\(folder.path)/bus.conf", "--nofork", "--print-address=1"]
    let output = Pipe()
    daemon.standardOutput = output
    try daemon.run()
    _ = output.fileHandleForReading.availableData  // The address: now it listens.
    guard isPresent else { return }
    let (isUp, up) = (DispatchSemaphore(value: 0), address)
    Thread { [weak self] in LoginManagerStandIn.serve(up, isUp) { self?.handle($0) ?? false } }
      .start()
    isUp.wait()
  }

  /// Ends the daemon and the manager.
  func end() {
    state.withLock { $0.isEnding = true }
    // The daemon has the signal mask of the thread that started it: only this signal always ends
    // it.
    kill(daemon.processIdentifier, SIGKILL)
    daemon.waitUntilExit()
  }

  /// Takes part in the bus until `handle` returns that it is over.
  private static func serve(
    _ address: String, _ isUp: DispatchSemaphore, handle: (OpaquePointer?) -> Bool
  ) {
    var bus: OpaquePointer?
    defer { sd_bus_unref(bus) }
    sd_bus_new(&bus)
    sd_bus_set_address(bus, address)
    sd_bus_set_bus_client(bus, 1)
    sd_bus_start(bus)
    sd_bus_request_name(bus, "org.freedesktop.login1", 0)
    sd_bus_request_name(bus, "org.freedesktop.timedate1", 0)
    isUp.signal()
    while true {
      var message: OpaquePointer?
      let processed = sd_bus_process(bus, &message)
      defer { sd_bus_message_unref(message) }
      guard processed >= 0, handle(message) else { return }
      if processed == 0 { sd_bus_wait(bus, 20_000) }
    }
  }

  /// Answers a request; returns whether to go on.
  private func handle(_ message: OpaquePointer?) -> Bool {
    guard let message, let member = sd_bus_message_get_member(message),
      sd_bus_message_is_method_call(message, "org.freedesktop.login1.Manager", nil) > 0
        || sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Properties", "Get") > 0
    else { return state.withLock { !$0.isEnding } }
    var isInteractive: Int32 = -1
    sd_bus_message_read_basic(message, CChar(bitPattern: UInt8(ascii: "b")), &isInteractive)
    state.withLock {
      $0.requests.append(
        Request(method: String(cString: member), isInteractive: isInteractive != 0))
    }
    var reply: OpaquePointer?
    defer { sd_bus_message_unref(reply) }
    switch answer {
    case .silence: return true
    case .done: sd_bus_message_new_method_return(message, &reply)
    case .text(let text):
      sd_bus_message_new_method_return(message, &reply)
      _ = text.withCString {
        sd_bus_message_append_basic(reply, CChar(bitPattern: UInt8(ascii: "s")), $0)
      }
    case .property(let flag):
      let boolean = CChar(bitPattern: UInt8(ascii: "b"))
      var value: Int32 = flag ? 1 : 0
      sd_bus_message_new_method_return(message, &reply)
      sd_bus_message_open_container(reply, CChar(bitPattern: UInt8(ascii: "v")), "b")
      sd_bus_message_append_basic(reply, boolean, &value)
      sd_bus_message_close_container(reply)
    case .error(let name, let text):
      var error = sd_bus_error()
      defer { sd_bus_error_free(&error) }
      sd_bus_error_set(&error, name, text)
      sd_bus_message_new_method_error(message, &reply, &error)
    }
    sd_bus_send(sd_bus_message_get_bus(message), reply, nil)
    return true
  }
}
