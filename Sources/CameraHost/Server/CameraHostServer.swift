import CHostCalls
package import Devices
import Foundation
package import Logging

/// The server in the camera process, which serves a camera system over the inherited socket.
///
/// Requests are served concurrently, each by a task, so that a hanging request does not delay the
/// others. Leases are kept until the service gives them back. When the service is gone, the process
/// ends at once, even if calls hang in it.
package actor CameraHostServer {
  private struct OpenCamera {
    var camera: any Camera
    var stream: Int?
  }

  /// The exit status after an invalid message (`EX_PROTOCOL`).
  static let protocolFault: Int32 = 76

  private let system: any CameraSystem
  private let confinement: Confinement
  private let socket: HostSocket
  private let sender: HostSender
  private let logger: Logger
  private var cameras: [Int: OpenCamera] = [:]
  private var leases: [UInt64: FrameLease] = [:]
  private var nextCamera = 1
  private var nextLease: UInt64 = 1

  /// Makes a server on the inherited socket.
  ///
  /// - Parameters:
  ///   - system: the cameras.
  ///   - confinement: the rights that the process has given up, for the service's information.
  ///   - logger: the logger of the connection's faults; it should write to standard error, which is
  ///     the service's.
  package init(system: any CameraSystem, confinement: Confinement, logger: Logger) {
    self.init(
      system: system, confinement: confinement,
      socket: HostSocket(descriptor: HostSocket.inherited), logger: logger)
  }

  init(system: any CameraSystem, confinement: Confinement, socket: HostSocket, logger: Logger) {
    self.system = system
    self.confinement = confinement
    self.socket = socket
    self.logger = logger
    sender = HostSender(socket: socket) { problem in
      CameraHostServer.end(because: problem, logger)
    }
  }

  /// Serves until the service is gone; then the process ends, so the call does not return.
  package func run() async {
    // Programs that are started from here on must not inherit the socket.
    _ = CameraHostServer.closeOnExec(socket.descriptor)
    let (requests, sink) = AsyncStream.makeStream(
      of: HostRequest.self, bufferingPolicy: .unbounded)
    Thread.detachNewThread { [socket, logger] in
      CameraHostServer.read(socket, into: sink, logger)
    }
    sender.send(.ready(HostGreeting(confinement: confinement)))
    await withDiscardingTaskGroup { group in
      for await request in requests {
        group.addTask { await self.serve(request) }
      }
    }
  }

  private static func closeOnExec(_ descriptor: Int32) -> Int32 {
    fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  private static func read(
    _ socket: HostSocket, into sink: AsyncStream<HostRequest>.Continuation, _ logger: Logger
  ) {
    var space = ReceiveSpace()
    while true {
      switch socket.receive(into: &space) {
      case .packet(let packet, let descriptors):
        for descriptor in descriptors { Glibc.close(descriptor) }
        do {
          sink.yield(try HostCodec.request(in: packet))
        } catch {
          return end(because: error.description, logger)
        }
      case .cut: return end(because: "a message was cut", logger)
      // The kernel frees the camera. An orderly end is not needed and might hang.
      case .end: _exit(0)
      }
    }
  }

  private static func end(because problem: String, _ logger: Logger) {
    logger.error("the camera process ends", metadata: ["cause": "\(problem)"])
    _exit(protocolFault)
  }

  // MARK: Requests

  private func serve(_ request: HostRequest) async {
    switch request {
    case .giveBack(let lease): leases[lease] = nil
    case .abandon(let number): await cameras.removeValue(forKey: number)?.camera.close()
    case .call(let id, .lease(let camera, let stream, let frame)):
      await lease(frame, of: camera, stream: stream, answering: id)
    case .call(let id, .start(let camera, let stream, let configuration)):
      await start(camera, stream: stream, configuration, answering: id)
    case .call(let id, let call):
      let answer: HostAnswer
      do throws(DeviceError) {
        answer = try await self.answer(to: call)
      } catch {
        answer = .failure(error)
      }
      sender.send(.answer(id: id, answer))
    }
  }

  private func answer(to call: HostCall) async throws(DeviceError) -> HostAnswer {
    switch call {
    case .cameras: return .cameras(try await system.cameras())
    case .open(let id):
      let camera = try await system.open(id)
      let number = nextCamera
      nextCamera += 1
      cameras[number] = OpenCamera(camera: camera)
      return .opened(
        camera: number,
        HostedIdentity(identity: camera.identity, capabilities: await camera.capabilities))
    case .resolve(let number, let configuration):
      return .resolved(try await camera(number).resolve(configuration))
    case .setFrameRate(let number, let frameRate):
      return .frameDuration(try await camera(number).setFrameRate(frameRate))
    case .capabilities(let number):
      return .capabilities(await (try camera(number)).capabilities)
    case .setControls(let number, let controls):
      try await camera(number).setControls(controls)
      return .done
    case .stop(let number):
      let camera = try camera(number)
      cameras[number]?.stream = nil
      await camera.stop()
      return .done
    case .close(let number):
      let camera = try camera(number)
      cameras[number] = nil
      await camera.close()
      return .done
    case .shutDown:
      await system.shutDown()
      return .done
    case .start, .lease: return .done  // served elsewhere
    }
  }

  private func camera(_ number: Int) throws(DeviceError) -> any Camera {
    guard let camera = cameras[number]?.camera else {
      throw DeviceError(.absent, device: "camera \(number)", problem: "is not open")
    }
    return camera
  }

  /// Starts a stream, whose events are sent on the camera's own thread, and waits for its end.
  private func start(
    _ number: Int, stream: Int, _ configuration: StreamConfiguration, answering id: UInt64
  ) async {
    let (rest, end) = AsyncStream.makeStream(of: Void.self)
    let resolved: ResolvedStreamConfiguration
    do throws(DeviceError) {
      let camera = try camera(number)
      cameras[number]?.stream = nil
      resolved = try await camera.start(configuration) { [sender] event in
        guard let event else { return end.finish() }
        sender.send(.event(stream: stream, event))
      }
      cameras[number]?.stream = stream
    } catch {
      return sender.send(.answer(id: id, .failure(error)))
    }
    sender.send(.answer(id: id, .resolved(resolved)))
    for await _ in rest {}
    if cameras[number]?.stream == stream { cameras[number]?.stream = nil }
    sender.endStream(stream)
  }

  private func lease(
    _ frame: UInt64, of number: Int, stream: Int, answering id: UInt64
  ) async {
    guard let open = cameras[number], open.stream == stream,
      let lease = await open.camera.lease(frame), cameras[number]?.stream == stream
    else { return sender.send(.answer(id: id, .noLease)) }
    let token = nextLease
    nextLease += 1
    leases[token] = lease
    sender.send(lease, number: token, answering: id, stream: stream)
  }
}

extension HostSocket {
  /// The descriptor of the socket in a hosted process.
  package static let inherited: Int32 = 3
}

extension CameraHostServer {
  /// Runs the camera process: confines it, serves the cameras and ends with the service.
  ///
  /// Must be called first in `main`, on its thread, before any other thread is started; see
  /// ``Confinement/apply()``.
  ///
  /// - Parameters:
  ///   - arguments: the arguments with which the program does the same, the name first.
  ///   - logger: the logger, which writes to standard error, which is the service's.
  ///   - system: a closure that makes the cameras after the confinement.
  package static func serve(
    arguments: [String] = CommandLine.arguments, logger: Logger,
    system: @Sendable @escaping () -> any CameraSystem
  ) -> Never {
    ChildEndSignal.block()
    let confinement = Confinement.apply(arguments: arguments)
    // The process was started as /proc/self/exe, which gives no useful name.
    _ = CHostCalls_setName(HostLaunch.cameraProcessName)
    Task {
      await CameraHostServer(system: system(), confinement: confinement, logger: logger).run()
    }
    // dispatchMain() would end this thread and run libraries' destructors for its variables. In a copy,
    // this thread must wait for no lock: Swift and Dispatch still know it by its number in the service.
    while true { pause() }
  }
}
