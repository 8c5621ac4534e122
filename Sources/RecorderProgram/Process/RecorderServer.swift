package import CameraHost
package import Devices
import Glibc
import Recorder

/// The recorder's side of the socket, which serves one part of a recording.
///
/// The calls run on one thread. When the service is gone, the call returns, and what was safe stays
/// in the file.
package final class RecorderServer {
  private let socket: HostSocket
  private let clock: any MonotonicClock
  private var recording: PartRecording?
  /// The closed part, for a copy; its encoder may be the hardware's only one, and is free by then.
  private var closed: ClosedPart?

  /// Makes a server on a socket.
  package init(socket: HostSocket, clock: any MonotonicClock = SystemMonotonicClock()) {
    self.socket = socket
    self.clock = clock
  }

  /// Runs the program: confines it, serves on the inherited socket and ends with the service.
  ///
  /// Must be called first in `main`.
  package static func serve() -> Never {
    let hasSound = CommandLine.arguments.contains(RecorderLaunch.soundOption)
    _ = Confinement.apply(to: .recorder(hasSound: hasSound))
    // A file that has grown to a limit is an error of the call then, and not the program's end.
    signal(SIGXFSZ, SIG_IGN)
    RecorderServer(socket: HostSocket(descriptor: HostSocket.inherited)).run()
    exit(0)
  }

  /// Greets, and serves until the service is gone or sends no message.
  package func run() {
    RecorderServer.send(.greeting(version: PlatenVersion.current), on: socket)
    var space = ReceiveSpace()
    while case .packet(let packet, var descriptors) = socket.receive(into: &space) {
      do throws(RecorderFailure) {
        let request: RecorderRequest
        do throws(HostCodec.Malformed) {
          request = try HostCodec.message(RecorderRequest.self, in: packet)
        } catch {
          throw RecorderFailure("The recorder got what is no message, so the part ends: \(error).")
        }
        try serve(request, &descriptors)
      } catch {
        recording?.abandon()
        recording = nil
        RecorderServer.send(.failed(error), on: socket)
      }
      for descriptor in descriptors { close(descriptor) }
    }
  }

  /// Serves a request and removes the descriptors that it has taken over.
  private func serve(
    _ request: RecorderRequest, _ descriptors: inout [Int32]
  ) throws(RecorderFailure) {
    switch request {
    case .open(let part):
      guard recording == nil, !descriptors.isEmpty else {
        throw RecorderFailure("A part was begun twice or without a file, so it ends.")
      }
      let file = DescriptorFile(descriptor: descriptors.removeFirst())
      recording = try PartRecording(part, file: file, clock: clock) { [socket] in
        RecorderServer.send($0, on: socket)
      }
    case .frame(let frame):
      // After a failure, frames may be on their way.
      guard let recording else { return }
      try add(frame, to: recording, &descriptors)
    case .close:
      guard let recording else { return }
      let part = try recording.close()
      self.recording = nil
      closed = part
      RecorderServer.send(.closed(part.recorded), on: socket)
    case .copy:
      guard let closed, !descriptors.isEmpty else {
        throw RecorderFailure("A part was to be copied before its end or without a file.")
      }
      let file = DescriptorFile(descriptor: descriptors.removeFirst())
      RecorderServer.send(.closed(try closed.copy(into: file)), on: socket)
    }
  }

  private func add(
    _ frame: RecorderFrame, to recording: PartRecording, _ descriptors: inout [Int32]
  ) throws(RecorderFailure) {
    let (end, isTooFar) = frame.offset.addingReportingOverflow(frame.byteCount)
    guard frame.offset >= 0, frame.byteCount > 0, !isTooFar, !descriptors.isEmpty else {
      throw RecorderFailure("A frame came without memory or outside of it, so the part ends.")
    }
    var result = Result<Void, RecorderFailure>.success(())
    do throws(DeviceError) {
      let memory = try SharedMemory(
        descriptor: descriptors.removeFirst(), leastByteCount: end, device: "service")
      try memory.read(offset: frame.offset, count: frame.byteCount) { bytes in
        result = Result { () throws(RecorderFailure) in try recording.add(frame, bytes) }
      }
    } catch {
      throw RecorderFailure("A frame cannot be read, so the part ends: \(error).")
    }
    try result.get()
  }

  /// Sends a reply; without the service, the receiving side ends the work.
  private static func send(_ reply: RecorderReply, on socket: HostSocket) {
    guard let packet = try? HostCodec.json(of: reply) else { return }
    try? socket.send(packet)
  }
}
