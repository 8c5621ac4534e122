import ArgumentParser

/// The spool's part of the crash replay: the recorded workload and the referee.
///
/// The script `board/crash/test` runs the workload in a machine whose disk writes are recorded. The
/// script then makes the disk as a power cut at each point could have left it. The referee runs the
/// real start on each disk.
@main
struct PlatenCrash: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "platencrash",
    abstract: "Works on a spool and judges what a power cut left of it; used by board/crash/test.",
    subcommands: [CrashWorkload.self, CrashReferee.self])
}
