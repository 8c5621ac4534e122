/// Rules for secrets recognized by their place in an address or by their form.
extension SecretScanner {
  /// Hides the user, password, query and fragment of URLs.
  ///
  /// The form `user:password@host` without a scheme is hidden too.
  mutating func hideAddresses() {
    var index = 0
    let separator = Array("://".utf8)
    while let found = line[index...].firstRange(of: separator) {
      let start = found.upperBound
      let end =
        line[start...].firstIndex { Self.isQuote($0) || "<>".utf8.contains($0) } ?? line.count
      index = hideUser(from: start, to: end)
      index = hideQuery(from: index)
    }
    hideUsersWithoutScheme()
  }

  /// Hides the user of a URL.
  ///
  /// - Returns: the position where the host begins.
  private mutating func hideUser(from start: Int, to end: Int) -> Int {
    let isAt: (UInt8) -> Bool = { $0 == UInt8(ascii: "@") }
    let rest = line[start..<end]
    let authority = rest.prefix { !"/?# \t".utf8.contains($0) }
    // A password may contain forbidden characters, even spaces once the password has begun.
    let hasPassword = authority.contains(UInt8(ascii: ":")) && !Self.endsWithPort(authority)
    guard let at = (hasPassword ? rest : rest.prefix { $0 > 0x20 }).lastIndex(where: isAt) else {
      return start
    }
    // Text behind such a host may belong to the password, so the whole word is removed.
    let stop: Int =
      at < authority.endIndex ? at : line[at..<end].firstIndex { $0 <= 0x20 } ?? end
    line.replaceSubrange(start..<stop, with: Redaction.mark.utf8)
    return start + Redaction.mark.utf8.count
  }

  private static func endsWithPort(_ authority: ArraySlice<UInt8>) -> Bool {
    let parts = authority.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return parts.count == 2 && (1...5).contains(parts[1].count)
      && parts[1].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private mutating func hideQuery(from start: Int) -> Int {
    let isEnd: (UInt8) -> Bool = { $0 <= 0x20 || Self.isQuote($0) || "<>".utf8.contains($0) }
    let end = line[start...].firstIndex(where: isEnd) ?? line.count
    guard
      let query = line[start..<end].firstIndex(where: {
        $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
      })
    else { return end }
    line.replaceSubrange((query + 1)..<end, with: Redaction.mark.utf8)
    return query + 1 + Redaction.mark.utf8.count
  }

  private mutating func hideUsersWithoutScheme() {
    var result: [UInt8] = []
    result.reserveCapacity(line.count)
    for byte in line {
      if byte == UInt8(ascii: "@") {
        let run = result.suffix(while: {
          $0 > 0x20 && !Self.isQuote($0) && !",(<[{=/".utf8.contains($0)
        })
        if let colon = run.firstIndex(of: UInt8(ascii: ":")), colon > run.startIndex,
          colon < run.endIndex - 1
        {
          result.removeLast(run.count)
          result += Redaction.mark.utf8
        }
      }
      result.append(byte)
    }
    line = result
  }

  /// Hides text that looks like a key by its form.
  mutating func hideForms() {
    var result: [UInt8] = []
    result.reserveCapacity(line.count)
    var index = 0
    while index < line.count {
      guard Self.isKeyByte(line[index]) else {
        result.append(line[index])
        index += 1
        continue
      }
      var end = run(from: index)
      if SecretWords.looksLikeKey(line[index..<end]) {
        // A signed token has three parts, separated by full stops.
        while end + 1 < line.count, line[end] == UInt8(ascii: "."), Self.isKeyByte(line[end + 1]) {
          end = run(from: end + 1)
        }
        while end < line.count, line[end] == UInt8(ascii: "=") { end += 1 }
        result += Redaction.mark.utf8
      } else {
        result += line[index..<end]
      }
      index = end
    }
    line = result
  }

  private func run(from start: Int) -> Int {
    line[start...].firstIndex { !Self.isKeyByte($0) } ?? line.count
  }

  private static func isKeyByte(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: ".") && SecretWords.isWordByte(byte) || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: "/")
  }
}

extension BidirectionalCollection {
  /// Returns the longest suffix whose elements all satisfy a condition.
  fileprivate func suffix(while isWanted: (Element) -> Bool) -> SubSequence {
    var start = endIndex
    while start != startIndex, isWanted(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}
