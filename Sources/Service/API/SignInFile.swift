import API
import Logging

/// The file of the browsers' sign-ins; without it, people sign in again after a restart.
struct SignInFile: SignInStore {
  private let file: KeptFile

  init(directory: String, logger: Logger) {
    file = KeptFile(
      directory: directory, name: "sign-ins.json", content: "sign-ins of browsers", logger: logger)
  }

  func read() async -> [UInt8]? { await file.read() }

  func write(_ bytes: [UInt8]) async -> Bool { await file.write(bytes) }
}
