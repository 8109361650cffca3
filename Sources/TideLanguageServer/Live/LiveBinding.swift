import TideSystem

/// A binding of the running app, with its cost since the editor attached.
struct LiveBinding: Equatable {
  let text: String
  let runs: Int
  let nanoseconds: Int
  let error: String?

  /// - Parameter json: an item of an inspection's answer.
  init?(_ json: String) {
    guard let item = try? JSONValue(parsing: Array(json.utf8)), let text = item["label"].string
    else { return nil }
    self.text = text
    runs = item["runs"].int ?? 0
    nanoseconds = item["nanoseconds"].int ?? 0
    error = item["error"].string
  }

  /// The cost as text: `3 runs, 12 µs each`.
  var cost: String {
    if runs == 0 { return "has not run since the editor was attached" }
    let runsText = runs == 1 ? "1 run" : "\(runs) runs"
    return "\(runsText), \(Self.time(nanoseconds / runs)) each"
  }

  private static func time(_ nanoseconds: Int) -> String {
    switch nanoseconds {
    case ..<1000: "\(nanoseconds) ns"
    case ..<1_000_000: "\(nanoseconds / 1000) µs"
    default: "\(nanoseconds / 1_000_000) ms"
    }
  }
}
