public import Devices

/// Which camera is used and how: the section `camera`.
///
/// | key | value | default |
/// |---|---|---|
/// | `id` | the camera's ID as it is listed; not with `position` | the first camera |
/// | `position` | `front`, `back` or `external`; not with `id` | the first camera |
/// | `size` | the wanted size in pixels; the camera takes the closest it has | `1920x1080` |
/// | `frame_rate` | 1...120 frames a second | `30` |
/// | `pixel_formats` | list of `yuv420`, `nv12`, `yuyv`, `mjpeg`, `rgb`, `bgr`, best first | all of them in this order |
/// | `ring_frames` | 3...32 finished frames kept for a press | `8` |
/// | `mounting_angle` | 0, 90, 180 or 270: clockwise degrees the camera is turned in the rig | `0` |
/// | `stall_timeout` | 200 ms to 1 min without a frame, then the camera is restarted | `1500 ms` |
/// | `maximum_wait` | 10 ms to 1 min that a press waits for its frame | `2 s` |
public struct CameraConfiguration: Sendable, Hashable {
  /// How a camera is chosen.
  public enum Selection: Sendable, Hashable {
    /// The first camera of the board.
    case first
    /// The camera with this ID.
    case id(String)
    /// The first camera that looks this way.
    case position(CameraDescription.Position)
  }

  /// Which camera.
  public var selection: Selection
  /// The wanted size.
  public var size: FrameSize
  /// The wanted frames a second.
  public var frameRate: Double
  /// The acceptable pixel formats, the best first.
  public var pixelFormats: [PixelFormat]
  /// How many finished frames are kept for a press.
  public var ringFrameCount: Int
  /// Clockwise degrees by which the camera is turned in the rig: 0, 90, 180 or 270.
  public var mountingAngle: Int
  /// How long the camera may give no frame.
  public var stallTimeout: Duration
  /// How long a press waits for its frame.
  public var maximumWait: Duration

  private static let pixelFormats: [PixelFormat] = [.yuv420, .nv12, .yuyv, .mjpeg, .rgb, .bgr]

  init(reading mapping: ConfigurationMapping) {
    selection = Self.selection(mapping)
    size = mapping.read("size", as: .frameSize, default: FrameSize(width: 1920, height: 1080))
    frameRate = mapping.read(
      "frame_rate", as: .number(1...120, unit: "frames a second"), default: 30)
    pixelFormats =
      mapping.readList(
        "pixel_formats", of: .choice(Self.pixelFormats), expected: "a list of pixel formats")
      ?? Self.pixelFormats
    ringFrameCount = mapping.read("ring_frames", as: .integer(3...32), default: 8)
    let angles = [0, 90, 180, 270]
    mountingAngle = mapping.read(
      "mounting_angle",
      as: .integer(0...270).filter("0, 90, 180 or 270") { angles.contains($0) }, default: 0)
    stallTimeout = mapping.read(
      "stall_timeout", as: .duration(.milliseconds(200) ... .seconds(60)),
      default: .milliseconds(1500))
    maximumWait = mapping.read(
      "maximum_wait", as: .duration(.milliseconds(10) ... .seconds(60)), default: .seconds(2))
  }

  private static func selection(_ mapping: ConfigurationMapping) -> Selection {
    let id = mapping.read("id", as: .text("a camera's ID"))
    let position = mapping.read(
      "position", as: .choice([CameraDescription.Position.front, .back, .external]))
    if mapping.contains("id"), mapping.contains("position") {
      mapping.report("position", "expected either \"id\" or \"position\", found both")
    }
    return id.map(Selection.id) ?? position.map(Selection.position) ?? .first
  }
}
