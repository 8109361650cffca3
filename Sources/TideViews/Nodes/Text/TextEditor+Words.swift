extension TextEditor {
  /// To the beginning of the word before the caret.
  package var previousWord: Int {
    if isSecret { return 0 }
    var place = caret
    while place > 0 {
      let before = buffer.previous(place)
      if buffer.character(at: before).isWordPart { break }
      place = before
    }
    return wordStart(before: place)
  }

  /// To the end of the word after the caret.
  package var nextWord: Int {
    if isSecret { return end }
    var place = caret
    while place < end && !buffer.character(at: place).isWordPart { place = buffer.next(place) }
    return wordEnd(after: place)
  }

  /// The word around a place, or the spaces or the other character there.
  func word(at place: Int) -> Range<Int> {
    if isSecret { return 0..<end }
    let place = buffer.aligned(place)
    // Behind the last character of a line, what stands before is meant.
    var at = place
    if at == end || buffer.character(at: at).isNewline {
      at = buffer.previous(at)
      if at == place || buffer.character(at: at).isNewline { return place..<place }
    }
    let character = buffer.character(at: at)
    if character.isWordPart { return wordStart(before: at)..<wordEnd(after: at) }
    guard character.isBlank else { return at..<buffer.next(at) }
    return start(before: at, while: \.isBlank)..<end(after: at, while: \.isBlank)
  }

  private func wordStart(before place: Int) -> Int { start(before: place, while: \.isWordPart) }
  private func wordEnd(after place: Int) -> Int { end(after: place, while: \.isWordPart) }

  private func start(before place: Int, while belongs: (Character) -> Bool) -> Int {
    var place = place
    while place > 0 {
      let before = buffer.previous(place)
      if !belongs(buffer.character(at: before)) { break }
      place = before
    }
    return place
  }

  private func end(after place: Int, while belongs: (Character) -> Bool) -> Int {
    var place = place
    while place < end && belongs(buffer.character(at: place)) { place = buffer.next(place) }
    return place
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
  fileprivate var isBlank: Bool { isWhitespace && !isNewline }
}
