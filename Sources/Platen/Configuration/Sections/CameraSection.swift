public import Capture
public import Devices

/// The section `camera`: which camera, and what to ask of it.
///
/// | key | value | default |
/// |---|---|---|
/// | `id` | the camera's ID as libcamera lists it; excludes `position` | the first camera |
/// | `position` | `front`, `back` or `external`; excludes `id` | |
/// | `size` | wanted size; the closest is taken | `1920x1080` |
/// | `frame_rate` | wanted frames a second, 1 to 120 | 30 |
/// | `pixel_formats` | acceptable formats, the best first | `[yuv420, nv12, yuyv, mjpeg, rgb, bgr]` |
/// | `ring_frames` | finished frames that are kept, 3 to 25 | 8 |
/// | `mounting_angle` | clockwise degrees by which the camera is turned in the rig: 0, 90, 180, 270 | 0 |
/// | `stall_timeout` | silence after which the camera counts as stalled, 200 ms to 1 min | `1500 ms` |
/// | `maximum_wait` | how long a press waits for its frame, 100 ms to 1 min | `2 s` |
public struct CameraSection: Sendable, Hashable {
  /// Which camera.
  public var camera = CaptureSessionConfiguration.CameraChoice.first
  /// What to ask of it.
  public var stream = StreamConfiguration(
    size: FrameSize(width: 1920, height: 1080), frameRate: 30, ringFrameCount: 8)
  /// Clockwise degrees by which the camera is turned in the rig.
  public var mountingAngle = 0
  /// Silence after which the camera counts as stalled.
  public var stallTimeout = Duration.milliseconds(1500)
  /// How long a press waits for its frame.
  public var maximumWait = Duration.seconds(2)

  init() {}

  init(_ section: ConfigurationMapping) {
    let id = section.text("id")
    let position = section.word("position", CameraPosition.self)
    if let id { camera = .id(id) }
    if let position { camera = .position(position.position) }
    if id != nil, position != nil {
      section.note("excludes \"id\"; keep one of the two", at: "position")
    }
    stream.size = section.size("size") ?? stream.size
    stream.frameRate = section.number("frame_rate", in: 1...120) ?? stream.frameRate
    stream.ringFrameCount = section.integer("ring_frames", in: 3...25) ?? stream.ringFrameCount
    let names = PixelFormat.allCases.map(\.rawValue).joined(separator: ", ")
    if let formats = section.list(
      "pixel_formats", expected: "one of \(names)", parse: { PixelFormat(rawValue: $0) })
    {
      if formats.isEmpty {
        section.note("expected at least one of \(names)", at: "pixel_formats")
      } else {
        stream.pixelFormats = formats
      }
    }
    mountingAngle =
      section.value("mounting_angle", expected: "0, 90, 180 or 270") { text in
        Int(text).flatMap { [0, 90, 180, 270].contains($0) ? $0 : nil }
      } ?? mountingAngle
    stallTimeout =
      section.duration("stall_timeout", in: .milliseconds(200)...(.seconds(60))) ?? stallTimeout
    maximumWait =
      section.duration("maximum_wait", in: .milliseconds(100)...(.seconds(60))) ?? maximumWait
    section.refuseUnknownKeys()
  }

  private enum CameraPosition: String, CaseIterable {
    case front, back, external

    var position: CameraDescription.Position {
      switch self {
      case .front: .front
      case .back: .back
      case .external: .external
      }
    }
  }
}
