import Foundation
import FoundationXML

/// A small XML document, as S3 sends it.
struct S3Document: Hashable {
  /// An element with its text and children; attributes are not kept.
  struct Element: Hashable {
    /// The name without a namespace's prefix.
    var name: String
    /// The element's own text, without surrounding white space.
    var text = ""
    /// The element's children, in order.
    var children: [Element] = []

    /// The text of the first child with a name; `nil` when there is none.
    subscript(name: String) -> String? { children.first { $0.name == name }?.text }

    /// Returns the children with a name.
    func all(_ name: String) -> [Element] { children.filter { $0.name == name } }
  }

  /// The limits of a document, so that a hostile document costs nothing.
  private enum Limit {
    static let byteCount = 64 * 1024
    static let depth = 8
    static let elementCount = 4096
  }

  /// The outermost element.
  let root: Element

  /// Reads a document; returns `nil` for bytes that no S3 server sends.
  ///
  /// Documents with a document type (and thus with entities) are refused, and so are documents
  /// larger or deeper than any answer of S3.
  init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, bytes.count <= Limit.byteCount,
      // Without zero bytes the encoding is one in which the search for `<!DOCTYPE` works.
      !bytes.contains(0), bytes.firstRange(of: "<!DOCTYPE".utf8) == nil
    else { return nil }
    let parser = XMLParser(data: Data(bytes))
    parser.shouldResolveExternalEntities = false
    parser.externalEntityResolvingPolicy = .never
    let reader = Reader()
    parser.delegate = reader
    guard parser.parse(), !reader.isTooLarge, let root = reader.root else { return nil }
    self.root = root
  }

  private final class Reader: NSObject, XMLParserDelegate {
    private(set) var root: Element?
    private(set) var isTooLarge = false
    private var open: [Element] = []
    private var count = 0

    func parser(
      _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
      qualifiedName qName: String?, attributes attributeDict: [String: String]
    ) {
      count += 1
      guard open.count < Limit.depth, count <= Limit.elementCount else {
        isTooLarge = true
        return parser.abortParsing()
      }
      let name = elementName.split(separator: ":").last.map(String.init) ?? elementName
      open.append(Element(name: name))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      guard !open.isEmpty else { return }
      open[open.count - 1].text += string
    }

    func parser(
      _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
      qualifiedName qName: String?
    ) {
      guard var element = open.popLast() else { return }
      element.text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
      if open.isEmpty {
        root = element
      } else {
        open[open.count - 1].children.append(element)
      }
    }
  }
}
