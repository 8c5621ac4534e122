import Digests

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Copies the pictures of a spool to another directory without its index, while nobody has it open:
/// for saving them from a disk on which no service starts any more.
///
/// Only the files are read, and nothing in the spool is changed or taken. Which pictures were
/// delivered already the index alone knows; most of those have no file any more.
public struct SpoolSalvage: Sendable {
  /// A picture, and what became of it.
  public struct Copy: Sendable, Hashable {
    /// What became of it.
    public enum Outcome: Sendable, Hashable {
      /// It was copied, and is what its sidecar says.
      case copied
      /// It was copied, and there is no sidecar that says what it should be.
      case unchecked
      /// It was copied, but its sidecar does not say what it should be: a clause that says why, the
      /// path quoted.
      case doubtful(String)
      /// It was there already.
      case present
      /// It was not copied: a clause that says why, the path quoted.
      case failed(String)
    }

    /// The picture's file name, or the path of a directory that cannot be listed.
    public let name: String
    /// How many bytes the copy has; 0 when there is none.
    public let bytes: Int64
    /// What became of it.
    public let outcome: Outcome
  }

  /// A picture's file.
  private struct Picture {
    let id: ItemID
    let fileExtension: String
  }

  /// What lies beside a picture.
  private struct Notes {
    /// The sidecar's bytes; `nil` when there is none, or it cannot be read.
    var bytes: [UInt8]?
    /// What it says; `nil` when it does not describe the picture.
    var sidecar: Sidecar?
    /// What is wrong with it: a clause, the path quoted.
    var problem: String?
  }

  private let layout: SpoolLayout
  private let files: any FileSystem

  /// Makes a salvage; nothing is read yet.
  ///
  /// - Parameter directory: the spool's directory.
  public init(directory: String) { self.init(directory: directory, files: KernelFileSystem()) }

  init(directory: String, files: any FileSystem) {
    layout = SpoolLayout(root: directory)
    self.files = files
  }

  /// Copies every picture that lies in its place, the oldest first, each with its sidecar beside it
  /// and both on stable storage; blocks on the disks.
  ///
  /// One that cannot be copied does not end it. What is in the other directory is left alone.
  ///
  /// - Parameters:
  ///   - target: the other directory, which has to exist.
  ///   - note: called for each picture.
  /// - Throws: ``SpoolError``, code `unusable`, when one of the directories cannot be used, and
  ///   what `note` throws.
  public func copyAll(to target: String, note: (Copy) throws -> Void) throws {
    try requireDirectories(target)
    var pictures: [Picture] = []
    for shard in SpoolLayout.shards {
      let directory = layout.items + "/" + shard
      do throws(SystemError) {
        pictures += try files.list(directory).compactMap { name -> Picture? in
          guard case .image(let id, let fileExtension) = SpoolLayout.name(name, in: shard)
          else { return nil }
          return Picture(id: id, fileExtension: fileExtension)
        }
      } catch  where error.number == ENOENT {
        continue
      } catch {
        try note(Copy(name: directory, bytes: 0, outcome: .failed(Self.clause(error))))
      }
    }
    pictures.sort { ($0.id.boot, $0.id.sequence) < ($1.id.boot, $1.id.sequence) }
    for picture in pictures {
      if let result = copy(picture, to: target) { try note(result) }
    }
  }

  /// Whatever keeps all pictures from being copied is said once.
  private func requireDirectories(_ target: String) throws(SpoolError) {
    do throws(SystemError) {
      _ = try files.list(layout.items)
      try files.syncDirectory(target)
    } catch {
      throw SpoolError(.unusable, error.path, error.call.problem, cause: error.message)
    }
    guard access(target, W_OK) == 0 else {
      let cause = String(cString: strerror(errno))
      throw SpoolError(.unusable, target, "cannot be written to", cause: cause)
    }
  }

  /// Copies one picture; `nil` for one that is gone, for a service may have come back meanwhile.
  private func copy(_ picture: Picture, to target: String) -> Copy? {
    let name = SpoolLayout.imageName(picture.id, picture.fileExtension)
    let source = layout.image(picture.id, picture.fileExtension)
    let part = target + "/." + name + ".part"
    do throws(SystemError) {
      let notes = notes(on: picture)
      let expected = notes.sidecar.flatMap { [UInt8](hexadecimal: $0.sha256) }
      if let status = try files.status(target + "/" + name) {
        let there = try files.hashFile(target + "/" + name, expecting: status.size)
        let wanted =
          if let expected {
            expected
          } else {
            try files.hashFile(source, expecting: status.size).sha256
          }
        return Copy(
          name: name, bytes: there.bytes,
          outcome: there.sha256 == wanted
            ? .present : .failed("\"\(target)/\(name)\" is another file of that name"))
      }
      if try files.status(part) != nil { try files.unlink(part) }
      let copied = try files.copyFile(source, to: part)
      guard copied.sha256 == expected ?? copied.sha256 else {
        try files.unlink(part)
        return Copy(
          name: name, bytes: 0,
          outcome: .failed(
            "\"\(source)\" is damaged: its SHA-256 is \(copied.sha256.hexadecimal) instead of "
              + "\(notes.sidecar?.sha256 ?? "unknown")"))
      }
      if let bytes = notes.bytes {
        try files.replaceFile(SpoolLayout.sidecarName(picture.id), in: target, bytes)
      }
      try files.rename(part, to: target + "/" + name)
      try files.syncDirectory(target)
      let unproven = notes.problem.map { Copy.Outcome.doubtful($0) } ?? .unchecked
      return Copy(
        name: name, bytes: copied.bytes, outcome: expected == nil ? unproven : .copied)
    } catch {
      try? files.unlink(part)
      if error.number == ENOENT, error.path == source { return nil }
      return Copy(name: name, bytes: 0, outcome: .failed(Self.clause(error)))
    }
  }

  /// Reads a picture's sidecar; only one that is not there is none.
  private func notes(on picture: Picture) -> Notes {
    let path = layout.sidecar(picture.id)
    do throws(SystemError) {
      let bytes = try files.readFile(path, limit: Sidecar.maximumBytes)
      let sidecar = Sidecar.decode(bytes, id: picture.id)
      guard let sidecar, sidecar.fileExtension == picture.fileExtension else {
        return Notes(bytes: bytes, problem: "\"\(path)\" does not describe the picture")
      }
      return Notes(bytes: bytes, sidecar: sidecar)
    } catch  where error.number == ENOENT {
      return Notes()
    } catch {
      return Notes(problem: Self.clause(error))
    }
  }

  private static func clause(_ error: SystemError) -> String {
    "\"\(error.path)\" \(error.call.problem): \(error.message)"
  }
}
