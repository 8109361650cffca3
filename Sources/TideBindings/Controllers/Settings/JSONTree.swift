import TideGraph
import TideSystem

/// A parsed JSON value that has not been interpreted.
///
/// If an object has a key twice, the last one counts.
package enum JSONTree {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONTree])
  case object([DictionaryKey: JSONTree])

  /// The measured size of a value in bytes, and of an object's entry without its value.
  static let weight = MemoryLayout<JSONTree>.stride + 32
  static let entryWeight = 2 * MemoryLayout<DictionaryKey>.stride + 16

  /// The size of the whole tree in bytes.
  var size: Int {
    switch self {
    case .null, .boolean, .integer, .number: Self.weight
    case .string(let text): Self.weight + text.utf8.count
    case .array(let elements): elements.reduce(Self.weight) { $0 + $1.size }
    case .object(let entries):
      entries.reduce(Self.weight) { $0 + Self.entryWeight + $1.key.byteCount + $1.value.size }
    }
  }

  /// A description for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean(let flag): "\(flag)"
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

extension JSONTree {
  /// Reads exactly one value.
  ///
  /// Throws for invalid text, with its location, and without a location if the turn has too little
  /// time or memory.
  ///
  /// - Parameter file: the file's name in messages.
  static func read(_ bytes: [UInt8], file: String) throws(TideError) -> JSONTree {
    try bytes.withUnsafeBufferPointer { (bytes) throws(TideError) in
      var builder = JSONTreeBuilder(json: JSONScanner(bytes, levels: 100), file: file)
      return try builder.whole()
    }
  }
}

private struct JSONTreeBuilder {
  var json: JSONScanner
  let file: String
  /// The memory of the tree.
  private var budget = TextBudget()
  private var clock = WorkClock()

  init(json: JSONScanner, file: String) {
    self.json = json
    self.file = file
  }

  mutating func whole() throws(TideError) -> JSONTree {
    let value = try value(next())
    // Throws for anything that follows.
    _ = try next()
    return value
  }

  private mutating func next() throws(TideError) -> JSONScanner.Token {
    while true {
      do throws(JSONFault) {
        let token = try json.next()
        if token != .pause { return token }
      } catch {
        throw TideError(
          .settings, error.message,
          location: SourceLocation(file: file, line: error.line, column: error.column))
      }
      do throws(WorkError) {
        try clock.step(bytes: JSONScanner.step)
      } catch {
        throw TideError(error)
      }
    }
  }

  private mutating func value(_ token: JSONScanner.Token) throws(TideError) -> JSONTree {
    try admit(JSONTree.weight)
    switch token {
    case .boolean(let flag): return .boolean(flag)
    case .integer(let integer): return .integer(integer)
    case .number(let number): return .number(number)
    case .string: return .string(try text())
    case .beginArray:
      var elements: [JSONTree] = []
      while case let token = try next(), token != .endArray { elements.append(try value(token)) }
      return .array(elements)
    case .beginObject:
      var entries: [DictionaryKey: JSONTree] = [:]
      while case let token = try next(), token != .endObject {
        let key = try text()
        try admit(JSONTree.entryWeight)
        entries[.text(key)] = try value(next())
      }
      return .object(entries)
    case .null, .key, .endArray, .endObject, .end, .pause: return .null
    }
  }

  private mutating func text() throws(TideError) -> String {
    // Memory for the bytes, and for the text that is made of them.
    if json.textLimit > 15 { try admit(2 * json.textLimit) }
    return json.text
  }

  private mutating func admit(_ bytes: Int) throws(TideError) {
    do throws(WorkError) { try budget.add(bytes) } catch { throw TideError(error) }
  }
}
