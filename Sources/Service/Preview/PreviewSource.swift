import API
import Devices

/// A source of pictures for the viewers of a preview.
protocol PreviewSource: Sendable {
  /// Returns the numbers of the frames that come from now on; a newer one replaces an unread one.
  func arrivals() async -> AsyncStream<UInt64>

  /// Makes pictures of the newest frame, one for each size.
  ///
  /// - Parameter limits: the most columns and rows of each picture.
  func shot(within limits: Set<FrameSize>) async -> Result<PreviewShot, PreviewShotRefusal>
}

/// Pictures of one frame.
struct PreviewShot: Sendable {
  /// The frame's number.
  var frame: UInt64
  /// The pictures by the limits of their sizes.
  var pictures: [FrameSize: PreviewPicture]
  /// The shortest time from the begin of this shot to that of the next.
  var pause = Duration.zero
}

/// The reason that there are no pictures.
enum PreviewShotRefusal: Error, Sendable, Hashable {
  /// Captures need the frames at this moment.
  case busy(APIError)
  /// No frame comes, or none can be shown.
  case outage(APIError)
  /// The rig is too hot.
  case stopped(APIError)
}
