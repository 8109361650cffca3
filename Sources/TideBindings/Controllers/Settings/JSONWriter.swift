import TideGraph

/// Writes lists, dictionaries, data objects and plain values as JSON, keys in order, so that equal
/// values make equal text. What it reads is recorded.
struct JSONWriter {
  private(set) var text = ""
  /// What could not be written, by its place; it is left out.
  private(set) var omissions: [TideError] = []
  /// The turn had no time or no memory for the rest.
  private(set) var failure: WorkError?
  private var depth = 0
  private var budget = TextBudget()

  /// How deep lists and dictionaries may nest.
  static let deepest = 100

  /// Writes the entries of an object, one on a line.
  mutating func write(entries: [(key: String, value: Value)]) {
    text += "{"
    var isFirst = true
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      if failure != nil { return }
      let start = text.utf8.count
      text += isFirst ? "\n" : ",\n"
      text += String(repeating: "  ", count: depth + 1)
      put(key)
      text += ": "
      if let reason = write(value) {
        omissions.append(TideError(.settings, "the setting \"\(key)\" is not kept: \(reason)"))
        text.removeSubrange(text.utf8.index(text.startIndex, offsetBy: start)...)
      } else {
        isFirst = false
      }
    }
    text += isFirst ? "}" : "\n" + String(repeating: "  ", count: depth) + "}"
  }

  /// Gives why a value cannot be written; nil when it was.
  private mutating func write(_ value: Value) -> String? {
    if let reason = checkBudget() { return reason }
    switch value {
    case .null: text += "null"
    case .boolean(let flag): text += flag ? "true" : "false"
    case .integer(let integer): text += String(integer)
    case .number(let number):
      guard number.isFinite else { return "\(number) is no number that a file can hold" }
      text += "\(number)"
    case .string(let string): put(string)
    case .bytes: return "it is text that is not UTF-8"
    case .object(let object): return write(object)
    }
    return nil
  }

  private mutating func write(_ object: AnyObject) -> String? {
    if object === Marker.null {
      text += "null"
      return nil
    }
    guard depth < Self.deepest else { return "it nests too deep, or contains itself" }
    depth += 1
    defer { depth -= 1 }
    switch object {
    case let list as ValueList:
      text += "["
      for (index, element) in list.values.enumerated() {
        if index > 0 { text += ", " }
        if let reason = write(element) { return reason }
      }
      text += "]"
    case let dictionary as DictionaryObject:
      write(entries: dictionary.keys.map { ($0.text, dictionary[$0]) })
    case let object as DataObject where !object.shape.properties.isEmpty:
      write(
        entries: object.shape.properties.filter { $0.derive == nil }.map {
          ($0.name, object[$0.name])
        })
    default: return "a function or a thing of the program cannot be kept in a file"
    }
    return nil
  }

  /// Why nothing more can be written; nil where the turn has time and memory for it. A few objects that
  /// share others may stand for endless text.
  private mutating func checkBudget() -> String? {
    do throws(WorkError) {
      if let failure { throw failure }
      try budget.grow(to: text.utf8.count)
      return nil
    } catch {
      failure = error
      return error == .time ? "the turn took too long" : "there is not enough memory"
    }
  }

  private mutating func put(_ string: String) { text += string.quotedForJSON }
}
