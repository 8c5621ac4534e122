import API
import Devices
import Foundation
package import Settings

/// The sections `api.read` and `api.act`: users and groups of this machine.
package struct AccountsSection: SettingsPart, Hashable {
  /// A name and its place in the file.
  package struct Name: Sendable, Hashable {
    /// The name.
    package let text: String
    /// The name's place.
    package let place: ConfigurationPlace
  }

  /// The users.
  package var users: [Name] = []
  /// The groups.
  package var groups: [Name] = []

  /// Makes the section without names.
  package init() {}

  /// The keys of the section.
  package static let settings: [Setting<AccountsSection>] = [
    names(\.users, "users", .user), names(\.groups, "groups", .group),
  ]

  /// Returns the numbers of the names; the directory of accounts determines the time it takes.
  ///
  /// - Parameter problems: the list that gets a sentence for each name without a number.
  func accounts(_ problems: inout [String]) -> AccessPolicy.Accounts {
    AccessPolicy.Accounts(
      users: Self.numbers(of: users, .user, &problems),
      groups: Self.numbers(of: groups, .group, &problems))
  }

  private static func names(
    _ property: any WritableKeyPath<AccountsSection, [Name]> & Sendable, _ key: String,
    _ kind: AccountNames.Kind
  ) -> Setting<AccountsSection> {
    let form = SettingForm<String>(
      "text", range: "names of \(key)", expected: "a \(kind.rawValue)'s name", text: { $0 },
      parse: { text in
        let isName =
          (1...256).contains(text.utf8.count)
          && !text.unicodeScalars.contains { $0.value <= 0x20 || $0.value == 0x7F || $0 == ":" }
        return isName ? text : nil
      })
    return Setting([ConfigurationKey(key, "list", form.range, "the permitted \(key)")]) {
      section, accounts in
      guard let texts = section.list(key, of: form) else { return }
      accounts[keyPath: property] = texts.enumerated().map { index, text in
        Name(text: text, place: section.place(of: key, element: index))
      }
    }
  }

  private static func numbers(
    of names: [Name], _ kind: AccountNames.Kind, _ problems: inout [String]
  ) -> Set<UInt32> {
    var numbers: Set<UInt32> = []
    for name in names {
      do throws(POSIXError) {
        if let number = try AccountNames.number(of: name.text, kind) {
          numbers.insert(number)
        } else {
          problems.append(
            name.place.issue("there is no \(kind.rawValue) \"\(name.text)\" on this machine")
              .description)
        }
      } catch {
        problems.append(
          name.place.issue(
            "the \(kind.rawValue) \"\(name.text)\" cannot be looked up: "
              + "\(SystemError(error.code.rawValue))"
          ).description)
      }
    }
    return numbers
  }
}
