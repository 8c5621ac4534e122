import CFileCalls
import Glibc

/// A program that was started (`posix_spawn`), and our ends of its standard descriptors.
struct StartedProgram {
  /// Our ends of the standard input, output and error; -1 for none.
  private(set) var ends: [Int32] = [-1, -1, -1]
  /// A descriptor that is readable from the program's end on; -1 for none.
  private(set) var life: Int32 = -1
  /// The process ID.
  private(set) var process: pid_t = 0
  /// The `errno` of a program that was not started; 0 otherwise.
  private(set) var failure: Int32 = 0

  /// Starts a program; blocks while its file is read.
  init(_ program: LocalProgram) {
    var theirs = ends
    for standard in ends.indices where program.descriptors[Int32(standard)] == nil {
      guard standard > 0 || !program.input.isEmpty else { continue }
      var pair: [Int32] = [-1, -1]
      if pipe(&pair) != 0 { failure = errno }
      for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      if standard == 0 {
        pair.reverse()
        _ = fcntl(pair[0], F_SETFL, O_NONBLOCK)
      }
      (ends[standard], theirs[standard]) = (pair[0], pair[1])
    }
    if failure == 0 {
      failure = Self.spawn(
        program, theirs.indices.map { program.descriptors[Int32($0)] ?? theirs[$0] }, &process)
    }
    for end in theirs where end >= 0 { close(end) }
    guard failure != 0 else {
      life = CFileCalls_openProcess(process)
      return
    }
    for end in ends where end >= 0 { close(end) }
  }

  /// Starts a program with descriptors for its standard ones, -1 for none.
  ///
  /// - Returns: 0, or an `errno`.
  private static func spawn(
    _ program: LocalProgram, _ descriptors: [Int32], _ process: inout pid_t
  ) -> Int32 {
    // The actions replace 0, 1 and 2 in this order. A descriptor whose number is replaced before
    // its turn is moved away; a pipe has such a number where we were started without standard ones.
    var descriptors = descriptors
    var copies: [Int32] = []
    defer { for copy in copies { close(copy) } }
    for standard in descriptors.indices where (0..<standard).contains(Int(descriptors[standard])) {
      let copy = fcntl(descriptors[standard], F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { return errno }
      copies.append(copy)
      descriptors[standard] = copy
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (standard, descriptor) in zip(Int32(0)..., descriptors) {
      if descriptor < 0 {
        posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0)
      } else {
        posix_spawn_file_actions_adddup2(&actions, descriptor, standard)
      }
    }
    CFileCalls_closeFrom(&actions, 3)
    // Our threads block signals and a service ignores some; a program must inherit neither. In a
    // group of its own it gets no signal of our terminal, and it can be killed with its children. A
    // console ignores `SIGTTOU`, which may stop such a group at its first output to the terminal.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    sigdelset(&signals, SIGTTOU)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
    let arguments = strings([program.path] + program.arguments)
    let environment = strings((program.environment ?? [:]).map { "\($0)=\($1)" })
    defer { for string in arguments + environment { free(string) } }
    return program.environment == nil
      ? posix_spawn(&process, program.path, &actions, &attributes, arguments, environ)
      : posix_spawn(&process, program.path, &actions, &attributes, arguments, environment)
  }

  /// Returns copies of texts for C, and a null pointer as the last.
  private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }
}
