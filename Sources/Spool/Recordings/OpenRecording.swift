import Foundation

/// A recording that has its place in the spool, and is no item yet.
package struct OpenRecording: Sendable, Hashable {
  /// The ID that the item will have.
  package let id: ItemID
  /// The path of the file, which exists and is empty at first.
  ///
  /// A recorder may open the file by its path and cut it off, and gives it no other name.
  package let path: String
}

/// The durable entry beside the file of a recording, which tells what the file is after a crash.
struct RecordingEntry: Hashable, Codable {
  /// The version of the format; an entry of another version is not understood.
  static let currentSchema = 1
  /// The extension of every recording.
  static let fileExtension = "mp4"
  /// The media type of every recording.
  static let mediaType = "video/mp4"

  var schema = RecordingEntry.currentSchema
  var id: ItemID
  /// The facts at the beginning: the press, the time, the camera and the angle.
  ///
  /// Once the recording has ended, these are the facts at the end.
  var metadata: ItemMetadata

  /// Reads the name of a recording's file; `nil` for any other name.
  static func id(ofFile name: String) -> ItemID? { id(of: name, fileExtension) }

  /// Reads the name of a recording's entry; `nil` for any other name.
  static func id(ofEntry name: String) -> ItemID? { id(of: name, "json") }

  private static func id(of name: String, _ fileExtension: String) -> ItemID? {
    guard name.hasSuffix("." + fileExtension),
      let id = ItemID(String(name.dropLast(fileExtension.utf8.count + 1))), id.isCountable
    else { return nil }
    return id
  }

  /// Encodes the entry.
  ///
  /// - Throws: ``SpoolError``, code `invalid`.
  func encoded() throws(SpoolError) -> [UInt8] {
    do {
      return Array(try SpoolJSON.encode(self))
    } catch {
      throw SpoolError(.invalid, id.description, "has metadata that are no JSON", cause: "\(error)")
    }
  }

  /// Reads an entry; `nil` unless the entry is whole and describes this recording.
  static func decode(_ bytes: [UInt8], id: ItemID) -> RecordingEntry? {
    guard let entry = try? JSONDecoder().decode(RecordingEntry.self, from: Data(bytes)),
      entry.schema == currentSchema, entry.id == id, RemoteName.isValidRigID(entry.metadata.rigID)
    else { return nil }
    return entry
  }
}

extension ItemMetadata {
  /// Whether the item is a recording, and no picture.
  package var isRecording: Bool { mediaType == RecordingEntry.mediaType }
}
