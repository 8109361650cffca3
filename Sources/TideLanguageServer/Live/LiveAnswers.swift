import TideCheck
import TideValues
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

/// An error as listed by a running app: `app.lua:4:33: error[E0402]: no boom`.
struct RunningError: Equatable {
  let file: String
  let line: Int
  let column: Int
  let code: String
  let message: String

  init?(_ text: String) {
    guard let mark = text.ranges(of: ": error[").first,
      let end = text[mark.upperBound...].firstIndex(of: "]")
    else { return nil }
    var place = text[..<mark.lowerBound].split(separator: ":")
    guard place.count > 1, let last = place.popLast().flatMap({ Int($0) }) else { return nil }
    if place.count > 1, let number = place.last.flatMap({ Int($0) }) {
      place.removeLast()
      (line, column) = (number, last)
    } else {
      (line, column) = (last, 1)
    }
    file = place.joined(separator: ":")
    code = String(text[mark.upperBound..<end])
    message = String(text[end...].dropFirst(3))
  }
}
