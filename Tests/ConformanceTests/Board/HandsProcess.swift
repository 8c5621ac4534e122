import Devices
import Foundation

/// The virtual rig's `hands.py` in a process of its own, asked one call at a time.
///
/// A request and its answer are a line of JSON each: `{"call": "shutter.press", "args": [0.05]}`,
/// `{"result": ...}` or `{"error": "..."}`.
actor HandsProcess {
  /// An argument of a call.
  enum Argument: Encodable, Sendable {
    case int(Int), double(Double), string(String), strings([String])

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .int(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      case .strings(let value): try container.encode(value)
      }
    }
  }

  /// An error of the hands for a call.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private struct Request: Encodable {
    var call: String
    var args: [Argument]
  }

  private struct Answer<Result: Decodable>: Decodable {
    var result: Result?
    var error: String?
  }

  private static let program = """
    import json, sys
    sys.path.insert(0, sys.argv[1])
    import wiring
    from hands import Hands
    modules = None
    with open("/proc/cmdline") as file:
        for word in file.read().split():
            if word.startswith("platen.boot="):
                with open(word.removeprefix("platen.boot=")) as boot:
                    modules = wiring.HOST_ROOT + json.load(boot)["modules"]
    hands = Hands(modules)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            target = hands
            for name in request["call"].split("."):
                target = getattr(target, name)
            result = target(*request["args"])
            answer = {"result": {} if result is None else result}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
    """

  private let executor = DispatchQueueExecutor(label: "platen.test.hands")
  private let process = Process()
  private let requests = Pipe()
  private let answers = Pipe()
  private var received = Data()

  /// The actor's own queue, where it waits for answers.
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Starts the hands of a rig; they end with this object.
  ///
  /// - Parameter folder: the folder of `hands.py`.
  init(folder: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-B", "-c", Self.program, folder]
    process.standardInput = requests
    process.standardOutput = answers
    try process.run()
  }

  deinit {
    // The program ends with its input.
    try? requests.fileHandleForWriting.close()
  }

  /// Calls a method of `Hands` and returns its result.
  @discardableResult
  func call<Result: Decodable & Sendable>(
    _ name: String, _ arguments: Argument..., returning: Result.Type
  ) throws -> Result {
    var request = try JSONEncoder().encode(Request(call: name, args: arguments))
    request.append(UInt8(ascii: "\n"))
    try requests.fileHandleForWriting.write(contentsOf: request)
    let answer = try JSONDecoder().decode(Answer<Result>.self, from: line())
    if let error = answer.error { throw Failure(description: "\(name): \(error)") }
    guard let result = answer.result else { throw Failure(description: "\(name): no result") }
    return result
  }

  private func line() throws -> Data {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        defer { received = Data(received[(end + 1)...]) }
        return Data(received[..<end])
      }
      let more = answers.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Failure(description: "the hands have ended") }
      received.append(more)
    }
  }
}

/// The result of a method without a return value.
struct Nothing: Decodable, Sendable {}
