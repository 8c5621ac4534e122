import Digests
import Foundation

/// The file `<id>.json` beside each image, with enough data to rebuild the item's row.
///
/// The files are the truth and the database an index of them.
struct Sidecar: Hashable, Codable {
  /// The version of the format; a sidecar of another version is kept, but not understood.
  static let currentSchema = 1
  /// The maximum length of a sidecar; a longer file is not the spool's.
  static let maximumBytes = 1 << 16
  /// The maximum length of a picture, because the lengths of all pictures are added up.
  static let maximumImageBytes: Int64 = 1 << 40

  var schema: Int
  var id: ItemID
  var fileExtension: String
  var bytes: Int64
  /// The SHA-256 as 64 hexadecimal digits.
  var sha256: String
  var remoteName: String
  var targets: [TargetID]
  var metadata: ItemMetadata

  func encoded() throws -> [UInt8] {
    Array(try SpoolJSON.encode(self))
  }

  /// Reads a sidecar; `nil` unless the sidecar is whole and describes this item.
  ///
  /// A repeated target is read once.
  static func decode(_ bytes: [UInt8], id: ItemID) -> Sidecar? {
    guard var sidecar = try? JSONDecoder().decode(Sidecar.self, from: Data(bytes)),
      sidecar.schema == currentSchema, sidecar.id == id,
      (1...maximumImageBytes).contains(sidecar.bytes),
      RemoteName.isValidFileExtension(sidecar.fileExtension), !sidecar.targets.isEmpty,
      [UInt8](hexadecimal: sidecar.sha256)?.count == 32
    else { return nil }
    var seen: Set<TargetID> = []
    sidecar.targets = sidecar.targets.filter { seen.insert($0).inserted }
    return sidecar
  }
}

/// The JSON of the spool: the same value always gives the same bytes.
enum SpoolJSON {
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  static func text(_ value: some Encodable) throws -> String {
    String(decoding: try encode(value), as: UTF8.self)
  }

  /// Replaces a file durably; see ``FileSystem/replaceFile(_:in:_:)``.
  static func write(
    _ value: some Encodable, to name: String, in directory: String, _ files: any FileSystem
  ) throws(SpoolError) {
    do {
      try files.replaceFile(name, in: directory, Array(encode(value)))
    } catch let error as FileSystemError {
      throw SpoolError(writing: error)
    } catch {
      throw SpoolError(.failed, name, "cannot be encoded", cause: "\(error)")
    }
  }

  static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
