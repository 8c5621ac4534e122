package import Devices
package import Logging
import Glibc
import Synchronization

/// The cameras of another camera system, which runs in its own process.
///
/// libcamera can abort its process or never return when a camera is lost. So libcamera runs in a
/// process that may be lost too. ``prepare()`` or the first call starts the process, and the next
/// call restarts it after it has ended for any reason. Each call has a deadline, after which the
/// process is killed. Frames are file descriptors that are mapped here. No pixel is copied, and
/// leases stay readable when the process is gone.
package actor HostedCameraSystem: CameraSystem {
  /// A search for a camera's user besides some processes; see ``CameraNodes/holder(besides:in:)``.
  package typealias FindHolder = @Sendable (_ besides: Set<Int32>) -> CameraHolder?

  private struct Record {
    var lastEnd: HostEnd?
    var startCount = 0
    var processID: Int32?
    var confinement: Confinement?
  }

  private let launch: HostLaunch
  private let prepared: PreparedProcess?
  private let deadlines: HostDeadlines
  private let clock: any MonotonicClock
  private let logger: Logger
  private let findHolder: FindHolder?
  private let findUser: FindHolder?
  private let record = Mutex(Record())
  private var connection: HostConnection?
  private var starting: Task<Result<HostConnection, DeviceError>, Never>?

  /// Makes a system without starting its process.
  ///
  /// - Parameters:
  ///   - launch: the launch of the process, which must run a ``CameraHostServer``.
  ///   - prepared: a process that does the same as soon as it gets the launch's arguments. The first
  ///     process is this one.
  ///   - deadlines: the time limits of calls.
  ///   - clock: the clock of the deadlines.
  ///   - findHolder: the search for other users of the cameras; `nil` where it is impossible.
  ///   - findUser: the search for the likely user of a busy camera that no process has marked as in
  ///     use; `nil` where it is impossible.
  ///   - logger: the logger of the process's ends.
  package init(
    launch: HostLaunch, prepared: PreparedProcess? = nil,
    deadlines: HostDeadlines = HostDeadlines(),
    clock: any MonotonicClock = SystemMonotonicClock(), findHolder: FindHolder? = nil,
    findUser: FindHolder? = nil, logger: Logger
  ) {
    self.launch = launch
    self.prepared = prepared
    self.deadlines = deadlines
    self.clock = clock
    self.findHolder = findHolder
    self.findUser = findUser
    self.logger = logger
  }

  deinit {
    connection?.letGo()
  }

  /// The time in which this side has any call return, without the duration of a frame.
  package nonisolated var longestCall: Duration { deadlines.longestCall }

  /// The last end of the process that was not orderly; `nil` when there was none.
  package nonisolated var lastEnd: HostEnd? { record.withLock { $0.lastEnd } }

  /// The number of starts of the process.
  package nonisolated var startCount: Int { record.withLock { $0.startCount } }

  /// The number of the running process; `nil` when none runs.
  package nonisolated var processID: Int32? { record.withLock { $0.processID } }

  /// The rights that the newest process has given up; `nil` before the first one.
  package nonisolated var confinement: Confinement? { record.withLock { $0.confinement } }

  /// Starts the process and has it list the cameras, which loads and starts their library.
  package func prepare() async {
    _ = try? await call(.cameras, of: "cameras")
  }

  /// Lists the cameras, in the order of their IDs.
  ///
  /// - Throws: ``Devices/DeviceError``: `busy` when no camera is listed and another process uses
  ///   one, `permissionDenied`, `timedOut` or `inputOutput` when the process failed.
  package func cameras() async throws(DeviceError) -> [CameraDescription] {
    let outcome = try await call(.cameras, of: "cameras")
    guard case .answer(.cameras(let cameras)) = outcome.0 else {
      throw outcome.1.error(of: outcome.0, device: "cameras")
    }
    if cameras.isEmpty, let holder = holder() {
      throw DeviceError(
        .busy, device: holder.node, problem: "is in use, and no camera is listed",
        cause: holder.description)
    }
    return cameras
  }

  /// Opens a camera for this system alone.
  ///
  /// - Throws: ``Devices/DeviceError``: `absent`, `busy` (the cause names the other process if it
  ///   is found), `permissionDenied`, `timedOut` or `inputOutput` when the process failed.
  package func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera {
    let (opened, place) = try await place(of: id)
    return HostedCamera(
      identity: opened.identity, place: place, capabilities: opened.capabilities, system: self)
  }

  /// Opens a camera in the running process or in a new one.
  func place(
    of id: CameraDescription.ID
  ) async throws(DeviceError) -> (opened: HostedIdentity, place: HostedCamera.Place) {
    let (outcome, connection) = try await call(.open(id: id), of: id)
    guard case .answer(.opened(let number, let opened)) = outcome else {
      throw named(connection.error(of: outcome, device: id))
    }
    return (opened, HostedCamera.Place(number: number, connection: connection))
  }

  /// Ends the process in an orderly way; all cameras must be closed before.
  ///
  /// The next call starts it again.
  package func shutDown() async {
    guard let connection else { return }
    self.connection = nil
    if connection.isUsable { _ = await connection.call(.shutDown, of: "cameras") }
    connection.letGo()
    _ = await connection.hasEnded(within: deadlines.end)
  }

  /// Kills the process; all cameras must be reopened.
  ///
  /// The next call starts it again.
  package func restart() async {
    guard let connection else { return }
    connection.finish(.restarted)
    _ = await connection.hasEnded(within: deadlines.end)
  }

  private nonisolated func holder() -> CameraHolder? {
    // The service's own process and its camera process do not count as others.
    findHolder?([getpid(), processID ?? 0])
  }

  /// Adds the process that has the camera to an error, if it matters and can be found.
  ///
  /// The error of a missing camera stays `absent`. The user of another camera is no proof, but is
  /// worth a hint.
  nonisolated func named(_ error: DeviceError) -> DeviceError {
    switch error.code {
    case .busy:
      guard let user = holder() ?? findUser?([getpid(), processID ?? 0]) else { return error }
      return DeviceError(
        .busy, device: error.device, problem: error.problem, cause: user.description)
    case .absent:
      guard let holder = holder() else { return error }
      let cause = (error.cause.map { "\($0); " } ?? "") + "\(holder), which may be the reason"
      return DeviceError(.absent, device: error.device, problem: error.problem, cause: cause)
    default: return error
    }
  }

  /// Makes a call of the system, and retries in a new process if the library needs one.
  private func call(
    _ call: HostCall, of device: String
  ) async throws(DeviceError) -> (HostConnection.Outcome, HostConnection) {
    let connection = try await host()
    let outcome = await connection.call(call, of: device)
    guard case .answer(.failure(let error)) = outcome, error.code == .needsNewProcess else {
      return (outcome, connection)
    }
    connection.finish(.used(error))
    let fresh = try await host()
    return (await fresh.call(call, of: device), fresh)
  }

  /// Returns the running process or a new one.
  private func host() async throws(DeviceError) -> HostConnection {
    if let connection, connection.isUsable { return connection }
    if let starting { return try await starting.value.get() }
    let task = Task { await start(after: connection) }
    starting = task
    let result = await task.value
    starting = nil
    // A process that cannot be replaced is kept: it has the camera, and later calls wait for it
    // again.
    let started = try result.get()
    connection = started
    return started
  }

  private func start(
    after old: HostConnection?
  ) async -> Result<HostConnection, DeviceError> {
    if let old {
      // The old process may still have the camera.
      guard await old.hasEnded(within: deadlines.end) else {
        return .failure(
          DeviceError(
            .timedOut, device: "camera process \(old.processID)", problem: "cannot be replaced",
            cause: "it has been killed and hangs in the kernel"))
      }
    }
    do throws(DeviceError) {
      let connection = try await HostConnection.start(
        launch, prepared: prepared, deadlines: deadlines, clock: clock, logger: logger,
        whenEnded: { [weak self, logger] end in
          self?.note(end)
          if !end.isInOrder {
            logger.log(
              level: end.cause == .restarted ? .notice : .error, "the camera process ended",
              metadata: ["cause": "\(end)"])
          }
        })
      record.withLock { record in
        record.startCount += 1
        record.processID = connection.processID
        record.confinement = connection.greeting?.confinement
      }
      // The process may have ended before its number was noted.
      if let end = connection.end { note(end) }
      logger.info(
        "the camera process runs",
        metadata: [
          "process.id": "\(connection.processID)",
          "process.confinement": "\(connection.greeting?.confinement.description ?? "")",
        ])
      return .success(connection)
    } catch {
      return .failure(error)
    }
  }

  private nonisolated func note(_ end: HostEnd) {
    record.withLock { record in
      if record.processID == end.processID { record.processID = nil }
      if !end.isInOrder { record.lastEnd = end }
    }
  }
}
