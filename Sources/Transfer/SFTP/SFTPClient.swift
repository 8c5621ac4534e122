package import Devices

/// An SFTP client over libcurl with one kept connection and one request at a time.
///
/// Requests of several tasks wait for each other. The blocking work runs on the client's own
/// thread. Canceling the waiting task ends a running transfer at once, with
/// ``TransferError/Code/cancelled``.
package actor SFTPClient: TransferClient {
  /// A function that takes a piece of a file on the client's thread.
  ///
  /// The bytes are valid during the call only. Returning `false` ends the transfer, which then
  /// counts as complete.
  package typealias BodyReader = @Sendable (UnsafeRawBufferPointer) -> Bool

  /// The preference of tasks that run on the client's own thread beside its requests.
  package nonisolated let tasks: ActorTasks
  private let executor = DispatchQueueExecutor(label: "transfer.sftp")
  private let handles = CurlHandles()

  /// The executor of the client's own thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Creates a client without connecting.
  package init() {
    tasks = ActorTasks(on: executor, runsOnLentThreads: false)
  }

  /// Writes a local file to the request's URL, in place of an earlier one.
  ///
  /// Missing directories are made. A transfer that fails may leave a part of the file.
  ///
  /// - Throws: ``TransferError``.
  package func upload(_ path: String, _ request: SFTPRequest) async throws(TransferError) {
    _ = try await run(request, .upload(path: path))
  }

  /// Reads the file at the request's URL and passes on its bytes as they arrive.
  ///
  /// - Throws: ``TransferError``, with ``TransferError/Code/noSuchFile`` when there is no file.
  package func read(
    _ request: SFTPRequest, onBody: @escaping BodyReader
  ) async throws(TransferError) {
    do {
      _ = try await run(request, .read(onBody))
    } catch {
      // An empty file may look like a broken connection.
      guard error.code == .receiveFailed, (try? await size(request)) == 0 else { throw error }
    }
  }

  /// Returns the size of the file at the request's URL, in bytes.
  ///
  /// - Throws: ``TransferError``, with ``TransferError/Code/noSuchFile`` when there is no file.
  package func size(_ request: SFTPRequest) async throws(TransferError) -> Int64 {
    // libcurl reports the size of an empty file as unknown.
    max(0, try await run(request, .size).byteCount)
  }

  /// Carries out a command; the request's URL must end in a slash.
  ///
  /// - Throws: ``TransferError``, with ``TransferError/Code/commandRefused`` when the server
  ///   refuses the command without a reason.
  package func perform(
    _ command: SFTPCommand, _ request: SFTPRequest
  ) async throws(TransferError) {
    _ = try await run(request, .command(command))
  }

  /// Returns the free bytes of the file system that holds a path; `nil` when they are unknown.
  ///
  /// Servers other than OpenSSH may not know this extension of the protocol.
  ///
  /// - Throws: ``TransferError``.
  package func freeBytes(
    _ path: String, _ request: SFTPRequest
  ) async throws(TransferError) -> Int64? {
    SFTPCommand.freeBytes(in: try await run(request, .command(.freeSpace(path))).text)
  }

  private func run(
    _ request: SFTPRequest, _ action: SFTPExchange.Action
  ) async throws(TransferError) -> SFTPExchange.Answer {
    let handles = handles
    let result: Result<SFTPExchange.Answer, TransferError> = await withTaskCancellationHandler {
      withBrokenPipeSignalBlocked {
        Result { () throws(TransferError) in
          try SFTPExchange(request, action).run(on: handles)
        }
      }
    } onCancel: {
      handles.wake()
    }
    return try result.get()
  }
}
