import CFFmpeg
import Devices
import Glibc
import Recorder

/// A movie file as the container library reads and writes it.
///
/// A file that was cut at any moment has to be playable, in which the library needs help twice:
/// - It refuses a whole file whose last fragment has part of its header only. So a new fragment is
///   first one to be skipped (`free` in place of `moof`).
/// - At the end it overwrites the file's header before it writes the index of the new one.
///
/// The replacing bytes are held back until everything else is on stable storage; see
/// ``MovieFile/seal(_:)``.
final class MovieStream {
  let file: any MovieFile
  /// The number of bytes in the file.
  private(set) var end: Int64
  /// The first failure of a call.
  private(set) var failure: SystemError?
  private var position: Int64 = 0
  private var overwrites: [MovieOverwrite] = []
  private var isAtBox = false
  private var context: UnsafeMutablePointer<AVIOContext>?

  /// Makes a stream at the beginning of a file.
  ///
  /// - Parameter byteCount: the length of a file that is read.
  init(_ file: any MovieFile, byteCount: Int64 = 0) {
    self.file = file
    end = byteCount
  }

  deinit {
    if let context { CFFmpeg_freeIO(context) }
  }

  /// Returns the library's view of the file, which ends with this object.
  ///
  /// - Throws: ``RecorderFailure`` without memory.
  func open(forWriting: Bool) throws(RecorderFailure) -> UnsafeMutablePointer<AVIOContext> {
    let owner = Unmanaged.passUnretained(self).toOpaque()
    context = CFFmpeg_makeIO(
      owner, forWriting ? 1 : 0,
      { owner, bytes, count in
        MovieStream.of(owner)?.read(UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
          ?? CFFmpeg_end()
      },
      { owner, bytes, count in
        MovieStream.of(owner)?.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
          ?? CFFmpeg_end()
      },
      { owner, offset, whence in MovieStream.of(owner)?.seek(offset, whence) ?? -1 })
    guard let context else { throw RecorderFailure("There is no memory for a recording's file.") }
    return context
  }

  private static func of(_ owner: UnsafeMutableRawPointer?) -> MovieStream? {
    owner.map { Unmanaged<MovieStream>.fromOpaque($0).takeUnretainedValue() }
  }

  private func read(_ bytes: UnsafeMutableRawBufferPointer) -> Int32 {
    do throws(SystemError) {
      let count = try file.read(bytes, at: position)
      position += Int64(count)
      return count > 0 ? Int32(count) : CFFmpeg_end()
    } catch {
      return fail(error)
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    if let failure { return CFFmpeg_error(failure.number) }
    do throws(SystemError) {
      if position < end {
        overwrites.append(MovieOverwrite(position: position, bytes: Array(bytes)))
      } else if isAtBox, bytes.dropFirst(4).prefix(4).elementsEqual("moof".utf8) {
        let type = position + 4
        overwrites.append(MovieOverwrite(position: type, bytes: Array("moof".utf8)))
        let concealed = bytes.prefix(4) + Array("free".utf8) + bytes.dropFirst(8)
        try file.write(Array(concealed), at: position)
      } else {
        try file.write(bytes, at: position)
      }
      isAtBox = false
      position += Int64(bytes.count)
      end = max(end, position)
      return Int32(bytes.count)
    } catch {
      return fail(error)
    }
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    switch whence & ~AVSEEK_FORCE {
    case SEEK_SET: position = offset
    case SEEK_CUR: position += offset
    case SEEK_END: position = end + offset
    case AVSEEK_SIZE: return end
    default: return Int64(CFFmpeg_error(EINVAL))
    }
    return position
  }

  private func fail(_ error: SystemError) -> Int32 {
    failure = failure ?? error
    return CFFmpeg_error(error.number)
  }

  /// Notes that the next byte begins a box.
  func beginBox() {
    isAtBox = true
  }

  /// Returns the bytes that are held back, which the caller has to write.
  func takeOverwrites() -> [MovieOverwrite] {
    defer { overwrites = [] }
    return overwrites
  }
}

/// Bytes of a movie's file that replace others.
struct MovieOverwrite: Sendable, Hashable {
  /// The position of the first byte.
  var position: Int64
  /// The new bytes, few.
  var bytes: [UInt8]
}

extension MovieFile {
  /// Makes overwrites between two synchronizations, so that the file is playable at any moment.
  func seal(_ overwrites: [MovieOverwrite]) throws(SystemError) {
    try synchronize()
    guard !overwrites.isEmpty else { return }
    for overwrite in overwrites { try write(overwrite.bytes, at: overwrite.position) }
    try synchronize()
  }

  fileprivate func write(_ bytes: [UInt8], at position: Int64) throws(SystemError) {
    let written = bytes.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in try write(bytes, at: position) }
    }
    try written.get()
  }
}
