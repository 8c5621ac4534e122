public import Devices
public import Logging
import Glibc
import Synchronization

/// The cameras of another camera system, which runs in a process of its own.
///
/// libcamera can abort its process or never return when a camera is lost; so it is given a process
/// that may be lost, too. The process is started by the first call, and again by the next call when
/// it has ended, for whatever reason. Each call has a deadline: when it does not return in time the
/// process is killed. Frames are file descriptors that are mapped here; no pixel is copied, and
/// leases stay readable when the process is gone.
public actor HostedCameraSystem: CameraSystem {
  /// Who uses a camera besides the processes given; see ``CameraNodes/holder(besides:)``.
  public typealias FindHolder = @Sendable (_ besides: Set<Int32>) -> CameraHolder?

  private struct Record {
    var lastEnd: HostEnd?
    var startCount = 0
    var processID: Int32?
  }

  private let launch: HostLaunch
  private let deadlines: HostDeadlines
  private let clock: any MonotonicClock
  private let logger: Logger
  private let findHolder: FindHolder?
  private let findUser: FindHolder?
  private let record = Mutex(Record())
  private var connection: HostConnection?
  private var starting: Task<Result<HostConnection, DeviceError>, Never>?

  /// Makes a system; the process is started by the first call.
  ///
  /// - Parameters:
  ///   - launch: how the process is started; it must run a ``CameraHostServer``.
  ///   - deadlines: how long its calls may take.
  ///   - clock: what the deadlines are measured by.
  ///   - findHolder: finds out who else uses the cameras; `nil` where nobody can.
  ///   - findUser: finds out who may be the one when a camera is busy that nobody has marked as in
  ///     use; `nil` where nobody can.
  ///   - logger: where ends of the process are told.
  public init(
    launch: HostLaunch, deadlines: HostDeadlines = HostDeadlines(),
    clock: any MonotonicClock = SystemMonotonicClock(), findHolder: FindHolder? = nil,
    findUser: FindHolder? = nil, logger: Logger
  ) {
    self.launch = launch
    self.deadlines = deadlines
    self.clock = clock
    self.findHolder = findHolder
    self.findUser = findUser
    self.logger = logger
  }

  deinit {
    connection?.letGo()
  }

  /// Within which any call returns, besides the duration of a frame: this side sees to that.
  public nonisolated var longestCall: Duration { deadlines.longestCall }

  /// How the process ended the last time that it did not end in order; `nil` when it never did.
  public nonisolated var lastEnd: HostEnd? { record.withLock { $0.lastEnd } }

  /// How often the process has been started.
  public nonisolated var startCount: Int { record.withLock { $0.startCount } }

  /// The number of the process that runs; `nil` when none does.
  public nonisolated var processID: Int32? { record.withLock { $0.processID } }

  /// Lists the cameras, in the order of their IDs.
  ///
  /// - Throws: ``Devices/DeviceError``: `busy` when there are none because another process uses
  ///   them, `permissionDenied`, `timedOut` or `inputOutput` when the process failed.
  public func cameras() async throws(DeviceError) -> [CameraDescription] {
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
  /// - Throws: ``Devices/DeviceError``: `absent`, `busy` (the cause names the other process where it
  ///   can be found out), `permissionDenied`, `timedOut` or `inputOutput` when the process failed.
  public func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera {
    let (opened, place) = try await place(of: id)
    return HostedCamera(
      identity: opened.identity, place: place, capabilities: opened.capabilities, system: self)
  }

  /// Opens a camera in the process that runs, or in a new one.
  func place(
    of id: CameraDescription.ID
  ) async throws(DeviceError) -> (opened: HostedIdentity, place: HostedCamera.Place) {
    let (outcome, connection) = try await call(.open(id: id), of: id)
    guard case .answer(.opened(let number, let opened)) = outcome else {
      throw named(connection.error(of: outcome, device: id))
    }
    return (opened, HostedCamera.Place(number: number, connection: connection))
  }

  /// Ends the process in order; all cameras must be closed before.
  ///
  /// The next call starts it again.
  public func shutDown() async {
    guard let connection else { return }
    self.connection = nil
    if connection.isUsable { _ = await connection.call(.shutDown, of: "cameras") }
    connection.letGo()
    _ = await connection.hasEnded(within: deadlines.end)
  }

  /// Kills the process; all cameras must be opened anew.
  ///
  /// The next call starts it again.
  public func startAnew() async {
    guard let connection else { return }
    connection.finish(.startedAnew)
    _ = await connection.hasEnded(within: deadlines.end)
  }

  private nonisolated func holder() -> CameraHolder? {
    // This process, and the one that it has started, are no others.
    findHolder?([getpid(), processID ?? 0])
  }

  /// An error that names who has the camera, when that is the matter and can be found out.
  ///
  /// A camera that is not there stays absent: who uses another camera is no proof, but worth saying.
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

  /// Makes a call of the system, once more in a new process when the old one is used up.
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

  /// The process that runs, or a new one.
  private func host() async throws(DeviceError) -> HostConnection {
    if let connection, connection.isUsable { return connection }
    if let starting { return try await starting.value.get() }
    let task = Task { await start(after: connection) }
    starting = task
    let result = await task.value
    starting = nil
    // One that cannot be replaced is not forgotten: it has the camera, and is waited for again.
    let started = try result.get()
    connection = started
    return started
  }

  private func start(
    after old: HostConnection?
  ) async -> Result<HostConnection, DeviceError> {
    if let old {
      // It may have the camera still.
      guard await old.hasEnded(within: deadlines.end) else {
        return .failure(
          DeviceError(
            .timedOut, device: "camera process \(old.processID)", problem: "cannot be replaced",
            cause: "it has been killed and hangs in the kernel"))
      }
    }
    do throws(DeviceError) {
      let connection = try await HostConnection.start(
        launch, deadlines: deadlines, clock: clock, logger: logger,
        whenEnded: { [weak self, logger] end in
          self?.note(end)
          if !end.isInOrder {
            logger.log(
              level: end.cause == .startedAnew ? .notice : .error, "the camera process ended",
              metadata: ["cause": "\(end)"])
          }
        })
      record.withLock { record in
        record.startCount += 1
        record.processID = connection.processID
      }
      // It may have ended before its number was noted.
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
