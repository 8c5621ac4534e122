import API
import Glibc

/// Reads interfaces, routes and name servers from the kernel's and the resolver's files.
struct NetworkFiles: Sendable {
  let files: KernelFiles
  /// The addresses of each interface by its name.
  let addresses: @Sendable () -> [String: [String]]

  /// All interfaces (`/sys/class/net`).
  var interfaces: [NetworkReport.Interface] {
    let addresses = addresses()
    return files.names(in: "/sys/class/net").sorted().compactMap { name in
      let directory = "/sys/class/net/" + name
      // The folder also holds files, such as bonding_masters.
      guard let type = files.read(directory + "/type") else { return nil }
      return NetworkReport.Interface(
        name: name, state: files.read(directory + "/operstate") ?? "unknown",
        hasCarrier: files.read(directory + "/carrier").map { $0 == "1" },
        addresses: addresses[name] ?? [], isLoopback: type == "772")
    }
  }

  // MARK: routes

  private static let isUp = 0x1
  private static let isReject = 0x200

  /// The default routes of both families (`/proc/net/route`, `/proc/net/ipv6_route`).
  var defaultRoutes: [NetworkReport.DefaultRoute] {
    let lines = { (path: String) in (files.read(path) ?? "").split(separator: "\n") }
    let four = lines("/proc/net/route").compactMap { Self.route4(String($0)) }
    let six = lines("/proc/net/ipv6_route").compactMap { Self.route6(String($0)) }
    return four + six
  }

  /// A line of `/proc/net/route`; `nil` for what is no default route.
  static func route4(_ line: String) -> NetworkReport.DefaultRoute? {
    let words = line.split { $0 == "\t" || $0 == " " }
    guard words.count >= 8, words[1] == "00000000", words[7] == "00000000",
      let gateway = UInt32(words[2], radix: 16), let flags = Int(words[3], radix: 16),
      flags & isUp != 0, flags & isReject == 0
    else { return nil }
    // The kernel prints the address as it lies in the memory of a little-endian machine.
    let bytes = (0..<4).map { UInt32(littleEndian: gateway) >> ($0 * 8) & 0xFF }
    return NetworkReport.DefaultRoute(
      family: "IPv4",
      gateway: gateway == 0 ? nil : bytes.map(String.init).joined(separator: "."),
      interface: String(words[0]))
  }

  /// A line of `/proc/net/ipv6_route`; `nil` for what is no default route.
  static func route6(_ line: String) -> NetworkReport.DefaultRoute? {
    let words = line.split(separator: " ")
    guard words.count >= 10, words[0] == String(repeating: "0", count: 32), words[1] == "00",
      let flags = Int(words[8], radix: 16), flags & isUp != 0, flags & isReject == 0,
      words[9] != "lo", let gateway = address6(String(words[4]))
    else { return nil }
    return NetworkReport.DefaultRoute(
      family: "IPv6", gateway: gateway == "::" ? nil : gateway, interface: String(words[9]))
  }

  /// The usual form of an address of 32 hexadecimal digits; `nil` for anything else.
  private static func address6(_ digits: String) -> String? {
    let digits = Array(digits)
    guard digits.count == 32 else { return nil }
    var address = in6_addr()
    for index in 0..<16 {
      guard let byte = UInt8(String(digits[index * 2...index * 2 + 1]), radix: 16) else {
        return nil
      }
      withUnsafeMutableBytes(of: &address) { $0[index] = byte }
    }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else { return nil }
    return text.text
  }

  // MARK: name servers

  /// The name servers, without having asked them, and the file that names each.
  var nameServers: [(address: String, source: String)] {
    let own = "/etc/resolv.conf"
    let named = Self.nameServers(in: files.read(own) ?? "").map { ($0, own) }
    // systemd-resolved answers here itself, and asks those of its own file.
    let resolved = "/run/systemd/resolve/resolv.conf"
    guard named.contains(where: { $0.0 == "127.0.0.53" }) else { return named }
    return named + Self.nameServers(in: files.read(resolved) ?? "").map { ($0, resolved) }
  }

  /// The servers that a resolv.conf(5) names, of which the resolver uses three.
  static func nameServers(in text: String) -> [String] {
    let servers = text.split(separator: "\n").compactMap { line -> String? in
      let words = line.split { $0 == " " || $0 == "\t" }
      // The keyword has to begin the line.
      guard words.count >= 2, words[0] == "nameserver", line.hasPrefix("nameserver") else {
        return nil
      }
      return String(words[1].prefix(64))
    }
    return Array(servers.prefix(3))
  }

  /// The addresses that the kernel gives (`getifaddrs`).
  static func kernelAddresses() -> [String: [String]] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [:] }
    defer { freeifaddrs(list) }
    var found: [String: [String]] = [:]
    var next = list
    while let entry = next {
      next = entry.pointee.ifa_next
      guard let address = entry.pointee.ifa_addr, let text = SocketAddress.text(of: address) else {
        continue
      }
      found[String(cString: entry.pointee.ifa_name), default: []].append(text)
    }
    return found
  }
}
