import Testing

@testable import API

@Suite struct AccessPolicyTests {
  typealias Accounts = AccessPolicy.Accounts

  private func caller(_ user: UInt32, groups: Set<UInt32> = []) -> Caller {
    Caller(
      account: .user(user), name: nil, groupIDs: groups, origin: .unixSocket(processID: 1))
  }

  struct Case: Sendable {
    var readers: Accounts?
    var operators: Accounts?
    var user: UInt32 = 1000
    var groups: Set<UInt32> = [1000]
    var mayRead: Bool
    var mayAct: Bool
  }

  static let cases = [
    Case(mayRead: true, mayAct: true),
    Case(readers: Accounts(), mayRead: false, mayAct: false),
    Case(readers: Accounts(users: [1000]), mayRead: true, mayAct: true),
    Case(readers: Accounts(groups: [1000]), mayRead: true, mayAct: true),
    Case(readers: Accounts(groups: [7]), mayRead: false, mayAct: false),
    Case(operators: Accounts(), mayRead: true, mayAct: false),
    Case(operators: Accounts(groups: [5, 1000]), mayRead: true, mayAct: true),
    Case(
      readers: Accounts(users: [1000]), operators: Accounts(users: [1001]), mayRead: true,
      mayAct: false),
    Case(
      readers: Accounts(users: [1001]), operators: Accounts(users: [1000]), mayRead: true,
      mayAct: true),
    // A user's number is not a group's number.
    Case(readers: Accounts(groups: [1000]), groups: [7], mayRead: false, mayAct: false),
    Case(readers: Accounts(users: [7]), groups: [7], mayRead: false, mayAct: false),
    Case(readers: Accounts(), operators: Accounts(), user: 0, mayRead: true, mayAct: true),
    Case(readers: Accounts(), operators: Accounts(), user: 990, mayRead: true, mayAct: true),
    Case(
      readers: Accounts(), operators: Accounts(), groups: [0, 990], mayRead: false, mayAct: false),
  ]

  @Test(arguments: cases)
  func `the policy permits each case as listed`(_ item: Case) {
    let policy = AccessPolicy(
      readers: item.readers, operators: item.operators, serviceUser: 990)
    let caller = caller(item.user, groups: item.groups)
    #expect(policy.permits(.read, to: caller) == item.mayRead)
    #expect(policy.permits(.act, to: caller) == item.mayAct)
  }

  @Test func `an unknown caller may do nothing`() {
    for permission in Permission.allCases {
      #expect(!AccessPolicy().permits(permission, to: .unknown))
    }
  }

  @Test func `the named setting is the one that refuses`() {
    let both = AccessPolicy(readers: Accounts(), operators: Accounts())
    #expect(both.setting(for: .read, of: .unknown) == "api.read")
    #expect(both.setting(for: .act, of: .unknown) == "api.act")
    #expect(AccessPolicy(readers: Accounts()).setting(for: .act, of: .unknown) == "api.read")
  }

  @Test func `accounts have names`() throws {
    #expect(AccountNames.userName(0) == "root")
    #expect(AccountNames.userName(4_000_000_000) == nil)
    let numbers = (
      try AccountNames.number(of: "root", .user), try AccountNames.number(of: "root", .group),
      try AccountNames.number(of: "no-such-account", .user),
      try AccountNames.number(of: "no-such-account", .group)
    )
    #expect(numbers == (0, 0, nil, nil))
  }
}
