/// The video nodes of cameras, distinguished from the others by their drivers' names for them.
///
/// Every account may read these names (`/sys/class/video4linux/videoN/name`).
///
/// A Raspberry Pi has video nodes even without a camera. These nodes belong to its codecs and image
/// processors, which are few and known. The names of camera nodes are not known: a USB camera has
/// its maker's name. Each receiver has its own name (`unicam-image`, `rp1-cfe-csi2_ch0`, vimc's
/// `Raw Capture 0`). Every other node, and a node without a name, is therefore a camera's.
///
/// A receiver has no video node before its sensor is found: unicam and rp1-cfe register their nodes
/// when the sensor is bound. Media nodes say less, because both drivers have one as soon as they
/// are probed.
struct CameraVideoNodes: Sendable, Hashable {
  /// The name prefixes of other nodes, each with its source in the kernel of Raspberry Pi OS.
  static let others = [
    // drivers/staging/vc04_services/bcm2835-codec: -decode, -encode, -encode_image, -image_fx, -isp
    "bcm2835-codec",
    // drivers/staging/vc04_services/bcm2835-isp: -output0, -capture1, -capture2, -stats3
    "bcm2835-isp",
    // drivers/media/platform/raspberrypi/pisp_be: -input, -output0, -config and so on
    "pispbe",
    // drivers/staging/media/rpivid, and its successor drivers/media/platform/raspberrypi/hevc_dec
    "rpivid", "rpi-hevc-dec",
  ]

  /// A video node and its name.
  struct Node: Sendable, Hashable {
    /// The file's name below `/dev`.
    var file: String
    /// The driver's name for the node; `nil` when the name cannot be read.
    var name: String?
  }

  /// The nodes of cameras.
  let cameras: [Node]
  /// The nodes of codecs and image processors.
  let codecs: [Node]

  /// Sorts video nodes into cameras and others.
  ///
  /// - Parameters:
  ///   - nodes: the nodes' names below `/dev`.
  ///   - files: the kernel's files with the drivers' names.
  init(_ nodes: [String], files: KernelFiles) {
    let named = nodes.map {
      Node(file: $0, name: files.read("/sys/class/video4linux/\($0)/name"))
    }
    cameras = named.filter { Self.isCamera($0.name) }
    codecs = named.filter { !Self.isCamera($0.name) }
  }

  /// Returns whether a node with a name can be a camera's.
  static func isCamera(_ name: String?) -> Bool {
    guard let name else { return true }
    return !others.contains { name.hasPrefix($0) }
  }

  /// Returns the nodes' names for a message, each name once, six at most.
  static func list(_ nodes: [Node]) -> String {
    let names = nodes.map { $0.name ?? "/dev/\($0.file)" }
    let unique = names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return unique.prefix(6).joined(separator: ", ") + (unique.count > 6 ? ", …" : "")
  }
}
