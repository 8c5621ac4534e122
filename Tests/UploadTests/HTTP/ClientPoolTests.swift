import Devices
import Dispatch
import Testing
import Transfer

@testable import Upload

@Suite(.timeLimit(.minutes(5))) struct ClientPoolTests {
  private actor Client: TransferClient {
    nonisolated let tasks: ActorTasks
    nonisolated let executor = DispatchQueueExecutor(label: "platen.test.client")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      executor.asUnownedSerialExecutor()
    }

    init() {
      tasks = ActorTasks(on: executor, runsOnLentThreads: false)
    }

    func request() { dispatchPrecondition(condition: .onQueue(executor.queue)) }
  }

  @Test func `a delivery goes on on the queue of its client`()
    async throws
  {
    let pool = ClientPool { Client() }
    for _ in 0..<100 {
      try await pool.withClient { client throws(DeliveryFailure) in
        await client.request()
        dispatchPrecondition(condition: .onQueue(client.executor.queue))
        // A wait for somebody else ends on the queue as well.
        await Task {}.value
        dispatchPrecondition(condition: .onQueue(client.executor.queue))
      }
    }
  }

  @Test func `each simultaneous delivery has a client of its own, which the next one gets`()
    async throws
  {
    let pool = ClientPool { Client() }
    let (first, second, third) = try await pool.withClient { one throws(DeliveryFailure) in
      let two = try await pool.withClient { client throws(DeliveryFailure) in client }
      let three = try await pool.withClient { client throws(DeliveryFailure) in client }
      return (one, two, three)
    }
    #expect(first !== second && second === third)
  }
}
