import Testing

@testable import RigConfiguration

@Suite struct ReservedKeysTests {
  private static let text = """
    rig: { id: r }
    power: { method: logind }
    targets:
      - { name: a, url: "http://x/", password_file: /etc/platen/a }
    camera: { frame_rate: 20 }
    spool: { directory: /var/lib/platen, minimum_free: 1 GiB }
    """

  @Test(
    arguments: [
      ("method: logind", "method: command", "power.method"),
      ("{ method: logind }", "{ method: logind, power_off: [/bin/sh] }", "power.power_off.0"),
      ("/etc/platen/a", "/etc/shadow", "targets.0.password_file"),
      ("rig: { id: r }", "rig: { id: r }\napi: { act: [eve] }", "api.act.0"),
      ("rig: { id: r }", "rig: { id: r }\napi: {}", "api"),
      ("{ method: logind }", "{}", "power"),
      (", password_file: /etc/platen/a", "", "targets.0.password_file"),
      ("/var/lib/platen", "/tmp/platen", "spool.directory"),
      ("directory: /var/lib/platen, ", "", "spool.directory"), ("1 GiB", "2 GiB", nil),
      ("frame_rate: 20", "frame_rate: 25", nil), ("http://x/", "http://y/", nil),
      ("id: r", "id: s", nil),
    ] as [(String, String, String?)])
  func `a reserved key is found in every notation`(
    _ old: String, _ new: String, _ key: String?
  ) {
    let changed = Self.text.replacing(old, with: new)
    #expect(changed != Self.text)
    #expect(ReservedKeys.firstChange(from: Self.text, to: changed) == key)
    #expect(ReservedKeys.firstChange(from: changed, to: changed) == nil)
  }
}
