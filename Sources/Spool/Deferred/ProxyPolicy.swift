/// The handling of proxies at a target: of pictures whose final version follows.
///
/// Proxy and final picture have different remote names, so no kind of target replaces an object.
package enum ProxyPolicy: String, Sendable, Hashable, CaseIterable {
  /// The target gets only the final picture.
  case finalOnly = "final-only"
  /// The target gets the version that there is, and nothing more after a proxy.
  case proxyFirst = "proxy-first"
  /// The target gets the proxy, and then the final picture under another name.
  case both
}

/// The state of a proxy, as a part of its metadata.
package struct ProxyState: Sendable, Hashable, Codable {
  /// The number of attempts to make the final picture that failed by themselves.
  package private(set) var attempts = 0
  /// The number of attempts that the end of a boot cut off; `nil` for none.
  package private(set) var cutAttempts: Int?
  /// The number of the boot in which an attempt began that has not ended; `nil` for none.
  private(set) var attemptBoot: Int64?
  /// The receipts of the targets that have the proxy and get the final picture too.
  var receipts: [String: Receipt] = [:]

  /// Counts an attempt that has neither replaced nor kept the proxy.
  ///
  /// Within a boot the attempt failed, or it ended the process, for example by its memory. In a
  /// later boot the power may have been cut, or the attempt has brought the machine down.
  mutating func countAttempt(now boot: Int64) {
    guard let begun = attemptBoot.take() else { return }
    if begun == boot { attempts += 1 } else { cutAttempts = (cutAttempts ?? 0) + 1 }
  }

  /// Takes an attempt back that something else has ended.
  mutating func withdrawAttempt() { attemptBoot = nil }

  /// Begins an attempt, after the one before was counted.
  mutating func beginAttempt(now boot: Int64) {
    countAttempt(now: boot)
    attemptBoot = boot
  }
}

/// A picture whose final version is still to be made.
package struct DeferredProxy: Sendable, Hashable {
  /// The item.
  package let id: ItemID
  /// The proxy's metadata.
  package let metadata: ItemMetadata
  /// The length of the source in bytes.
  package let sourceBytes: Int64
  /// Whether the proxy is in quarantine, so that the frames are the only good copy of the picture.
  package var isQuarantined = false
}
