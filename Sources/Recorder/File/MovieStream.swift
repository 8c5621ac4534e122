import CFFmpeg
import Devices
import Glibc

/// A movie file as the container library reads and writes it.
///
/// The library goes back in the file only when it closes it: it overwrites a header before it
/// writes the index that the new header needs. A power cut between the two would make the file
/// unplayable. So bytes that replace others are held back, and ``seal()`` writes them when
/// everything else is on stable storage.
final class MovieStream {
  let file: any MovieFile
  /// The number of bytes in the file.
  private(set) var end: Int64 = 0
  /// The first failure of a call.
  private(set) var failure: SystemError?
  private var position: Int64 = 0
  private var held: [(position: Int64, bytes: [UInt8])] = []
  private var context: UnsafeMutablePointer<AVIOContext>?

  init(_ file: any MovieFile) {
    self.file = file
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
        held.append((position, Array(bytes)))
      } else {
        try file.write(bytes, at: position)
      }
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

  /// Writes the held bytes between two synchronizations; the file is playable at any moment.
  func seal() throws(SystemError) {
    try file.synchronize()
    guard !held.isEmpty else { return }
    for (position, bytes) in held {
      let written = bytes.withUnsafeBytes { bytes in
        Result { () throws(SystemError) in try file.write(bytes, at: position) }
      }
      try written.get()
    }
    held = []
    try file.synchronize()
  }
}
