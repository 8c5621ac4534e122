import Devices
import Glibc

/// A file outside the spool that has been examined before the spool takes it over.
struct ExaminedFile: Sendable {
  let source: SourceFile
  /// The SHA-256 of a file on the spool's file system, whose data are on stable storage.
  ///
  /// The value is `nil` for any other file, which is hashed as it is copied.
  let sha256: [UInt8]?

  /// Opens a file, and hashes and forces it to stable storage if it can be moved.
  ///
  /// - Throws: ``SpoolError``: `invalid`, `unreadable`, `shortOfResources`; `failed` when the
  ///   spool's own medium fails.
  init(_ path: String, for layout: SpoolLayout, files: any FileSystem) throws(SpoolError) {
    source = try SourceFile(path, outside: layout, files: files)
    let root: FileStatus?
    do throws(FileSystemError) {
      root = try files.status(layout.root)
    } catch {
      throw SpoolError(writing: error)
    }
    guard source.device == root?.identity.device else {
      sha256 = nil
      return
    }
    try source.sync()
    sha256 = try source.hash()
  }
}

/// The actor that reads files, so that the spool can serve other calls meanwhile.
actor SourceReader {
  private let executor = DispatchQueueExecutor(label: "platen.spool.sources")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func examine(
    _ path: String, for layout: SpoolLayout, files: any FileSystem
  ) -> Result<ExaminedFile, SpoolError> {
    do throws(SpoolError) {
      return .success(try ExaminedFile(path, for: layout, files: files))
    } catch {
      return .failure(error)
    }
  }

  /// Returns the damage of an item's image, as ``ItemFiles/damage(_:)`` does.
  func damage(_ row: ItemRow, _ itemFiles: ItemFiles) -> Result<QuarantineReason?, SpoolError> {
    do throws(SpoolError) {
      return .success(try itemFiles.damage(row))
    } catch {
      return .failure(error)
    }
  }

  /// Returns the intact image of an item, as ``ItemFiles/intact(_:among:)`` does.
  func intact(
    _ row: ItemRow, among paths: [String], _ itemFiles: ItemFiles
  ) -> Result<String?, SpoolError> {
    do throws(SpoolError) {
      return .success(try itemFiles.intact(row, among: paths))
    } catch {
      return .failure(error)
    }
  }

  /// Reads the beginning of a file, or the whole file if it is shorter.
  func head(
    _ path: String, byteCount: Int, files: any FileSystem
  ) -> Result<[UInt8], FileSystemError> {
    do throws(FileSystemError) {
      let descriptor = try files.open(path, flags: O_RDONLY | O_NONBLOCK, mode: 0)
      defer { files.close(descriptor) }
      var head: [UInt8] = []
      while head.count < byteCount {
        var buffer = [UInt8](repeating: 0, count: byteCount - head.count)
        let count = try files.readOnce(descriptor, into: &buffer, path: path)
        if count == 0 { break }
        head += buffer[..<count]
      }
      return .success(head)
    } catch {
      return .failure(error)
    }
  }
}
