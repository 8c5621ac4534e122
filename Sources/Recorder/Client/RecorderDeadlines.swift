/// The time limits of a recorder, after which it is killed.
package struct RecorderDeadlines: Sendable, Hashable {
  /// The limit from the start of the program to the opened encoder.
  package var opening = Duration.seconds(15)
  /// The limit of the next word while frames are under way.
  ///
  /// The recorder writes to the page cache, which a full card stalls for seconds.
  package var recording = Duration.seconds(10)
  /// The limit of the next word while the file is closed, which waits for the card.
  package var closing = Duration.seconds(60)
  /// The limit of the wait for the end of a failed recorder's process.
  package var ending = Duration.seconds(5)

  package init() {}
}
