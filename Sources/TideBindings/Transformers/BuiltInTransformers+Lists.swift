import TideGraph
package import TideValues

/// An object that holds values in order: a list.
package protocol ValueSequence: AnyObject {
  var values: [Value] { get }
  /// Makes a list of its own kind with these values.
  static func make(_ values: [Value]) -> AnyObject
}

extension BuiltInTransformers {
  static var lists: [String: Entry] {
    [
      "join": Entry(
        usage: "join(separator)", summary: "Makes one text of a list, and a list of the text.",
        example: "join(', ')", counts: 1...1
      ) { (arguments) throws(TideError) in
        let separator = try arguments.text(0)
        return passingNil("join", joiner(separator), reverse: splitter(separator))
      },
      "split": Entry(
        usage: "split(separator)", summary: "Makes a list of a text, and one text of the list.",
        example: "split(', ')", counts: 1...1
      ) { (arguments) throws(TideError) in
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
      var budget = TextBudget()
      let texts = try object.values.map { element in
        let text = element.text ?? ""
        try budget.add(text.utf8.count + separator.utf8.count)
        return text
      }
      return .string(texts.joined(separator: separator))
    }
  }

  /// Returns the same list again for the same text, so that it does not count as changed.
  private static func splitter(_ separator: String) -> AnyTransformer.Function {
    var last: (text: String, list: AnyObject)?
    return { value in
      let text = value.text ?? ""
      if let last, last.text == text { return .object(last.list) }
      let list = ValueList.make(try parts(of: text, separator))
      last = (text, list)
      return .object(list)
    }
  }

  private static func parts(of text: String, _ separator: String) throws(WorkError) -> [Value] {
    if text.isEmpty { return [] }
    var budget = TextBudget()
    var parts: [Value] = []
    func add(_ part: String) throws(WorkError) {
      try budget.add(MemoryLayout<Value>.stride + (part.utf8.count > 15 ? part.utf8.count + 32 : 0))
      parts.append(.string(part))
    }
    if separator.isEmpty {
      for character in text { try add(String(character)) }
      return parts
    }
    try budget.add(text.utf8.count)
    let bytes = Array(text.utf8)
    let mark = Array(separator.utf8)
    let borders = try borders(of: mark)
    var clock = WorkClock()
    var start = 0
    var matched = 0
    for (index, byte) in bytes.enumerated() {
      try clock.step()
      while matched > 0, mark[matched] != byte { matched = borders[matched - 1] }
      if mark[matched] == byte { matched += 1 }
      if matched < mark.count { continue }
      try add(String(decoding: bytes[start..<index + 1 - mark.count], as: UTF8.self))
      start = index + 1
      matched = 0
    }
    try add(String(decoding: bytes[start...], as: UTF8.self))
    return parts
  }

  /// The failure table of Knuth, Morris and Pratt: for each prefix of the separator, the length
  /// that still matches if the next byte does not. A long separator that nearly matches everywhere
  /// costs no more.
  private static func borders(of mark: [UInt8]) throws(WorkError) -> [Int] {
    var clock = WorkClock()
    var borders = [Int](repeating: 0, count: mark.count)
    var matched = 0
    for index in mark.indices.dropFirst() {
      try clock.step()
      while matched > 0, mark[matched] != mark[index] { matched = borders[matched - 1] }
      if mark[matched] == mark[index] { matched += 1 }
      borders[index] = matched
    }
    return borders
  }
}
