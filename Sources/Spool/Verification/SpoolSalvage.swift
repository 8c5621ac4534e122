import Devices
import Digests
import Glibc

/// The rescue of a spool's pictures from a disk on which no service starts any more.
///
/// The pictures are copied to another directory without the index, while no process has the spool
/// open. Only the files are read, and nothing in the spool is changed or locked. Only the index
/// knows which pictures were delivered already. Most delivered pictures have no file any more.
package struct SpoolSalvage: Sendable {
  /// The result of one picture's copy.
  package struct Copy: Sendable, Hashable {
    /// The outcome of a copy.
    package enum Outcome: Sendable, Hashable {
      /// The picture was copied and matches its sidecar.
      case copied
      /// The picture was copied, but there is no sidecar to compare it with.
      case unchecked
      /// The picture was copied, but its sidecar is unusable; a clause tells why, the path quoted.
      case doubtful(String)
      /// The same picture was in the other directory already.
      case present
      /// The picture was not copied; a clause tells why, the path quoted.
      case failed(String)
    }

    /// The picture's file name, or the path of a directory that cannot be listed.
    package let name: String
    /// The number of bytes in the copy; 0 when there is none.
    package let bytes: Int64
    /// The outcome of the copy.
    package let outcome: Outcome
  }

  /// A picture's file.
  private struct Picture {
    let id: ItemID
    let fileExtension: String
    let path: String
  }

  /// The sidecar beside a picture, as far as it can be read.
  private struct Notes {
    /// The sidecar's bytes; `nil` when there is none, or it cannot be read.
    var bytes: [UInt8]?
    /// The decoded sidecar; `nil` when it does not describe the picture.
    var sidecar: Sidecar?
    /// The sidecar's problem: a clause, the path quoted.
    var problem: String?
  }

  private let layout: SpoolLayout
  private let files: any FileSystem

  /// Makes a salvage without reading anything yet.
  ///
  /// - Parameter directory: the spool's directory.
  package init(directory: String) { self.init(directory: directory, files: KernelFileSystem()) }

  init(directory: String, files: any FileSystem) {
    layout = SpoolLayout(root: directory)
    self.files = files
  }

  /// Copies every picture that lies in its place, the oldest first, each with its sidecar.
  ///
  /// Recordings that a crash has cut off are copied as they are, without a sidecar.
  /// The copies are on stable storage, and the call blocks on the disks. A picture that cannot be
  /// copied does not end the call. Other files in the other directory are left alone.
  ///
  /// - Parameters:
  ///   - target: the other directory, which must exist.
  ///   - note: a closure that is called for each picture.
  /// - Throws: ``SpoolError``, code `unusable`, when one of the directories cannot be used, and the
  ///   errors of `note`.
  package func copyAll(to target: String, note: (Copy) throws -> Void) throws {
    try requireDirectories(target)
    var pictures: [Picture] = []
    for shard in SpoolLayout.shards {
      let directory = layout.items + "/" + shard
      pictures += try names(in: directory, note).compactMap { name in
        guard case .image(let id, let fileExtension) = SpoolLayout.name(name, in: shard)
        else { return nil }
        return Picture(id: id, fileExtension: fileExtension, path: directory + "/" + name)
      }
    }
    // The recordings that were never stored have no sidecar.
    pictures += try names(in: layout.recordings, note).compactMap { name in
      RecordingEntry.id(ofFile: name).map { id in
        Picture(
          id: id, fileExtension: RecordingEntry.fileExtension, path: layout.recording(id))
      }
    }
    pictures.sort { ($0.id.boot, $0.id.sequence) < ($1.id.boot, $1.id.sequence) }
    for picture in pictures {
      if let result = copy(picture, to: target) { try note(result) }
    }
  }

  /// Lists a directory, which may be missing; any other failure is noted.
  private func names(in directory: String, _ note: (Copy) throws -> Void) throws -> [String] {
    do throws(FileSystemError) {
      return try files.list(directory)
    } catch {
      if error.number != ENOENT {
        try note(Copy(name: directory, bytes: 0, outcome: .failed(Self.clause(error))))
      }
      return []
    }
  }

  /// Checks both directories, so that an obstacle to all copies is reported once.
  private func requireDirectories(_ target: String) throws(SpoolError) {
    do throws(FileSystemError) {
      _ = try files.list(layout.items)
      try files.syncDirectory(target)
    } catch {
      throw SpoolError(.unusable, error.path, error.call.problem, cause: error.message)
    }
    guard access(target, W_OK) == 0 else {
      throw SpoolError(
        .unusable, target, "cannot be written to", cause: SystemError.last.description)
    }
  }

  /// Copies one picture; returns `nil` if it is gone, because a service may have started meanwhile.
  private func copy(_ picture: Picture, to target: String) -> Copy? {
    let name = SpoolLayout.imageName(picture.id, picture.fileExtension)
    let source = picture.path
    let part = target + "/." + name + ".part"
    do throws(FileSystemError) {
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

  /// Reads a picture's sidecar; a failure to read is a problem, but a missing sidecar is none.
  private func notes(on picture: Picture) -> Notes {
    var path = layout.sidecar(picture.id)
    // A final picture moves into its proxy's place before its sidecar does.
    let (image, sidecar) = (layout.finalImage(picture.id), layout.finalSidecar(picture.id))
    if (try? files.status(image)) == nil, (try? files.status(sidecar)) != nil { path = sidecar }
    do throws(FileSystemError) {
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

  private static func clause(_ error: FileSystemError) -> String {
    "\"\(error.path)\" \(error.call.problem): \(error.message)"
  }
}
