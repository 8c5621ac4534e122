import API
import Testing

@testable import Doctor

@Suite struct NetworkFilesTests {
  static let routes4: [(String, NetworkReport.Route?)] = [
    (
      "eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0",
      .init(
        family: "IPv4", destination: "0.0.0.0/0", gateway: "192.168.1.1", interface: "eth0")
    ),
    (
      "ppp0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0",
      .init(family: "IPv4", destination: "0.0.0.0/0", gateway: nil, interface: "ppp0")
    ),
    (
      "eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0",
      .init(family: "IPv4", destination: "192.168.1.0/24", gateway: nil, interface: "eth0")
    ),
    // A route for half of all addresses, as VPNs have it, and a route that refuses.
    (
      "tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000080\t0\t0\t0",
      .init(family: "IPv4", destination: "0.0.0.0/1", gateway: nil, interface: "tun0")
    ),
    ("*\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0", nil),
    ("Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask", nil), ("", nil),
    ("eth0\t00000000\tZZ\t0003\t0\t0\t100\t00000000", nil),
  ]

  @Test(arguments: routes4)
  func `an IPv4 route is read`(_ line: String, _ route: NetworkReport.Route?) {
    #expect(NetworkFiles.route4(line) == route)
  }

  static let none = String(repeating: "0", count: 32)
  static let routes6: [(String, NetworkReport.Route?)] = [
    (
      "\(none) 00 \(none) 00 fe80000000000000021122fffe334455 00000400 1 0 00450003     eth0",
      .init(
        family: "IPv6", destination: "::/0", gateway: "fe80::211:22ff:fe33:4455",
        interface: "eth0")
    ),
    (
      "20010db8000000000000000000000000 20 \(none) 00 \(none) 00000100 1 0 00000001 eth0",
      .init(family: "IPv6", destination: "2001:db8::/32", gateway: nil, interface: "eth0")
    ),
    ("20010db8000000000000000000000001 80 \(none) 00 \(none) 00000000 3 0 80200001 eth0", nil),
    ("fe800000000000000000000000000000 40 \(none) 00 \(none) 00000100 1 0 00000001 eth0", nil),
    ("ff000000000000000000000000000000 08 \(none) 00 \(none) 00000100 3 0 00000001 eth0", nil),
    ("\(none) 00 \(none) 00 \(none) ffffffff 1 0 00200200       lo", nil),
    ("\(none) 80 \(none) 00 \(none) 00000000 2 0 80200001       lo", nil),
    ("\(none) 00 \(none) 00 fe80 00000400 1 0 00450003 eth0", nil), ("", nil),
  ]

  @Test(arguments: routes6)
  func `an IPv6 route is read`(_ line: String, _ route: NetworkReport.Route?) {
    #expect(NetworkFiles.route6(line) == route)
  }

  @Test func `default routes and other routes are told apart`() throws {
    let machine = try FakeMachine()
    let lines = [Self.routes4[0].0, Self.routes4[2].0, Self.routes4[3].0]
    try machine.write(lines.joined(separator: "\n"), to: "/proc/net/route")
    let files = NetworkFiles(files: machine.files, addresses: { [:] })
    #expect(files.defaultRoutes.map(\.gateway) == ["192.168.1.1"])
    #expect(files.otherRoutes.map(\.destination) == ["192.168.1.0/24", "0.0.0.0/1"])
  }

  @Test func `name servers are read from the files of the resolver`() throws {
    let text =
      "; x\nnameserver 1.1.1.1\n nameserver 9\nnameserver\t2001:db8::1 \nnameserver\nnameserver 3\nnameserver 4\n"
    #expect(NetworkFiles.nameServers(in: text) == ["1.1.1.1", "2001:db8::1", "3"])
    let machine = try FakeMachine()
    try machine.write("nameserver 127.0.0.53\n", to: "/etc/resolv.conf")
    try machine.write("nameserver 10.0.0.1\n", to: "/run/systemd/resolve/resolv.conf")
    let servers = NetworkFiles(files: machine.files, addresses: { [:] }).nameServers
    #expect(servers.map(\.address) == ["127.0.0.53", "10.0.0.1"])
    #expect(servers.map(\.source) == ["/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"])
  }

  @Test func `interfaces are read with their addresses`() throws {
    let machine = try FakeMachine()
    try machine.write("", to: "/sys/class/net/bonding_masters")
    let found = NetworkFiles(files: machine.files, addresses: { ["eth0": ["10.0.0.7"]] })
      .interfaces
    #expect(found.map(\.name) == ["eth0", "lo"])
    #expect(found.map(\.isLoopback) == [false, true])
    #expect(found[0].hasCarrier == true && found[0].addresses == ["10.0.0.7"])
  }

  @Test func `the kernel's addresses include the loopback`() {
    let all = NetworkFiles.kernelAddresses()
    #expect(all["lo"]?.contains("127.0.0.1") == true, "\(all)")
  }
}
