/// A line of text that is being edited, with a caret between its characters.
///
/// A character is a grapheme cluster: one press of Backspace takes away what looks like one.
struct TextEditor: Equatable {
  private(set) var characters: [Character] = []
  /// How many characters stand before the caret.
  private(set) var caret = 0

  init(_ text: String = "") {
    characters = Array(text)
    caret = characters.count
  }

  var text: String { String(characters) }

  /// Takes another text, and keeps the caret as far as it goes.
  mutating func setText(_ text: String) {
    characters = Array(text)
    caret = min(caret, characters.count)
  }

  // MARK: Moving

  mutating func moveTo(_ place: Int) { caret = max(0, min(place, characters.count)) }

  /// To the beginning of the word before the caret.
  var previousWord: Int {
    var place = caret
    while place > 0 && !characters[place - 1].isWordPart { place -= 1 }
    while place > 0 && characters[place - 1].isWordPart { place -= 1 }
    return place
  }

  /// To the end of the word after the caret.
  var nextWord: Int {
    var place = caret
    while place < characters.count && !characters[place].isWordPart { place += 1 }
    while place < characters.count && characters[place].isWordPart { place += 1 }
    return place
  }

  // MARK: Editing

  /// Puts text before the caret, as much as `limit` characters in all allow; true when any went in.
  ///
  /// Line ends and tabs become spaces; other control characters are left out.
  mutating func insert(_ text: String, limit: Int? = nil) -> Bool {
    var added: [Character] = []
    for character in text {
      if character.isNewline || character == "\t" {
        added.append(" ")
      } else if character.unicodeScalars.first?.properties.generalCategory != .control {
        added.append(character)
      }
    }
    if let limit { added = Array(added.prefix(max(0, limit - characters.count))) }
    if added.isEmpty { return false }
    let old = self
    characters.insert(contentsOf: added, at: caret)
    caret += added.count
    join(around: caret - added.count...caret)
    // A mark that joins the character before it does not make the text longer.
    if let limit, characters.count > max(limit, old.characters.count) { self = old }
    return self != old
  }

  /// Takes away the characters between the caret and a place; true when there were any.
  mutating func delete(to place: Int) -> Bool {
    let place = max(0, min(place, characters.count))
    let range = min(caret, place)..<max(caret, place)
    if range.isEmpty { return false }
    characters.removeSubrange(range)
    caret = range.lowerBound
    join(around: caret...caret)
    return true
  }

  /// What an edit brought together may be one character now, such as a letter and an accent.
  private mutating func join(around range: ClosedRange<Int>) {
    let start = max(0, range.lowerBound - 1)
    let end = min(characters.count, range.upperBound + 1)
    if characters[start..<end].allSatisfy(\.isASCII) { return }
    let before = String(characters[..<caret]).utf8.count
    characters = Array(String(characters))
    var passed = 0
    caret =
      characters.firstIndex { character in
        if passed >= before { return true }
        passed += character.utf8.count
        return false
      } ?? characters.count
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
