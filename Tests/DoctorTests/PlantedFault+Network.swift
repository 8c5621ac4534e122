import API
import Devices
import Spool

@testable import Doctor

/// Faults of the network and of the targets.
extension PlantedFault {
  private static func failure(
    _ code: String, _ status: Int?
  ) -> @Sendable (inout DoctorEvidence, FakeMachine) -> Void {
    { evidence, _ in
      evidence.targets[0].failure = TargetCheck.Failure(
        code: code, status: status, text: "the target did not store", isOpen: true)
    }
  }

  private static func way(
    failing step: TargetProbeReport.Step, _ problem: String = "no",
    trust: WallTrust = .synchronized
  ) -> @Sendable (inout DoctorEvidence, FakeMachine) -> Void {
    { evidence, _ in
      evidence.clock.trust = trust
      evidence.probe = {
        TargetProbeReport(
          target: $0.target, endpoint: "pages.example:443", failedStep: step, problem: problem)
      }
    }
  }

  static let ofNetwork: [PlantedFault] = [
    .init(
      name: "cable out", part: .network, code: "noCarrier",
      advice: "Plug the network cable in",
      plant: { _, machine in try machine.write("0", to: "/sys/class/net/eth0/carrier") }),
    .init(
      name: "no address", part: .network, code: "noAddress",
      advice: "Check that the network has a DHCP server",
      plant: { evidence, _ in
        evidence.addresses = { ["eth0": ["169.254.3.4", "fe80::1%eth0"]] }
      }),
    .init(
      name: "no route", part: .network, code: "noDefaultRoute",
      advice: "Check the router",
      plant: { _, machine in try machine.write("Iface\tDestination\n", to: "/proc/net/route") }),
    .init(
      name: "no name server", part: .network, code: "noNameServer",
      advice: "Set a name server",
      plant: { _, machine in try machine.write("# none\n", to: "/etc/resolv.conf") }),
    .init(
      name: "DNS dead", part: .network, code: "nameServerSilent",
      advice: "Check the router and its firewall",
      plant: { evidence, _ in
        evidence.askNameServer = { _ in NameServerProbe.Answer(problem: "does not answer") }
      }),
    .init(
      name: "name unknown", part: .targets, code: "targetUnresolved",
      advice: "Check the spelling", plant: way(failing: .resolve)),
    .init(
      name: "server down", part: .targets, code: "targetUnreachable",
      advice: "Check that the server runs", plant: way(failing: .connect)),
    .init(
      name: "certificate not valid", part: .targets, code: "targetTLSFailed",
      advice: "Check the server's certificate", plant: way(failing: .tls)),
    .init(
      name: "certificate not valid because of the clock", part: .targets,
      code: "targetClockWrong", advice: "Set the rig's clock first",
      consequences: ["clockUnsynchronized"],
      plant: way(
        failing: .tls, "SSL certificate problem: certificate is not yet valid", trust: .estimated)),
    .init(
      name: "certificate not valid in 1970", part: .targets, code: "targetClockWrong",
      advice: "Set the rig's clock first", consequences: ["clockImplausible"],
      plant: { evidence, machine in
        way(failing: .tls)(&evidence, machine)
        evidence.clock.nanosecondsSinceEpoch = 3_600_000_000_000
      }),
    // After the clock has been set by hand, the advice does not point at the clock again.
    .init(
      name: "certificate not valid by a clock that was set by hand", part: .targets,
      code: "targetTLSFailed", advice: "Check the server's certificate",
      consequences: ["clockUnsynchronized"],
      plant: way(failing: .tls, "unable to get local issuer certificate", trust: .estimated)),
    .init(
      name: "certificate expired by a clock that is right", part: .targets,
      code: "targetTLSFailed", advice: "Check the server's certificate",
      plant: way(failing: .tls, "certificate has expired")),
    .init(
      name: "our own certificate expired by the server's clock", part: .targets,
      code: "targetTLSFailed", advice: "Check the server's certificate",
      consequences: ["clockUnsynchronized"],
      plant: way(failing: .tls, "sslv3 alert certificate expired", trust: .estimated)),
    .init(
      name: "server 401", part: .targets, code: "targetUnauthorized",
      advice: "Check the target's user", plant: failure("unauthorized", 401)),
    .init(
      name: "server 403", part: .targets, code: "targetForbidden",
      advice: "Ask who runs the server", plant: failure("unauthorized", 403)),
    .init(
      name: "server 500", part: .targets, code: "targetFailing",
      advice: "Read what the server answered", plant: failure("serverError", 500)),
    .init(
      name: "drive not mounted", part: .targets, code: "targetDirectoryAbsent",
      advice: "Mount the drive",
      plant: { _, machine in try machine.remove("/media/drive/.platen-target") }),
    .init(
      name: "parked pictures", part: .targets, verdict: .warning, code: "picturesParked",
      advice: "Look at them", plant: { evidence, _ in evidence.targets[0].parked = 2 }),
    .init(
      name: "uploads paused", part: .targets, verdict: .warning, code: "uploadsPaused",
      advice: "Press the button",
      plant: { evidence, _ in evidence.targets[0].isPaused = true }),
  ]
}
