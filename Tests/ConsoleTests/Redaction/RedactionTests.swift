import API
import Testing

@testable import Console

/// The data that leaves a rig, and the data that does not.
@Suite struct RedactionTests {
  @Test(
    arguments: [
      // Names with their values.
      ("password: hunter2", "password: (redacted)"),
      ("  password:   two words # and a remark", "  password:   (redacted)"),
      ("user=bob password=hunter2 after=it", "user=bob password=(redacted)"),
      (
        "{\"password\":\"hunter2\",\"user\":\"bob\"}",
        "{\"password\":\"(redacted)\",\"user\":\"bob\"}"
      ),
      ("{\"password\": \"hun\\\"ter2\", \"a\": 1}", "{\"password\": \"(redacted)\", \"a\": 1}"),
      ("x=\"{\\\"token\\\":\\\"hunter2\\\"}\" y", "x=\"{\\\"token\\\":\\\"(redacted)\\\"}\" y"),
      ("secret: 'it''s hunter2'", "secret: (redacted)"),
      ("token: \"abc\"def", "token: (redacted)"), ("apiKey = abc", "apiKey = (redacted)"),
      ("access_key_id: AKIAIOSFODNN7EXAMPLE", "access_key_id: (redacted)"),
      ("session.token: x", "session.token: (redacted)"),
      ("wpa_psk=0123", "wpa_psk=(redacted)"), ("pwd=a", "pwd=(redacted)"),
      ("tokens: { a: { hash: x } }", "tokens: (redacted)"),
      ("Authorization: Bearer abcdefgh", "Authorization: (redacted)"),
      ("sent Bearer abcdefgh to it", "sent Bearer (redacted) to it"),
      ("sent Basic Ym9iOmh1bnRlcjI= to it", "sent Basic (redacted) to it"),
      ("curl --password hunter2 -v", "curl --password (redacted) -v"),
      ("curl -u bob:hunter2 -v", "curl -u (redacted) -v"),
      ("the password is hunter2, he said", "the password is (redacted) he said"),
      ("{\"hasPassword\":true,\"token\":null}", "{\"hasPassword\":true,\"token\":null}"),
      // References.
      ("password_file: /etc/platen/password", "password_file: /etc/platen/password"),
      ("password_file: hunter2", "password_file: (redacted)"),
      ("password_file: /x hunter2", "password_file: /x hunter2"),
      ("secret_key_file: credential:s3", "secret_key_file: credential:s3"),
      ("no \"credential:s3\" is loaded", "no \"credential:s3\" is loaded"),
      ("token: credential:archive", "token: credential:archive"),
      ("token: credential:a/../b?hunter2", "token: (redacted)"),
      // Addresses.
      ("to https://bob:hunter2@host/x", "to https://(redacted)@host/x"),
      ("to https://hunter2@host/x", "to https://(redacted)@host/x"),
      ("to https://bob:a/b@c#d?e f@host/x y", "to https://(redacted) y"),
      ("to https://host/x?sig=a@b y", "to https://(redacted) y"),
      ("to https://bob:a@host/x?sig=b@c y", "to https://(redacted) y"),
      (
        "url \"https://host:8080/x?sig=hunter2&a=b\" end",
        "url \"https://host:8080/x?(redacted)\" end"
      ),
      ("https://host/x#hunter2", "https://host/x#(redacted)"),
      ("https://host:8080/x failed for a@b", "https://host:8080/x failed for a@b"),
      ("unix:///run/platen/platend.sock", "unix:///run/platen/platend.sock"),
      ("rsync bob:hunter2@host", "rsync (redacted)@host"),
      ("user@1000.service at 12:30:11", "user@1000.service at 12:30:11"),
      // Forms.
      ("used platen_abcdefghijkl", "used (redacted)"),
      ("the key wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY fails", "the key (redacted) fails"),
      ("x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln-bmF0dXJl y", "x (redacted) y"),
      (
        "-----BEGIN PRIVATE KEY-----\nMIIE\nabc\n-----END PRIVATE KEY-----\nnext",
        "(redacted)\n\n\n\nnext"
      ),
      (
        "k=\"-----BEGIN EC PRIVATE KEY-----\\nMHc\\n-----END EC PRIVATE KEY-----\" z",
        "k=\"(redacted)\" z"
      ),
    ])
  func `a line is redacted`(_ text: String, _ expected: String) {
    #expect(Redaction.redacting(text) == expected)
    #expect(Redaction.redacting(expected) == expected, "what is redacted stays as it is")
  }

  @Test(
    arguments: [
      "2026-11-22T17:46:29.123Z  notice    platend: starting board=simulated rig.id=rig-7",
      "camera.id=/base/soc/i2c0mux/i2c@1/imx708@1a frame=1234",
      "/var/lib/platen/spool/2026/11/000001-0000000042-0123456789abcdef.jpg",
      "sha256=" + String(repeating: "0123456789abcdef", count: 4),
      "boot 5f1d7a9e-3c52-4b9e-9d0b-9a1d2c3b4a5f", "-----BEGIN CERTIFICATE-----",
      "GET /v1/presses?limit=20&outcome=refused", "MAC b8:27:eb:01:02:03, 192.168.1.7/24",
      "Nov 22 17:46:29 rig-7 systemd[1]: Started serial-getty@ttyS0.service - Serial Getty.",
      "pinned_keys: none", "authority: none", "monkey: 3", "the tokenizer is idle",
    ])
  func `harmless text stays`(_ text: String) {
    #expect(Redaction.redacting(text) == text)
  }

  @Test func `the lines below a secret's name are removed`() {
    let text = """
      targets:
        archive:
          password: |
            hunter2
            hunter3

            hunter4
          url: https://host/
        tokens:
        - hunter5
        kind: put
      """
    let expected = """
      targets:
        archive:
          password: (redacted)
            (redacted)
            (redacted)

            (redacted)
          url: https://host/
        tokens:
        (redacted)
        kind: put
      """
    #expect(Redaction.redacting(text) == expected)
  }

  @Test func `JSON is redacted by its keys and in its texts`() throws {
    let value = try APICoding.decode(
      JSONValue.self,
      from: """
        {"a":[{"secretKey":["x"],"token":7,"passwordFile":"/etc/x","isToken":true,
        "text":"rig: x\\npassword: hunter2\\nurl: https://b:hunter2@h/"}],"metadata":{"password":"hunter2"}}
        """.utf8)
    let redacted = String(
      decoding: try APICoding.encode(Redaction.redacting(value)), as: UTF8.self)
    #expect(
      redacted == """
        {"a":[{"isToken":true,"passwordFile":"/etc/x","secretKey":"(redacted)",\
        "text":"rig: x\\npassword: (redacted)\\nurl: https://(redacted)@h/","token":"(redacted)"}],\
        "metadata":{"password":"(redacted)"}}
        """)
  }

  @Test func `an endless line is cut`() {
    let line = String(repeating: "a ", count: 40_000) + "hunter2"
    let redacted = Redaction.redacting(line + "\nnext")
    #expect(redacted.hasSuffix("bytes of this line were cut)\nnext"))
    #expect(!redacted.contains("hunter2") && redacted.utf8.count < 33_000)
  }
}
