import ArgumentParser

/// The spool's part of the crash replay: what is recorded, and who judges what is left.
///
/// `board/crash/test` runs the workload in a machine whose disk writes are recorded, makes the disk
/// as a power cut at each point could have left it, and has the referee run the real start on it.
@main
struct PlatenCrash: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "platencrash",
    abstract: "Works on a spool and judges what a power cut left of it; used by board/crash/test.",
    subcommands: [CrashWorkload.self, CrashReferee.self])
}
