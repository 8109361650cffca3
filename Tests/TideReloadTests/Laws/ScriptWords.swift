/// The words of a script, as far as it takes to give a local variable another name.
struct ScriptWords {
  private var parts: [Part] = []

  private struct Part {
    let text: String
    /// It is a name, and none of a field.
    var isVariable = false
    /// It stands before `=`, within braces.
    var isKey = false
  }

  init(_ script: String) {
    let characters = Array(script)
    var position = 0
    var depth = 0
    var last: Character = " "
    func next(_ start: Int) -> Character? {
      var position = start
      while position < characters.count, characters[position].isWhitespace { position += 1 }
      guard position < characters.count, characters[position] == "=" else { return nil }
      return position + 1 < characters.count ? characters[position + 1] : " "
    }
    while position < characters.count {
      let start = position
      let character = characters[position]
      if character.isLetter || character == "_" {
        while position < characters.count,
          characters[position].isLetter || characters[position].isNumber
            || characters[position] == "_"
        {
          position += 1
        }
        let isField = (last == "." && !(start > 1 && characters[start - 2] == ".")) || last == ":"
        let after = next(position)
        parts.append(
          Part(
            text: String(characters[start..<position]), isVariable: !isField,
            isKey: depth > 0 && after != nil && after != "="))
        last = "w"
        continue
      }
      position += Self.length(at: position, of: characters)
      if position == start + 1 {
        if character == "{" { depth += 1 }
        if character == "}" { depth -= 1 }
      }
      if !character.isWhitespace { last = character }
      parts.append(Part(text: String(characters[start..<position])))
    }
  }

  /// How long a string or a comment is, or one character.
  private static func length(at start: Int, of characters: [Character]) -> Int {
    func text(_ position: Int, _ count: Int) -> String {
      String(characters[position..<min(position + count, characters.count)])
    }
    func distance(to end: String, from position: Int) -> Int {
      var position = position
      while position < characters.count, text(position, end.count) != end { position += 1 }
      return min(position + end.count, characters.count) - start
    }
    let character = characters[start]
    if text(start, 4) == "--[[" { return distance(to: "]]", from: start) }
    if text(start, 2) == "--" { return max(1, distance(to: "\n", from: start) - 1) }
    if text(start, 2) == "[[" { return distance(to: "]]", from: start) }
    guard character == "\"" || character == "'" else { return 1 }
    var position = start + 1
    while position < characters.count, characters[position] != character {
      position += characters[position] == "\\" ? 2 : 1
    }
    return min(position + 1, characters.count) - start
  }

  /// Names that are variables wherever they stand.
  var locals: [String] {
    var found: [String] = []
    let keys = Set(parts.filter(\.isKey).map(\.text))
    for (index, part) in parts.enumerated() where part.text == "local" {
      let rest = parts[(index + 1)...].filter { !$0.text.allSatisfy(\.isWhitespace) }.prefix(2)
      guard let name = rest.first?.text == "function" ? rest.last : rest.first, name.isVariable,
        !keys.contains(name.text), !found.contains(name.text)
      else { continue }
      found.append(name.text)
    }
    return found
  }

  /// The script with another name in place of one.
  func renaming(_ name: String) -> String {
    parts.map { $0.isVariable && $0.text == name ? name + "_" : $0.text }.joined()
  }
}
