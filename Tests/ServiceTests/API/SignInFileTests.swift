import TestSupport
import Testing

@testable import Service

@Suite struct SignInFileTests {
  @Test func `the file has the sign-ins that were written last`() async throws {
    try await withTemporaryDirectory { directory in
      let file = SignInFile(directory: directory, logger: .silent)
      let before = await file.read()
      let first = await file.write([1, 2])
      let second = await file.write([3])
      let after = await SignInFile(directory: directory, logger: .silent).read()
      #expect(before == nil && first && second && after == [3])
    }
  }

  @Test func `a disk that fails costs no more than the sign-ins`() async throws {
    try await withTemporaryDirectory { directory in
      let file = SignInFile(directory: directory + "/nothing", logger: .silent)
      let isKept = await file.write([1])
      let after = await file.read()
      #expect(!isKept && after == nil)
    }
  }
}
