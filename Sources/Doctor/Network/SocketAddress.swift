import Glibc

/// An internet address for connections.
struct SocketAddress: Sendable, Hashable {
  /// The family, `AF_INET` or `AF_INET6`.
  let family: Int32
  /// The complete `sockaddr`.
  let bytes: [UInt8]
  /// The address in its usual form, without the port.
  let text: String

  /// Reads an address in its usual form; `nil` for a name.
  init?(_ text: String, port: UInt16) {
    guard let first = Self.find(text, port: port, flags: AI_NUMERICHOST).addresses.first else {
      return nil
    }
    self = first
  }

  private init?(_ info: addrinfo) {
    guard let pointer = info.ai_addr, let text = Self.text(of: pointer) else { return nil }
    family = info.ai_family
    bytes = Array(UnsafeRawBufferPointer(start: pointer, count: Int(info.ai_addrlen)))
    self.text = text
  }

  /// Returns the addresses of a host (`getaddrinfo`), or the reason for their absence.
  ///
  /// The call blocks for as long as the resolver wants.
  static func find(
    _ host: String, port: UInt16, flags: Int32 = 0
  ) -> (addresses: [SocketAddress], problem: String?) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = flags | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(host, "\(port)", &hints, &list)
    guard result == 0 else { return ([], String(cString: gai_strerror(result))) }
    defer { freeaddrinfo(list) }
    var found: [SocketAddress] = []
    var next = list
    while let entry = next {
      next = entry.pointee.ai_next
      if let address = SocketAddress(entry.pointee), !found.contains(address) {
        found.append(address)
      }
    }
    return (found, found.isEmpty ? "it has no address" : nil)
  }

  /// Returns the usual form of an address; `nil` for an address of another family.
  static func text(of address: UnsafePointer<sockaddr>) -> String? {
    let length: Int
    switch Int32(address.pointee.sa_family) {
    case AF_INET: length = MemoryLayout<sockaddr_in>.size
    case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    var text = [CChar](repeating: 0, count: 256)
    let result = getnameinfo(
      address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    return result == 0 ? text.text : nil
  }

  /// Starts to connect a new socket; returns its descriptor, or the negative `errno`.
  func connectedSocket(_ type: __socket_type) -> Int32 {
    let descriptor = socket(
      family, Int32(type.rawValue) | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return -errno }
    let result = bytes.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: sockaddr.self) {
        connect(descriptor, $0.baseAddress, socklen_t(raw.count))
      }
    }
    if result == 0 || errno == EINPROGRESS { return descriptor }
    let number = errno
    close(descriptor)
    return -number
  }
}

extension [CChar] {
  /// The text up to the first NUL.
  var text: String {
    String(decoding: prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
