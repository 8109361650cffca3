import Tidelock

/// What tenants ask for values. It takes a moment, and for the key "never" it takes for ever.
actor Database {
  private let values = ["apples": 4, "figs": 20]

  func value(of key: String) async throws -> Int {
    try await Task.sleep(for: key == "never" ? .seconds(86_400) : .milliseconds(1))
    return values[key] ?? 0
  }
}
