import Tidelock

/// A customer with a runtime of its own: what its script breaks is nobody else's business.
///
/// Requests are answered side by side. While one waits for the database, the actor is free.
actor Tenant {
  private let name: String
  private let script: String
  private let database: Database
  private var runtime: Runtime?
  private var isClosed = false

  init(_ name: String, script: String, database: Database) {
    self.name = name
    self.script = script
    self.database = database
  }

  /// Calls a function of the script. When the task is cancelled, so is the call.
  func call(_ function: String) async throws -> String {
    let budget = LuaBudget(time: .milliseconds(100))
    do {
      return try await opened().call(function, "apples", "figs", as: String.self, budget: budget)
    } catch { throw isClosed ? CancellationError() : error }
  }

  /// Ends the script, and the calls that wait.
  func close() {
    isClosed = true
    runtime?.end()
    runtime = nil
  }

  // In the actor rather than in `init`, because a runtime belongs to whoever makes it.
  private func opened() throws -> Runtime {
    if isClosed { throw CancellationError() }
    if let runtime { return runtime }
    var configuration = Runtime.Configuration(memory: .megabytes(4), turn: .milliseconds(500))
    configuration.print = { [name] in print("\(name): \($0)") }
    let made = try Runtime(source: script, name: name, configuration: configuration)
    try made.register("query") { [database] (key: String) async throws -> Int in
      try await database.value(of: key)
    }
    try made.load()
    runtime = made
    return made
  }
}
