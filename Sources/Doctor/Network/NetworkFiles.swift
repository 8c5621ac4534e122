import API
import Glibc

/// A reader of interfaces, routes and name servers from the kernel's and the resolver's files.
struct NetworkFiles: Sendable {
  let files: KernelFiles
  /// The function that returns the addresses of each interface by its name.
  let addresses: @Sendable () -> [String: [String]]

  /// All interfaces (`/sys/class/net`).
  var interfaces: [NetworkReport.Interface] {
    let addresses = addresses()
    return files.names(in: "/sys/class/net").sorted().compactMap { name in
      let directory = "/sys/class/net/" + name
      // The directory also contains files, such as bonding_masters.
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
  /// The flags of this machine's IPv6 addresses (`RTF_LOCAL`) and of shared ones (`RTF_ANYCAST`).
  private static let isOwnAddress = 0x8010_0000

  /// The default routes of both families.
  var defaultRoutes: [NetworkReport.DefaultRoute] {
    routes.filter(Self.isDefault).map {
      NetworkReport.DefaultRoute(family: $0.family, gateway: $0.gateway, interface: $0.interface)
    }
  }

  /// The first 64 other routes.
  var otherRoutes: [NetworkReport.Route] {
    Array(routes.filter { !Self.isDefault($0) }.prefix(64))
  }

  private static func isDefault(_ route: NetworkReport.Route) -> Bool {
    ["0.0.0.0/0", "::/0"].contains(route.destination)
  }

  /// The routes of both families (`/proc/net/route`, `/proc/net/ipv6_route`).
  private var routes: [NetworkReport.Route] {
    let lines = { (path: String) in (files.read(path) ?? "").split(separator: "\n") }
    let four = lines("/proc/net/route").compactMap { Self.route4(String($0)) }
    let six = lines("/proc/net/ipv6_route").compactMap { Self.route6(String($0)) }
    return four + six
  }

  /// Returns the route of a line of `/proc/net/route`; `nil` for a route that is not in use.
  static func route4(_ line: String) -> NetworkReport.Route? {
    let words = line.split { $0 == "\t" || $0 == " " }
    guard words.count >= 8, let destination = UInt32(words[1], radix: 16),
      let gateway = UInt32(words[2], radix: 16), let flags = Int(words[3], radix: 16),
      let mask = UInt32(words[7], radix: 16), flags & isUp != 0, flags & isReject == 0
    else { return nil }
    return NetworkReport.Route(
      family: "IPv4", destination: "\(address4(destination))/\(mask.nonzeroBitCount)",
      gateway: gateway == 0 ? nil : address4(gateway), interface: String(words[0]))
  }

  /// Returns the usual form of an address that the kernel has printed in memory order.
  private static func address4(_ address: UInt32) -> String {
    withUnsafeBytes(of: address) { $0.map(String.init).joined(separator: ".") }
  }

  /// Returns the route of a line of `/proc/net/ipv6_route`; `nil` for a route within the machine.
  ///
  /// The result is also `nil` for multicast addresses and for link-local addresses, which every
  /// interface has.
  static func route6(_ line: String) -> NetworkReport.Route? {
    let words = line.split(separator: " ")
    guard words.count >= 10, let destination = address6(String(words[0])),
      let length = Int(words[1], radix: 16), let flags = Int(words[8], radix: 16),
      flags & isUp != 0, flags & (isReject | isOwnAddress) == 0, words[9] != "lo",
      let gateway = address6(String(words[4])),
      !destination.hasPrefix("ff"), !destination.hasPrefix("fe80:")
    else { return nil }
    return NetworkReport.Route(
      family: "IPv6", destination: "\(destination)/\(length)",
      gateway: gateway == "::" ? nil : gateway, interface: String(words[9]))
  }

  /// Returns the usual form of an address of 32 hexadecimal digits; `nil` for any other text.
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

  /// The name servers and the file that names each; the servers are not asked.
  var nameServers: [(address: String, source: String)] {
    let own = "/etc/resolv.conf"
    let named = Self.nameServers(in: files.read(own) ?? "").map { ($0, own) }
    // Here systemd-resolved answers itself, and asks the servers of its own file.
    let resolved = "/run/systemd/resolve/resolv.conf"
    guard named.contains(where: { $0.0 == "127.0.0.53" }) else { return named }
    return named + Self.nameServers(in: files.read(resolved) ?? "").map { ($0, resolved) }
  }

  /// Returns the servers of a resolv.conf(5), of which the resolver uses three.
  static func nameServers(in text: String) -> [String] {
    let servers = text.split(separator: "\n").compactMap { line -> String? in
      let words = line.split { $0 == " " || $0 == "\t" }
      // The keyword must begin the line.
      guard words.count >= 2, words[0] == "nameserver", line.hasPrefix("nameserver") else {
        return nil
      }
      return String(words[1].prefix(64))
    }
    return Array(servers.prefix(3))
  }

  /// Returns the addresses from the kernel (`getifaddrs`).
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
