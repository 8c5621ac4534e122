import API
import RigConfiguration
import Settings
import Testing

/// The section `api` of a file, and its mistakes.
@Suite struct APISectionTests {
  private func parse(_ extra: String) throws -> APISection {
    try PlatenConfiguration.parse(afterMinimum: extra).api
  }

  @Test func `the section has defaults`() throws {
    let section = try parse("")
    #expect(section.server.socketPath == "/run/platen/platend.sock")
    #expect(section.server.socketGroup == nil)
    #expect(section.server.requestRate == RequestRate.Limit(perSecond: 50, burst: 100))
    #expect(section.server.maximumListeners == 32)
    #expect(section.server.maximumViewers == 8)
    #expect(section.server.maximumConnections == 136)
    let policy = section.access().policy
    #expect(policy == AccessPolicy(), "whoever can open the socket may do both")
  }

  @Test func `every key of the section can be set`() throws {
    let section = try parse(
      """
      api:
        socket: /run/other.sock
        socket_group: staff
        read: { users: [daemon, nobody], groups: [games] }
        act:
          groups:
            - root
        rate: 0.2
        listeners: 1000
        preview_viewers: 64
      """)
    #expect(section.server.socketPath == "/run/other.sock" && section.server.socketGroup == "staff")
    #expect(section.server.requestRate == RequestRate.Limit(perSecond: 0.2, burst: 1))
    #expect(section.server.maximumListeners == 1000)
    #expect(section.server.maximumViewers == 64)
    let policy = section.access().policy
    let numbers = try ["daemon", "nobody"].map {
      try #require(try AccountNames.number(of: $0, .user))
    }
    let games = try #require(try AccountNames.number(of: "games", .group))
    #expect(policy.readers == AccessPolicy.Accounts(users: Set(numbers), groups: [games]))
    #expect(policy.operators == AccessPolicy.Accounts(groups: [0]))
  }

  @Test func `empty sections allow no account`() throws {
    let policy = try parse("api: { read: {}, act: { users: [] } }").access().policy
    #expect(policy.readers == AccessPolicy.Accounts())
    #expect(policy.operators == AccessPolicy.Accounts())
  }

  @Test func `unknown names are listed with their places`() throws {
    let section = try parse(
      """
      api:
        read:
          users: [root, no-such-user]
          groups:
            - root
            - no-such-group
        act: { users: [nor-this-one] }
      """)
    let access = section.access()
    #expect(
      access.problems == [
        "platen.yaml:6:19: \"api.read.users[1]\": there is no user \"no-such-user\" on this machine",
        "platen.yaml:9:9: \"api.read.groups[1]\": there is no group \"no-such-group\" on this machine",
        "platen.yaml:10:18: \"api.act.users[0]\": there is no user \"nor-this-one\" on this machine",
      ])
    // An unknown name stands for no account, and a known name is let in.
    #expect(access.policy.readers == AccessPolicy.Accounts(users: [0], groups: [0]))
    #expect(access.policy.operators == AccessPolicy.Accounts())
  }

  @Test(arguments: [
    ("api: { rate: 0 }", "api.rate", "above 0"), ("api: { rate: -1 }", "api.rate", "above 0"),
    ("api: { rate: 1001 }", "api.rate", "1000"), ("api: { rate: nan }", "api.rate", "number"),
    ("api: { rate: fast }", "api.rate", "\"fast\""),
    ("api: { listeners: 0 }", "api.listeners", "1 to 1000"),
    ("api: { listeners: 1001 }", "api.listeners", "1 to 1000"),
    ("api: { preview_viewers: 0 }", "api.preview_viewers", "1 to 64"),
    ("api: { preview_viewers: 65 }", "api.preview_viewers", "1 to 64"),
    ("api: { preview_viewers: some }", "api.preview_viewers", "1 to 64"),
    ("api: { read: everybody }", "api.read", "a section"),
    ("api: { read: { users: root } }", "api.read.users", "a list"),
    ("api: { act: { users: [\"\"] } }", "api.act.users[0]", "a user's name"),
    ("api: { act: { groups: [a, \"b c\"] } }", "api.act.groups[1]", "a group's name"),
    ("api: { act: { groups: [\"a:b\"] } }", "api.act.groups[0]", "a group's name"),
    ("api: { act: { user: [root] } }", "api.act.user", "did you mean \"users\""),
    ("api: { write: {} }", "api.write", "unknown key"),
  ])
  func `a mistake is reported with its key and line`(_ text: String, key: String, mentions: String)
    throws
  {
    #expect {
      try parse(text)
    } throws: { error in
      let issues = (error as? ConfigurationErrors)?.issues ?? []
      return issues.count == 1 && issues[0].key == key && issues[0].line == 4
        && issues[0].problem.contains(mentions)
    }
  }

  @Test func `the socket's path has a maximum length`() {
    let path = "/" + String(repeating: "a", count: 107)
    #expect(throws: ConfigurationErrors.self) { try parse("api: { socket: \(path) }") }
  }
}
