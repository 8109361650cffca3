import TideGraph

extension AnyTransformer {
  /// A Swift transformer that takes its time. It runs on the concurrency pool, or on its actor.
  static func waiting<Input: TideConvertible & Sendable, Output: TideConvertible & Sendable>(
    _ transform: @escaping @Sendable (Input) async throws -> Output
  ) -> Function {
    { value in
      let input = try Self.input(value, as: Input.self)
      throw PendingValue { table, completion in
        let post = try table.clock(for: "an asynchronous transformer").post
        let relay = Relay(completion)
        let task = Task {
          let result: Result<Output, any Error>
          do { result = .success(try await transform(input)) } catch { result = .failure(error) }
          post {
            let completion = relay.content
            relay.end()
            completion?(result.map { $0.makeValue() })
          }
        }
        return {
          relay.end()
          task.cancel()
        }
      }
    }
  }
}
