import TideBindings
import TideSystem

/// Reads one message from a line of arbitrary bytes.
///
/// The last value of a repeated name counts. Time and memory are linear in the length of the line.
struct MessageReader {
  private var json: JSONScanner

  /// - Parameter line: the line without its line end.
  static func read(_ line: ArraySlice<UInt8>) throws(TideError) -> Message {
    try line.withUnsafeBufferPointer { (bytes) throws(TideError) in
      // Two levels: the message, and lists of strings in it.
      var reader = MessageReader(json: JSONScanner(bytes, levels: 2))
      return try reader.message()
    }
  }

  private mutating func next() throws(TideError) -> JSONScanner.Token {
    do throws(JSONFault) {
      while true {
        let token = try json.next()
        if token != .pause { return token }
      }
    } catch {
      throw .attach("\(error.message) at byte \(error.offset)")
    }
  }

  private mutating func message() throws(TideError) -> Message {
    guard try next() == .beginObject else { throw .attach("expected an object in braces") }
    var order: [String] = []
    var values: [String: Message.Field] = [:]
    while try next() == .key {
      let name = json.text
      let value = try field(name)
      if values.updateValue(value ?? .flag(false), forKey: name) == nil { order.append(name) }
      if value == nil { values[name] = nil }
    }
    // Throws if anything follows the object.
    _ = try next()
    guard case .text(let kind) = values["kind"] else {
      throw TideError(.attach, "the message has no kind; write {\"kind\":\"evaluate\", …}")
    }
    var fields: [(name: String, value: Message.Field)] = []
    for name in order where name != "kind" {
      // A field whose last value is null is missing; a repeated field is listed once.
      if let value = values.removeValue(forKey: name) { fields.append((name, value)) }
    }
    return Message(kind, fields: fields)
  }

  private mutating func field(_ name: String) throws(TideError) -> Message.Field? {
    switch try next() {
    case .null: return nil
    case .boolean(let flag): return .flag(flag)
    case .integer(let number): return .number(number)
    case .string: return .text(json.text)
    case .beginArray:
      var texts: [String] = []
      while case let token = try next(), token != .endArray {
        guard token == .string else { throw .attach("the list \"\(name)\" holds only texts") }
        texts.append(json.text)
      }
      return .texts(texts)
    default:
      throw .attach(
        "\"\(name)\" must be a text, a whole number of 64 bits, true, false, null or a list of texts"
      )
    }
  }
}

extension TideError {
  fileprivate static func attach(_ reason: String) -> TideError {
    TideError(.attach, "the message is broken: \(reason)")
  }
}

extension Message {
  /// Reads a line. Throws if it is not a valid message.
  package init(line: String) throws { self = try MessageReader.read(ArraySlice(line.utf8)) }
}
