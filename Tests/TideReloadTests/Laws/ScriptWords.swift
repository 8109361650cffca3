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
    var place = 0
    var depth = 0
    var last: Character = " "
    func next(_ start: Int) -> Character? {
      var place = start
      while place < characters.count, characters[place].isWhitespace { place += 1 }
      guard place < characters.count, characters[place] == "=" else { return nil }
      return place + 1 < characters.count ? characters[place + 1] : " "
    }
    while place < characters.count {
      let start = place
      let character = characters[place]
      if character.isLetter || character == "_" {
        while place < characters.count,
          characters[place].isLetter || characters[place].isNumber || characters[place] == "_"
        {
          place += 1
        }
        let isField = (last == "." && !(start > 1 && characters[start - 2] == ".")) || last == ":"
        let after = next(place)
        parts.append(
          Part(
            text: String(characters[start..<place]), isVariable: !isField,
            isKey: depth > 0 && after != nil && after != "="))
        last = "w"
        continue
      }
      place += Self.length(at: place, of: characters)
      if place == start + 1 {
        if character == "{" { depth += 1 }
        if character == "}" { depth -= 1 }
      }
      if !character.isWhitespace { last = character }
      parts.append(Part(text: String(characters[start..<place])))
    }
  }

  /// How long a string or a comment is, or one character.
  private static func length(at start: Int, of characters: [Character]) -> Int {
    func text(_ place: Int, _ count: Int) -> String {
      String(characters[place..<min(place + count, characters.count)])
    }
    func distance(to end: String, from place: Int) -> Int {
      var place = place
      while place < characters.count, text(place, end.count) != end { place += 1 }
      return min(place + end.count, characters.count) - start
    }
    let character = characters[start]
    if text(start, 4) == "--[[" { return distance(to: "]]", from: start) }
    if text(start, 2) == "--" { return max(1, distance(to: "\n", from: start) - 1) }
    if text(start, 2) == "[[" { return distance(to: "]]", from: start) }
    guard character == "\"" || character == "'" else { return 1 }
    var place = start + 1
    while place < characters.count, characters[place] != character {
      place += characters[place] == "\\" ? 2 : 1
    }
    return min(place + 1, characters.count) - start
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
