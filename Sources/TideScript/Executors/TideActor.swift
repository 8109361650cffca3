/// A global actor with a thread of its own: the place for runtimes and models beside the main actor.
///
/// ```swift
/// @TideActor func start() async throws {
///   let runtime = try Runtime(app: URL(filePath: "app.lua"))
///   try runtime.load()
///   _ = try await runtime.run()
/// }
/// ```
///
/// What is isolated to it shares one graph. A program that wants several threads gives its own actors a
/// ``TideExecutor`` each.
@globalActor
public actor TideActor {
  /// The actor.
  public static let shared = TideActor()

  private static let executor = TideExecutor()

  /// The executor with the thread that it runs on.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.executor.asUnownedSerialExecutor()
  }
}
