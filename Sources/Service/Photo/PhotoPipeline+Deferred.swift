import Capture
import Devices
import Logging
import RigConfiguration
import Spool

/// Deferred processing: the frame of the press is stored as a proxy, and all frames as its source.
extension PhotoPipeline {
  /// Encodes the frame of a photo as a proxy, while the frames are written to the source.
  ///
  /// - Returns: the proxy; `nil` for a photo whose frames are to be averaged at once. These are a
  ///   photo that is not deferred, and one whose frames find no room or a slow disk.
  func encodeProxy(of photo: CapturedPhoto) async -> Encoded? {
    guard image.isDeferred, !photo.neighbors.isEmpty else { return nil }
    guard pressesToAverage == 0 else {
      pressesToAverage -= 1
      return nil
    }
    let frames = [photo.frame] + photo.neighbors
    var description = describe(photo)
    description.isProxy = true
    var place: PendingSource?
    do {
      let header = try DeferredFrames.header(of: frames, exif: description.exif)
      let source = try await spool.beginSource(byteCount: DeferredFrames.byteCount(of: frames))
      place = source
      async let proxy = encode(description, merged: nil)
      let time = try await spool.write(header, frames, to: source)
      pressesToAverage = DeferralPolicy.pressesToAverage(
        pressesToAverage, afterWriting: source.byteCount, in: time)
      var encoded = try await proxy
      encoded.source = source
      for neighbor in photo.neighbors { neighbor.end() }
      return encoded
    } catch {
      if let place { await spool.discard(place) }
      logger.info(
        "a picture is not deferred, its frames are averaged at once",
        metadata: ["press.number": "\(photo.press.number)", "error": "\(error)"])
      return nil
    }
  }
}
