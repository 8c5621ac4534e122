import Digests
import Foundation
import Hummingbird
import NIOCore

/// The files of the page in the browser, read once and served from memory.
///
/// A request names a file by its whole path, so that no path leads to another file. `index.html` is
/// at `/` alone, from where it names the others, and every other file is below `/page/`.
package struct PageFiles: Sendable {
  private struct File: Sendable {
    let mediaType: String
    /// The entity tag: the SHA-256 of the bytes in quotes.
    let tag: String
    let bytes: ByteBuffer
  }

  /// The most bytes of a file.
  static let maximumBytes = 4 << 20
  /// The most files.
  static let maximumFiles = 200

  /// The media types by a name's extension; other files are not served.
  private static let mediaTypes = [
    "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8",
    "ico": "image/vnd.microsoft.icon", "js": "text/javascript; charset=utf-8",
    "json": "application/json", "mjs": "text/javascript; charset=utf-8", "png": "image/png",
    "svg": "image/svg+xml", "txt": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json", "webp": "image/webp", "woff2": "font/woff2",
  ]

  /// The policy for the page: scripts, styles and requests of this rig only, and no frame around.
  static let contentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    + "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

  private let files: [String: File]

  /// Reads all regular files of a folder and its folders, without hidden ones and symbolic links.
  ///
  /// - Returns: `nil` for a folder without `index.html`.
  /// - Complexity: O(bytes); blocks on the disk.
  package init?(folder: String) {
    let manager = FileManager.default
    var files: [String: File] = [:]
    for name in ((try? manager.subpathsOfDirectory(atPath: folder)) ?? []).sorted() {
      let parts = name.split(separator: "/")
      let path = "\(folder)/\(name)"
      guard files.count < Self.maximumFiles, !parts.contains(where: { $0.hasPrefix(".") }),
        name.utf8.allSatisfy(Self.isPlain),
        let type = Self.mediaTypes[URL(fileURLWithPath: name).pathExtension],
        Self.isRegular(path),
        let data = manager.contents(atPath: path), data.count <= Self.maximumBytes
      else { continue }
      files["/page/\(name)"] = File(
        mediaType: type, tag: "\"\(Digest.value(.sha256, of: data).hexadecimal)\"",
        bytes: ByteBuffer(bytes: data))
    }
    guard let index = files.removeValue(forKey: "/page/index.html") else { return nil }
    files["/"] = index
    self.files = files
  }

  /// The paths of all files.
  var paths: [String] { files.keys.sorted() }

  private static func isRegular(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.type] as? FileAttributeType) == .typeRegular
  }

  /// Returns whether a byte of a name needs no escape in a path of a URL.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."), UInt8(ascii: "/"):
      true
    default: false
    }
  }

  /// Returns whether a request is for a file of the page.
  func has(_ request: Request) -> Bool { files[request.uri.path] != nil }

  /// Returns the answer to a request for a file.
  ///
  /// A browser asks each time whether its copy is current, so that a new version shows at once.
  ///
  /// - Throws: ``RefusedRequest``: `notFound` for any other path, `methodNotAllowed` for a method
  ///   other than GET and HEAD.
  func answer(to request: Request) throws(RefusedRequest) -> Response {
    guard let file = files[request.uri.path] else {
      throw RefusedRequest(APIError(.notFound, "The page has no such file."))
    }
    guard request.method == .get || request.method == .head else {
      throw RefusedRequest(
        APIError(
          .methodNotAllowed,
          "The path \"\(request.uri.path)\" takes GET, HEAD, not \(request.method)."),
        headers: [.allow: "GET, HEAD"])
    }
    var headers: HTTPFields = [
      .contentType: file.mediaType, .cacheControl: "no-cache", .eTag: file.tag,
      .contentSecurityPolicy: Self.contentSecurityPolicy,
    ]
    // A stricter policy would hide the origin of a form, which the rig has to see.
    headers.set("Referrer-Policy", "same-origin")
    if request.has(file.tag) { return .notModified(headers) }
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.bytes))
  }
}
