package import TideGraph

/// An object that holds values in order: a list.
package protocol ValueSequence: AnyObject {
  var values: [Value] { get }
  /// Makes a list of its own kind that holds these values.
  static func make(_ values: [Value]) -> AnyObject
}

extension BuiltInTransformers {
  static var lists: [String: Entry] {
    [
      "join": Entry(usage: "join(separator)", counts: 1...1) { (arguments) throws(TideError) in
        let separator = try arguments.text(0)
        return passingNil("join", joiner(separator), reverse: splitter(separator))
      },
      "split": Entry(usage: "split(separator)", counts: 1...1) { (arguments) throws(TideError) in
        let separator = try arguments.text(0)
        return passingNil("split", splitter(separator), reverse: joiner(separator))
      },
    ]
  }

  private static func joiner(_ separator: String) -> AnyTransformer.Function {
    { value in
      guard case .object(let object as any ValueSequence) = value else {
        throw value.conversionError(to: "a text", because: "expected a list")
      }
      return .string(object.values.map { $0.text ?? "" }.joined(separator: separator))
    }
  }

  /// Gives the same list again for the same text, so that nothing counts as changed.
  private static func splitter(_ separator: String) -> AnyTransformer.Function {
    var last: (text: String, list: AnyObject)?
    return { value in
      let text = value.text ?? ""
      if let last, last.text == text { return .object(last.list) }
      let list = ValueList.make(parts(of: text, separator))
      last = (text, list)
      return .object(list)
    }
  }

  private static func parts(of text: String, _ separator: String) -> [Value] {
    if text.isEmpty { return [] }
    if separator.isEmpty { return text.map { .string(String($0)) } }
    let bytes = Array(text.utf8)
    let mark = Array(separator.utf8)
    var parts: [Value] = []
    var start = 0
    var index = 0
    while index + mark.count <= bytes.count {
      if bytes[index] == mark[0], bytes[index..<index + mark.count].elementsEqual(mark) {
        parts.append(.string(String(decoding: bytes[start..<index], as: UTF8.self)))
        index += mark.count
        start = index
      } else {
        index += 1
      }
    }
    parts.append(.string(String(decoding: bytes[start...], as: UTF8.self)))
    return parts
  }
}
