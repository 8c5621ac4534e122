package import Devices

/// The facts about the page that are written into the picture's file as XMP (ISO 16684-1).
///
/// | property | from |
/// |---|---|
/// | `platen:OrientationSource` | ``orientationSource`` |
/// | `platen:Skew`, `platen:LetterHeight` | ``page``, in degrees and in pixels |
/// | `platen:Outline`, a list of `x y` | the page's corners, as fractions of the picture's sides |
/// | `platen:Warnings` | the words of the warnings |
/// | `mwg-rs:Regions` | the regions of text (MWG guidelines 2.0, 5.9) |
///
/// Places are those of the stored picture, before Exif's orientation.
package struct XMPMetadata: Sendable, Hashable {
  /// The namespace of the properties that no standard has.
  package static let namespace = "http://platen.example/ns/1.0/"
  /// The name before the packet in a JPEG segment (XMP specification part 3, 1.1.3).
  static let segmentName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  /// The maximum length of a packet in bytes.
  static let maximumByteCount = 60_000

  /// The source of the angle that turns the picture upright; `nil` if unknown.
  package var orientationSource: OrientationSource?
  /// The findings about the page; `nil` for a page that was not read.
  package var page: PageFindings?

  /// Makes the metadata; `nil` if there is nothing to tell.
  package init?(orientationSource: OrientationSource?, page: PageFindings?) {
    guard orientationSource != nil || page != nil else { return nil }
    self.orientationSource = orientationSource
    self.page = page
  }

  /// Makes the packet of a rendition.
  ///
  /// - Parameters:
  ///   - rendition: the rendition, which decides about the findings that hold.
  ///   - size: the columns and rows of the stored picture.
  /// - Returns: the packet, without its regions if it had more than 60,000 bytes with them.
  package func packet(for rendition: Rendition, size: FrameSize) -> [UInt8] {
    let page = page?.holding(for: rendition)
    let packet = Array(text(page, size).utf8)
    guard packet.count > Self.maximumByteCount, var page else { return packet }
    page.regions = []
    return Array(text(page, size).utf8)
  }

  private func text(_ page: PageFindings?, _ size: FrameSize) -> String {
    var properties: [String] = []
    func add(_ name: String, _ value: String?) {
      if let value { properties.append("<platen:\(name)>\(value)</platen:\(name)>") }
    }
    add("OrientationSource", orientationSource?.rawValue)
    add("Skew", page?.skew.map(Self.number))
    add("LetterHeight", page?.letterHeight.map(Self.number))
    add(
      "Outline",
      page?.outline.map { corners in
        Self.list("Seq", corners.map { "\(Self.number($0.x)) \(Self.number($0.y))" })
      })
    if let warnings = page?.warnings, !warnings.isEmpty {
      add("Warnings", Self.list("Seq", warnings.map(\.rawValue)))
    }
    if let regions = page?.regions, !regions.isEmpty {
      properties.append(Self.regions(regions, size))
    }
    return """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:platen="\(Self.namespace)"
       xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
       xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#"
       xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#">
      \(properties.joined(separator: "\n"))
      </rdf:Description>
      </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="r"?>
      """
  }

  private static func list(_ kind: String, _ values: [String]) -> String {
    "<rdf:\(kind)>" + values.map { "<rdf:li>\($0)</rdf:li>" }.joined() + "</rdf:\(kind)>"
  }

  /// Returns the regions, each by its center; the guidelines have no type for text.
  private static func regions(_ regions: [PageFindings.Region], _ size: FrameSize) -> String {
    let items = regions.map { region in
      """
      <rdf:li rdf:parseType="Resource"><mwg-rs:Area \
      stArea:x="\(number(region.x + region.width / 2))" \
      stArea:y="\(number(region.y + region.height / 2))" \
      stArea:w="\(number(region.width))" stArea:h="\(number(region.height))" \
      stArea:unit="normalized"/><mwg-rs:Description>text</mwg-rs:Description></rdf:li>
      """
    }
    return """
      <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:AppliedToDimensions \
      stDim:w="\(size.width)" stDim:h="\(size.height)" stDim:unit="pixel"/>
      <mwg-rs:RegionList><rdf:Bag>
      \(items.joined(separator: "\n"))
      </rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>
      """
  }

  /// Returns a number with 4 decimals at most; 0 for a number without a value.
  private static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e6 else { return "0" }
    return "\((value * 10_000).rounded() / 10_000)"
  }
}

extension PageFindings {
  /// Returns the findings that hold for a rendition of the frame.
  ///
  /// Heights in pixels are those of the frame. A raw frame shows more of the sensor, so that places
  /// are others in it.
  package func holding(for rendition: Rendition) -> PageFindings {
    // A straightened page has a size of its own, and findings that were made for it.
    guard rendition.box != nil || rendition == .dng else { return self }
    var findings = self
    (findings.letterHeight, findings.edgeWidth) = (nil, nil)
    if rendition == .dng { (findings.outline, findings.regions) = (nil, []) }
    return findings
  }
}
