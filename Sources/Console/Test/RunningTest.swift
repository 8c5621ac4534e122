/// A test that goes on at the rig while a person is told or asked something.
struct RunningTest<Report: Sendable>: Sendable {
  /// What comes first: the report, or the moment in which the rig would have refused.
  private enum News: Sendable {
    case ended(Result<Report, RigClientError>)
    case begun
  }

  /// Within this the rig has refused or begun.
  private static var moment: Duration { .milliseconds(250) }

  private let request: @Sendable () async throws(RigClientError) -> Report

  /// Makes a test of the request that carries it out.
  init(_ request: @escaping @Sendable () async throws(RigClientError) -> Report) {
    self.request = request
  }

  /// Runs the test to its end; does something once it has begun and is not over.
  func finish(
    _ whenBegun: @Sendable () async -> Void
  ) async throws(RigClientError) -> Report {
    let result = await withTaskGroup(of: News.self) { group in
      begin(&group)
      if case .ended(let result)? = await group.next() {
        group.cancelAll()
        return result
      }
      await whenBegun()
      if case .ended(let result)? = await group.next() { return result }
      return .failure(.incomprehensible("the test has no end."))
    }
    return try result.get()
  }

  /// Runs the test until something else is done, and ends it then.
  ///
  /// - Returns: `nil` when the test was ended in that way.
  func during<Answer: Sendable>(
    _ whenBegun: @Sendable () async -> Answer
  ) async throws(RigClientError) -> (answer: Answer?, report: Report?) {
    let (answer, result) = await withTaskGroup(of: News.self) { group in
      begin(&group)
      if case .ended(let result)? = await group.next() {
        group.cancelAll()
        return (Answer?.none, Result<Report, RigClientError>?.some(result))
      }
      let answer = await whenBegun()
      group.cancelAll()
      return (answer, nil)
    }
    return (answer, try result?.get())
  }

  private func begin(_ group: inout TaskGroup<News>) {
    group.addTask {
      do throws(RigClientError) {
        return .ended(.success(try await request()))
      } catch {
        return .ended(.failure(error))
      }
    }
    group.addTask {
      do { try await Task.sleep(for: Self.moment) } catch {
        // Ended with the test; its own news counts.
        return .begun
      }
      return .begun
    }
  }
}
