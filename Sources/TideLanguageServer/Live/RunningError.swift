import TideCheck
import TideSystem
import TideValues

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
