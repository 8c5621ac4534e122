/// The device tree that the firmware gave the kernel: a node is a directory, a property a file.
///
/// Sources: Documentation/ABI/testing/sysfs-firmware-ofw; the Devicetree Specification, 2.3. The
/// calls block.
struct DeviceTree: Sendable {
  /// The directory of the root node.
  static let root = "/proc/device-tree"

  /// A node of the tree.
  struct Node: Sendable, Hashable {
    /// The path below the root, for example `/soc/i2c@7e804000`.
    var path: String
    /// Whether the node and all nodes above it are enabled.
    var isEnabled: Bool

    /// The last part of the path, for example `i2c@7e804000`.
    var name: Substring { path.split(separator: "/").last ?? "" }

    /// The path of the node above, for example `/soc`; empty below the root.
    var parent: String { String(path.dropLast(name.count + 1)) }
  }

  /// An LED that the kernel is told of (`gpio-leds`).
  struct LED: Sendable, Hashable {
    /// The name below `/sys/class/leds`.
    var name: String
    /// The name of its GPIO line; `nil` for a line without a name.
    var line: String?
    /// Whether the LED and all nodes above it are enabled.
    var isEnabled: Bool
  }

  /// The name of the model, for example `Raspberry Pi 4 Model B Rev 1.4`; `nil` without a tree.
  let model: String?
  /// All nodes but the root, each before the nodes below it.
  let nodes: [Node]

  private let files: KernelFiles

  /// Reads the tree's nodes.
  init(files: KernelFiles) {
    self.files = files
    model = Self.strings("model", of: "", files).first
    var waiting = [Node(path: "", isEnabled: true)]
    var found: [Node] = []
    while let node = waiting.popLast() {
      if !node.path.isEmpty { found.append(node) }
      for name in files.names(in: Self.root + node.path) {
        let path = node.path + "/" + name
        // Every node has its name as a property, too.
        guard files.exists(Self.root + path + "/name") else { continue }
        let status = Self.strings("status", of: path, files).first ?? "okay"
        let isEnabled = node.isEnabled && ["okay", "ok"].contains(status)
        waiting.append(Node(path: path, isEnabled: isEnabled))
      }
    }
    nodes = found
  }

  /// The LEDs that the tree declares.
  var leds: [LED] {
    let chips = nodes.reduce(into: [UInt32: Node]()) { chips, node in
      if let handle = cells("phandle", of: node).first { chips[handle] = node }
    }
    let parents = nodes.filter { strings("compatible", of: $0).contains("gpio-leds") }.map(\.path)
    return nodes.filter { parents.contains($0.parent) }.map { node in
      let wire = cells("gpios", of: node)
      let lines = wire.first.flatMap { chips[$0] }.map { strings("gpio-line-names", of: $0) } ?? []
      let number = wire.count > 1 ? Int(wire[1]) : lines.count
      let line = lines.indices.contains(number) ? lines[number] : ""
      return LED(
        name: strings("label", of: node).first ?? String(node.name),
        line: line.isEmpty ? nil : line, isEnabled: node.isEnabled)
    }
  }

  /// Returns the nodes of a chip.
  ///
  /// A tree may name a part of the chip, as in `st,lis3dh-accel`; IIO names the chip.
  func nodes(of chip: String) -> [Node] {
    nodes.filter { node in
      strings("compatible", of: node).contains { text in
        let name = text.split(separator: ",").last ?? ""
        return name == chip || name.hasPrefix(chip + "-")
      }
    }
  }

  private func strings(_ property: String, of node: Node) -> [String] {
    Self.strings(property, of: node.path, files)
  }

  /// Returns a property's texts, each of which ends with a zero byte; none for a missing property.
  private static func strings(
    _ property: String, of path: String, _ files: KernelFiles
  ) -> [String] {
    var bytes = files.bytes(of: root + path + "/" + property) ?? []
    if bytes.last == 0 { bytes.removeLast() }
    guard !bytes.isEmpty else { return [] }
    // A line without a name is an empty text in the list of its chip.
    return bytes.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Returns a property's numbers, which are big-endian; none for a missing property.
  private func cells(_ property: String, of node: Node) -> [UInt32] {
    let bytes = files.bytes(of: Self.root + node.path + "/" + property) ?? []
    return stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { start in
      bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}
