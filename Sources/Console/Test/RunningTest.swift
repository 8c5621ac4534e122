/// A test that continues at the rig while a person reads or answers something.
struct RunningTest<Report: Sendable>: Sendable {
  /// The first event: the test's end, or the moment by which the rig would have refused.
  private enum Event: Sendable {
    case ended(Result<Report, RigClientError>)
    case begun
  }

  /// The time within which the rig has either refused or begun.
  private static var moment: Duration { .milliseconds(250) }

  private let request: @Sendable () async throws(RigClientError) -> Report

  /// Creates a test from the request that carries it out.
  init(_ request: @escaping @Sendable () async throws(RigClientError) -> Report) {
    self.request = request
  }

  /// Runs the test to its end; calls a function once the test has begun and still runs.
  func finish(
    _ whenBegun: @Sendable () async -> Void
  ) async throws(RigClientError) -> Report {
    let result = await withTaskGroup(of: Event.self) { group in
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

  /// Runs the test until a function returns, then ends the test.
  ///
  /// - Returns: no report when the function returned first, and no answer when the test ended
  ///   first.
  func during<Answer: Sendable>(
    _ whenBegun: @Sendable () async -> Answer
  ) async throws(RigClientError) -> (answer: Answer?, report: Report?) {
    let (answer, result) = await withTaskGroup(of: Event.self) { group in
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

  private func begin(_ group: inout TaskGroup<Event>) {
    group.addTask {
      do throws(RigClientError) {
        return .ended(.success(try await request()))
      } catch {
        return .ended(.failure(error))
      }
    }
    group.addTask {
      do { try await Task.sleep(for: Self.moment) } catch {
        // This task was canceled with the test; the test's own event counts.
        return .begun
      }
      return .begun
    }
  }
}
