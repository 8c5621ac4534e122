#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A system call that failed.
struct SystemError: Error, Hashable {
  /// The calls that the spool makes.
  enum Call: String, Sendable {
    case open, write, read, sync, rename, unlink, makeDirectory, status, list, room, lock, commit
    case allocate

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
      }
    }
  }

  /// What kinds of failure are told apart.
  enum Kind: Sendable {
    case noRoom, noResources, other
  }

  /// The `errno`.
  let number: Int32
  /// The call.
  let call: Call
  /// The path it was about.
  let path: String

  init(_ call: Call, _ path: String, number: Int32 = errno) {
    self.number = number
    self.call = call
    self.path = path
  }

  var kind: Kind {
    switch number {
    case ENOSPC, EDQUOT, EFBIG: .noRoom
    case EMFILE, ENFILE, ENOMEM: .noResources
    default: .other
    }
  }

  /// The system's words.
  var message: String { String(cString: strerror(number)) }
}

/// What `lstat` says of a path.
struct FileStatus: Hashable, Sendable {
  enum Kind: Sendable { case regular, directory, other }

  var kind: Kind
  /// Bytes.
  var size: Int64
  /// The last change of the content, nanoseconds since 1970.
  var modifiedNanoseconds: Int64
}

/// What `statvfs` says of a file system.
struct FileSystemRoom: Hashable, Sendable {
  /// Bytes that an unprivileged process may use.
  var freeBytes: Int64
  /// Files that can still be made; `nil` where the file system has no such limit.
  var freeFiles: Int64?
}

/// The system calls under the spool, one by one and in the order in which they are made.
///
/// Tests put a layer here that fails, crashes or forgets at a chosen call. The database makes its
/// own calls through SQLite; of it the layer sees where a commit begins and ends, and where it comes
/// to the rows of the old history.
protocol FileSystem: Sendable {
  func open(_ path: String, flags: Int32, mode: UInt32) throws(SystemError) -> Int32
  func write(_ descriptor: Int32, _ bytes: RawSpan, path: String) throws(SystemError) -> Int
  func read(
    _ descriptor: Int32, into buffer: inout [UInt8], path: String
  ) throws(SystemError) -> Int
  func sync(_ descriptor: Int32, path: String) throws(SystemError)
  /// Forces everything that was written to the file system of a directory to stable storage
  /// (`syncfs`); Linux 5.8 and later say when that fails.
  func syncFileSystem(_ directory: String) throws(SystemError)
  /// Gives a file blocks of its own (`posix_fallocate`).
  func allocate(_ descriptor: Int32, bytes: Int64, path: String) throws(SystemError)
  func lock(_ descriptor: Int32, path: String) throws(SystemError)
  func unlock(_ descriptor: Int32)
  func close(_ descriptor: Int32)
  func rename(_ path: String, to newPath: String) throws(SystemError)
  func unlink(_ path: String) throws(SystemError)
  func makeDirectory(_ path: String, mode: UInt32) throws(SystemError)
  func status(_ path: String) throws(SystemError) -> FileStatus?
  func list(_ path: String) throws(SystemError) -> [String]
  func room(_ path: String) throws(SystemError) -> FileSystemRoom
  func willCommit(_ commit: Commit) throws(SystemError)
  func didCommit(_ commit: Commit)
  func willPrune() throws(SystemError)
}

/// The transactions that the spool commits, by what they are for.
enum Commit: Hashable, Sendable {
  case schema, migrate, boot, pressNumbers, pause, recount
  /// No transaction: the log is copied back into the database.
  case checkpoint
  /// So many items wait for targets that are new.
  case assign(Int)
  case enqueue(ItemID)
  case adopt(Int)
  case attempt(ItemID)
  case resumeState(ItemID)
  case park(ItemID)
  /// So many items wait again.
  case retry(Int)
  case done(ItemID)
  /// So many duplicates are done with their originals' receipts.
  case duplicates(Int)
  case quarantine(ItemID)
  case evict(Int)
  case delete(ItemID)
  /// A quarantined item waits again.
  case restore(ItemID)
  /// So many rows of the queue cannot be read.
  case setAside(Int)
  /// So many presses are entered, or given an outcome.
  case presses(Int)
}
