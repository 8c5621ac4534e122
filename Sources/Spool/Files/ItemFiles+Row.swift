import Digests
import Glibc

/// The comparison of a row with its files.
extension ItemFiles {
  /// Checks whether the row is wrong before a picture that differs from it is quarantined.
  ///
  /// The files are the truth. If an image matches its sidecar and not its row, the row is damaged
  /// in a way that SQLite does not see.
  ///
  /// - Throws: ``SpoolError``: `indexDamaged`.
  func requireRight(_ row: ItemRow) throws(SpoolError) {
    guard
      let bytes = try? files.readFile(layout.sidecar(row.id), limit: Sidecar.maximumBytes),
      let sidecar = Sidecar.decode(bytes, id: row.id),
      sidecar.fileExtension != row.fileExtension || sidecar.bytes != row.bytes
        || sidecar.sha256 != row.sha256.hexadecimal,
      let image = try? files.hashFile(
        layout.image(row.id, sidecar.fileExtension), expecting: sidecar.bytes),
      image.bytes == sidecar.bytes, image.sha256.hexadecimal == sidecar.sha256
    else { return }
    throw SpoolError(
      .indexDamaged, layout.database, "contradicts itself",
      cause: "the row of \(row.id) does not describe its picture, and the sidecar does")
  }

  /// Returns the damage of an image; `nil` when the image is intact.
  ///
  /// - Complexity: O(bytes): the file is read once.
  func damage(_ row: ItemRow) throws(SpoolError) -> QuarantineReason? {
    let path = layout.image(row.id, row.fileExtension)
    do throws(FileSystemError) {
      guard let status = try files.status(path) else { return .missing }
      guard status.kind == .regular else { return .missing }
      let found = try files.hashFile(path, expecting: status.size)
      return found.bytes == row.bytes && found.sha256 == row.sha256 ? nil : .damaged
    } catch  where error.kind == .noResources {
      throw SpoolError(.shortOfResources, error.path, error.call.problem, cause: error.message)
    } catch  where error.number == ENOENT || error.number == ELOOP {
      return .missing
    } catch {
      return .unreadable
    }
  }

  /// Returns the first of some files that is an item's intact image; `nil` when none is.
  ///
  /// - Complexity: O(bytes): each file of the stored length is read, up to the intact one.
  func intact(_ row: ItemRow, among paths: [String]) throws(SpoolError) -> String? {
    for path in paths where try isIntact(path, row) { return path }
    return nil
  }

  private func isIntact(_ path: String, _ row: ItemRow) throws(SpoolError) -> Bool {
    do throws(FileSystemError) {
      guard let status = try files.status(path), status.kind == .regular, status.size == row.bytes
      else { return false }
      return try files.hashFile(path, expecting: status.size).sha256 == row.sha256
    } catch  where error.kind == .noResources {
      throw SpoolError(.shortOfResources, error.path, error.call.problem, cause: error.message)
    } catch {
      return false
    }
  }
}
