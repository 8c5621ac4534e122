import Devices
import Glibc

/// A failed call of a ``FileSystem``.
struct FileSystemError: Error, Hashable {
  /// The system calls that the spool makes.
  enum Call: String, Sendable {
    case open, write, read, sync, rename, unlink, makeDirectory, status, list, room, lock, commit
    case allocate, link, truncate, dropPages

    /// The clause for people.
    var problem: String {
      switch self {
      case .open: "cannot be opened"
      case .write: "cannot be written"
      case .read: "cannot be read"
      case .sync: "cannot be forced to stable storage"
      case .rename: "cannot be renamed"
      case .unlink: "cannot be removed"
      case .makeDirectory: "cannot be made"
      case .status: "cannot be examined"
      case .list: "cannot be listed"
      case .room: "does not say how much room it has"
      case .lock: "cannot be locked"
      case .commit: "cannot commit to the database"
      case .allocate: "cannot be given its room"
      case .link: "cannot be given a second name"
      case .truncate: "cannot be cut off"
      case .dropPages: "cannot be dropped from the page cache"
      }
    }
  }

  /// The kinds of failure that the spool distinguishes.
  enum Kind: Sendable {
    case noRoom, noResources, other
  }

  private let error: SystemError
  /// The call.
  let call: Call
  /// The path that the call was about.
  let path: String

  init(_ call: Call, _ path: String, number: Int32 = errno) {
    error = SystemError(number)
    self.call = call
    self.path = path
  }

  /// The `errno`.
  var number: Int32 { error.number }

  var kind: Kind {
    switch number {
    case ENOSPC, EDQUOT, EFBIG: .noRoom
    case _ where error.isResourceShortage: .noResources
    default: .other
    }
  }

  /// The system's message.
  var message: String { error.description }
}

/// The result of `lstat` for a path, or of `fstat` for an open file.
struct FileStatus: Hashable, Sendable {
  enum Kind: Sendable { case regular, directory, other }

  /// The file itself, whatever its names are.
  struct Identity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
  }

  var kind: Kind
  /// The length in bytes.
  var size: Int64
  /// The time of the last change of the content, in nanoseconds since 1970.
  var modifiedNanoseconds: Int64
  var identity: Identity
}

/// The result of `statvfs` for a file system.
struct FileSystemRoom: Hashable, Sendable {
  /// The bytes that an unprivileged process may use.
  var freeBytes: Int64
  /// The number of files that can still be made; `nil` where the file system has no such limit.
  var freeFiles: Int64?
}

/// The system calls under the spool, one by one and in the order in which they are made.
///
/// Tests insert a layer that fails, crashes or forgets at a chosen call. The database makes its
/// own calls through SQLite. The layer sees the beginning and the end of each commit, and the
/// point where a commit comes to the rows of the old history.
protocol FileSystem: Sendable {
  func open(_ path: String, flags: Int32, mode: UInt32) throws(FileSystemError) -> Int32
  func write(_ descriptor: Int32, _ bytes: RawSpan, path: String) throws(FileSystemError) -> Int
  func read(
    _ descriptor: Int32, into buffer: inout [UInt8], path: String
  ) throws(FileSystemError) -> Int
  /// Moves the place of the next read or write (`lseek`).
  func seek(_ descriptor: Int32, to offset: Int64, path: String) throws(FileSystemError)
  /// Cuts a file off after a number of bytes (`ftruncate`).
  func truncate(_ descriptor: Int32, to bytes: Int64, path: String) throws(FileSystemError)
  func sync(_ descriptor: Int32, path: String) throws(FileSystemError)
  /// Drops the pages of a synchronized file, so that the disk is read next (`posix_fadvise`).
  func dropPages(_ descriptor: Int32, path: String) throws(FileSystemError)
  /// Forces all writes to a directory's file system to stable storage (`syncfs`).
  ///
  /// Linux 5.8 and later report a failure.
  func syncFileSystem(_ directory: String) throws(FileSystemError)
  /// Gives a file blocks of its own (`posix_fallocate`).
  func allocate(_ descriptor: Int32, bytes: Int64, path: String) throws(FileSystemError)
  func lock(_ descriptor: Int32, path: String) throws(FileSystemError)
  func unlock(_ descriptor: Int32)
  func close(_ descriptor: Int32)
  func rename(_ path: String, to newPath: String) throws(FileSystemError)
  /// Gives a file a second name on its file system (`link`).
  func link(_ path: String, to newPath: String) throws(FileSystemError)
  func unlink(_ path: String) throws(FileSystemError)
  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError)
  func status(_ path: String) throws(FileSystemError) -> FileStatus?
  /// Examines an open file (`fstat`).
  func status(of descriptor: Int32, path: String) throws(FileSystemError) -> FileStatus
  func list(_ path: String) throws(FileSystemError) -> [String]
  func room(_ path: String) throws(FileSystemError) -> FileSystemRoom
  func willCommit(_ commit: Commit) throws(FileSystemError)
  func didCommit(_ commit: Commit)
  func willPrune() throws(FileSystemError)
}

/// The transactions that the spool commits, by their purpose.
enum Commit: Hashable, Sendable {
  case schema, migrate, boot, pressNumbers, pause, recount
  /// The log is copied back into the database, without a transaction.
  case checkpoint
  /// The given number of items now waits for new targets.
  case assign(Int)
  case enqueue(ItemID)
  /// The given number of items is stored together.
  case group(Int)
  case adopt(Int)
  case attempt(ItemID)
  case resumeState(ItemID)
  case park(ItemID)
  /// The given number of items waits again.
  case retry(Int)
  case done(ItemID)
  /// The given number of duplicates is done with the receipts of the originals.
  case duplicates(Int)
  case quarantine(ItemID)
  case evict(Int)
  case delete(ItemID)
  /// A quarantined item waits again.
  case restore(ItemID)
  /// The given number of rows of the queue cannot be read.
  case setAside(Int)
  /// A final picture is begun, or replaces its proxy, or the proxy is kept as the final picture.
  case proxy(ItemID)
  /// The given number of presses is entered or given an outcome.
  case presses(Int)

  /// Whether the commit can change the number of deliveries that wait or are parked.
  var changesQueues: Bool {
    switch self {
    case .pressNumbers, .pause, .checkpoint, .attempt, .resumeState, .boot, .presses: false
    case .schema, .migrate, .recount, .assign, .enqueue, .group, .adopt, .park, .retry, .done,
      .duplicates, .quarantine, .evict, .delete, .restore, .setAside, .proxy:
      true
    }
  }
}
