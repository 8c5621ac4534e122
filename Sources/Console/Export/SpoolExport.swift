package import API
import Devices
import Digests
import Foundation
import Synchronization

/// A copier of pictures from a rig's spool to a directory, which verifies each SHA-256.
///
/// A picture is written as `<id>.<extension>`, and its metadata beside it as `<id>.json`. A picture
/// counts once both are on stable storage. An equal file in the directory is left unchanged. A proxy
/// is written as `<id>-proxy.<extension>`, because the final picture has the same ID.
package struct SpoolExport: Sendable {
  /// The outcome for a picture.
  package enum Outcome: Sendable, Hashable {
    /// The picture was copied.
    case copied
    /// The picture was there already.
    case present
    /// The picture has no file in the spool; the state tells why.
    case withoutFile(state: String)
  }

  /// The reason why a picture could not be copied.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    let path: String
    var problem = "cannot be copied"
    let cause: String

    /// A sentence that quotes the file and ends with the cause.
    package var description: String { "\"\(path)\" \(problem): \(cause)." }
  }

  private let client: RigClient
  private let directory: String

  /// Creates an export without writing anything.
  ///
  /// - Parameter directory: an existing directory.
  package init(_ client: RigClient, to directory: String) {
    self.client = client
    self.directory = directory
  }

  /// The outcome for many pictures.
  package struct Summary: Sendable, Hashable {
    /// The number of copied pictures.
    package var copied = 0
    /// The number of pictures that were there already.
    package var present = 0
    /// The number of pictures that could not be copied.
    package var failed = 0
  }

  /// Copies all waiting pictures and continues after a picture that cannot be copied.
  ///
  /// - Parameters:
  ///   - advance: a function called after each picture with the total bytes so far.
  ///   - complain: a function called for each picture that could not be copied.
  /// - Throws: ``Failure`` when the directory cannot be used, ``RigClientError`` when the rig does
  ///   not answer. A picture delivered meanwhile is no error.
  package func copyAll(
    advance: (Int64) -> Void = { _ in }, complain: (Failure) -> Void
  ) async throws -> Summary {
    try requireDirectory()
    var result = Summary()
    var bytes: Int64 = 0
    var before: String?
    repeat {
      let list = try await client.call(
        Operations.spoolItems,
        SpoolItemFilter(
          state: .waiting, limit: 100, before: before))
      for item in list.items {
        defer {
          bytes += item.bytes
          advance(bytes)
        }
        do {
          switch try await copy(item) {
          case .copied: result.copied += 1
          case .present: result.present += 1
          case .withoutFile: break
          }
        } catch let failure as Failure {
          complain(failure)
          result.failed += 1
        } catch let error as RigClientError {
          // The file is missing or unreadable, the picture was delivered meanwhile, or the rig does
          // not answer at all.
          let now = try await client.call(Operations.spoolItem, SpoolItemReference(item.id))
          guard Self.waits(now) else { continue }
          complain(Failure(path: item.path, cause: "\(error)"))
          result.failed += 1
        }
      }
      before = list.next
    } while before != nil
    return result
  }

  /// Checks the directory once, because its problems affect every picture.
  private func requireDirectory() throws(Failure) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let isUsable = descriptor >= 0 && access(directory, W_OK) == 0
    let cause = SystemError.last.description
    if descriptor >= 0 { close(descriptor) }
    guard isUsable else {
      throw Failure(path: directory, problem: "cannot be written to", cause: cause)
    }
  }

  /// Copies a picture.
  ///
  /// - Throws: ``Failure`` or ``RigClientError``.
  package func copy(_ item: SpoolItemReport) async throws -> Outcome {
    guard Self.waits(item) else {
      return .withoutFile(state: item.state.rawValue)
    }
    var name = item.path.split(separator: "/").last.map(String.init) ?? item.id
    if item.isProxy == true, let dot = name.lastIndex(of: ".") {
      name.insert(contentsOf: "-proxy", at: dot)
    }
    guard !name.hasPrefix("."), !item.id.contains("/") else {
      throw Failure(path: name, cause: "that is no name of a picture")
    }
    let path = directory + "/" + name
    if FileManager.default.fileExists(atPath: path) {
      guard try Self.digest(ofFile: path) == item.sha256 else {
        throw Failure(path: path, cause: "another file has that name")
      }
      return .present
    }
    let part = directory + "/." + name + ".part"
    try? FileManager.default.removeItem(atPath: part)
    do {
      let digest = try await receive(item, as: part)
      guard digest == item.sha256 else {
        throw Failure(
          path: path, cause: "what came has the SHA-256 \(digest) instead of \(item.sha256)")
      }
      try write(APICoding.encode(item, isPretty: true), as: directory + "/\(item.id).json")
      guard rename(part, path) == 0 else { throw Self.failure(path) }
      try Self.sync(directory, flags: O_RDONLY | O_DIRECTORY)
    } catch {
      try? FileManager.default.removeItem(atPath: part)
      throw error
    }
    return .copied
  }

  private static func waits(_ item: SpoolItemReport) -> Bool {
    switch item.state.value {
    case .stored, .delivering, .parked: true
    case .delivered, .purged, .quarantined, .evicted, nil: false
    }
  }

  /// Writes a picture's bytes to a new file on stable storage.
  ///
  /// - Returns: the SHA-256 of the bytes in hexadecimal digits.
  private func receive(_ item: SpoolItemReport, as part: String) async throws -> String {
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw Self.failure(part) }
    defer { close(descriptor) }
    let state = Mutex((digest: Digest(.sha256), number: Int32(0)))
    try await client.spoolImage(SpoolItemReference(item.id)) { bytes in
      state.withLock { state in
        state.digest.update(bytes.bytes)
        do throws(SystemError) {
          try SystemCalls.write(bytes.bytes, to: descriptor)
          return true
        } catch {
          state.number = error.number
          return false
        }
      }
    }
    let (sha256, number) = state.withLock { ($0.digest.value.hexadecimal, $0.number) }
    guard number == 0 else { throw Failure(path: part, cause: SystemError(number).description) }
    guard fsync(descriptor) == 0 else { throw Self.failure(part) }
    return sha256
  }

  private func write(_ bytes: [UInt8], as path: String) throws {
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw Failure(path: path, cause: error.localizedDescription)
    }
    try Self.sync(path, flags: O_RDONLY)
  }

  private static func sync(_ path: String, flags: Int32) throws(Failure) {
    let descriptor = open(path, flags | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(path) }
  }

  private static func digest(ofFile path: String) throws -> String {
    guard let handle = FileHandle(forReadingAtPath: path) else { throw failure(path) }
    defer { try? handle.close() }
    let digest = Digest(.sha256)
    do {
      while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
        piece.withUnsafeBytes { digest.update($0.bytes) }
      }
    } catch {
      throw Failure(path: path, cause: error.localizedDescription)
    }
    return digest.value.hexadecimal
  }

  private static func failure(_ path: String) -> Failure {
    Failure(path: path, cause: SystemError.last.description)
  }
}
