/// The video nodes of cameras, told from the others by the names that their drivers give them
/// (`/sys/class/video4linux/videoN/name`), which every account may read.
///
/// A Raspberry Pi has video nodes also without a camera: those of its codecs and image processors,
/// which are few and known. What a camera's node is called is not: a USB camera has its maker's name,
/// and each receiver its own (`unicam-image`, `rp1-cfe-csi2_ch0`, vimc's `Raw Capture 0`). So what is
/// none of the known others is a camera's, and so is a node without a name. A receiver has no video
/// node before its sensor was found: unicam and rp1-cfe register theirs when it is bound. Media nodes
/// say less, for those two have one already when they are probed.
struct CameraVideoNodes: Sendable, Hashable {
  /// How the names of what is no camera begin, each with its source in the kernel of Raspberry Pi OS.
  static let others = [
    // drivers/staging/vc04_services/bcm2835-codec: -decode, -encode, -encode_image, -image_fx, -isp
    "bcm2835-codec",
    // drivers/staging/vc04_services/bcm2835-isp: -output0, -capture1, -capture2, -stats3
    "bcm2835-isp",
    // drivers/media/platform/raspberrypi/pisp_be: -input, -output0, -config and so on
    "pispbe",
    // drivers/staging/media/rpivid, and what came after it: drivers/media/platform/raspberrypi/hevc_dec
    "rpivid", "rpi-hevc-dec",
  ]

  /// A video node and its name.
  struct Node: Sendable, Hashable {
    /// The file's name below `/dev`.
    var file: String
    /// What the driver calls it; `nil` when that cannot be read.
    var name: String?
  }

  /// The nodes of cameras.
  let cameras: [Node]
  /// The nodes of codecs and image processors.
  let codecs: [Node]

  /// Sorts video nodes.
  ///
  /// - Parameters:
  ///   - nodes: their names below `/dev`.
  ///   - files: where the kernel tells their names.
  init(_ nodes: [String], files: KernelFiles) {
    let named = nodes.map {
      Node(file: $0, name: files.read("/sys/class/video4linux/\($0)/name"))
    }
    cameras = named.filter { Self.isCamera($0.name) }
    codecs = named.filter { !Self.isCamera($0.name) }
  }

  /// Whether a node of that name can be a camera's.
  static func isCamera(_ name: String?) -> Bool {
    guard let name else { return true }
    return !others.contains { name.hasPrefix($0) }
  }

  /// The nodes as people know them, each name once, six at most.
  static func list(_ nodes: [Node]) -> String {
    let names = nodes.map { $0.name ?? "/dev/\($0.file)" }
    let unique = names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return unique.prefix(6).joined(separator: ", ") + (unique.count > 6 ? ", …" : "")
  }
}
