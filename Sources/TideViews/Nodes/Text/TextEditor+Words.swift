extension TextEditor {
  /// The beginning of the word before the caret.
  package var previousWord: Int {
    if isSecret { return 0 }
    var offset = caret
    while offset > 0 {
      let before = buffer.previous(offset)
      if buffer.character(at: before).isWordPart { break }
      offset = before
    }
    return wordStart(before: offset)
  }

  /// The end of the word after the caret.
  package var nextWord: Int {
    if isSecret { return end }
    var offset = caret
    while offset < end && !buffer.character(at: offset).isWordPart { offset = buffer.next(offset) }
    return wordEnd(after: offset)
  }

  /// The word at an offset, or the run of spaces or the single other character there.
  func word(at offset: Int) -> Range<Int> {
    if isSecret { return 0..<end }
    let offset = buffer.aligned(offset)
    // After the last character of a line, the preceding character counts.
    var at = offset
    if at == end || buffer.character(at: at).isNewline {
      at = buffer.previous(at)
      if at == offset || buffer.character(at: at).isNewline { return offset..<offset }
    }
    let character = buffer.character(at: at)
    if character.isWordPart { return wordStart(before: at)..<wordEnd(after: at) }
    guard character.isBlank else { return at..<buffer.next(at) }
    return start(before: at, while: \.isBlank)..<end(after: at, while: \.isBlank)
  }

  private func wordStart(before offset: Int) -> Int { start(before: offset, while: \.isWordPart) }
  private func wordEnd(after offset: Int) -> Int { end(after: offset, while: \.isWordPart) }

  private func start(before offset: Int, while belongs: (Character) -> Bool) -> Int {
    var offset = offset
    while offset > 0 {
      let before = buffer.previous(offset)
      if !belongs(buffer.character(at: before)) { break }
      offset = before
    }
    return offset
  }

  private func end(after offset: Int, while belongs: (Character) -> Bool) -> Int {
    var offset = offset
    while offset < end && belongs(buffer.character(at: offset)) { offset = buffer.next(offset) }
    return offset
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
  fileprivate var isBlank: Bool { isWhitespace && !isNewline }
}
