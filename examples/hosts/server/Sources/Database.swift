import Tidelock

/// The database of the tenants. A query takes a moment; one for the key "never" does not end.
actor Database {
  private let values = ["apples": 4, "figs": 20]

  func value(of key: String) async throws -> Int {
    try await Task.sleep(for: key == "never" ? .seconds(86_400) : .milliseconds(1))
    return values[key] ?? 0
  }
}
