import TideSystem
import TideBindings
import TideViews

extension LineEditor {
  func act(on key: Key) {
    if state.search != nil, actOnSearch(key) { return draw() }
    let hadChoices = !state.choices.isEmpty
    if key != Key(.tab) { state.choices = [] }
    switch key {
    case Key(.enter): enter()
    case Key(.enter, modifiers: .alt), Key("j", modifiers: .control): editor.insert("\n")
    case Key("c", modifiers: .control): abandon()
    case Key("z", modifiers: .control): suspend()
    case Key("d", modifiers: .control):
      if editor.isEmpty {
        finish()
        return onEnd()
      }
      editor.delete(to: editor.buffer.next(editor.caret))
    case Key("r", modifiers: .control): state.search = PromptState.Search()
    case Key("l", modifiers: .control):
      write("\u{1b}[H\u{1b}[2J")
      state.caretRow = 0
    case Key(.tab): completeWord(lists: hadChoices)
    case Key(.up), Key("p", modifiers: .control): goUp()
    case Key(.down), Key("n", modifiers: .control): goDown()
    case Key("p", modifiers: .alt): showPrevious()
    case Key("n", modifiers: .alt): showNext()
    default:
      if !move(key) && !delete(key) && !change(key), let character = key.text {
        editor.insert(String(character), isTyped: true)
      }
    }
    if isReading { draw() }
  }

  private func enter() {
    let text = editor.text
    guard isFinished(text) else {
      // The next line has the same indentation.
      let line = editor.buffer.line(at: editor.caret)
      let start = editor.buffer.range(ofLine: line)
      let bytes = Array(text.utf8)[start.lowerBound..<min(editor.caret, start.upperBound)]
      let indent = String(decoding: bytes.prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
      editor.insert("\n" + indent)
      return
    }
    finish()
    history.add(text)
    onText(text)
  }

  /// Discards the typed text and starts a new prompt below.
  private func abandon() {
    editor.move(to: editor.end)
    draw()
    write("^C\r\n")
    state.caretRow = 0
    editor = TextEditor("", isMultiline: true)
    history.leave()
  }

  // MARK: Moving

  private var line: Int { editor.buffer.line(at: editor.caret) }
  private var lineRange: Range<Int> { editor.buffer.range(ofLine: line) }

  private func goUp() {
    if line > 0 { goToLine(line - 1) } else { showPrevious() }
  }

  /// Shows the last history entry with the typed prefix.
  private func showPrevious() {
    if let entry = history.previous(editor.text) { show(entry) }
  }

  private func showNext() {
    if let entry = history.next(editor.text) { show(entry) }
  }

  private func goDown() {
    if line < editor.buffer.lineCount - 1 { goToLine(line + 1) } else { showNext() }
  }

  private func goToLine(_ other: Int) {
    let column = editor.caret - lineRange.lowerBound
    let range = editor.buffer.range(ofLine: other)
    editor.move(to: editor.buffer.aligned(min(range.lowerBound + column, range.upperBound)))
  }

  private func show(_ entry: String) { editor = TextEditor(entry, isMultiline: true) }

  private func move(_ key: Key) -> Bool {
    switch key {
    case Key(.left), Key("b", modifiers: .control):
      editor.move(to: editor.buffer.previous(editor.caret))
    case Key(.right), Key("f", modifiers: .control):
      editor.move(to: editor.buffer.next(editor.caret))
    case Key(.home), Key("a", modifiers: .control): editor.move(to: lineRange.lowerBound)
    case Key(.end), Key("e", modifiers: .control): editor.move(to: lineRange.upperBound)
    case Key(.left, modifiers: .control), Key(.left, modifiers: .alt), Key("b", modifiers: .alt):
      editor.move(to: editor.previousWord)
    case Key(.right, modifiers: .control), Key(.right, modifiers: .alt), Key("f", modifiers: .alt):
      editor.move(to: editor.nextWord)
    case Key(.home, modifiers: .control): editor.move(to: 0)
    case Key(.end, modifiers: .control): editor.move(to: editor.end)
    default: return false
    }
    return true
  }

  // MARK: Changing

  private func delete(_ key: Key) -> Bool {
    switch key {
    case Key(.backspace), Key("h", modifiers: .control):
      editor.delete(to: editor.buffer.previous(editor.caret))
    case Key(.delete): editor.delete(to: editor.buffer.next(editor.caret))
    case Key("w", modifiers: .control), Key(.backspace, modifiers: .alt),
      Key(.backspace, modifiers: .control):
      kill(to: editor.previousWord)
    case Key("d", modifiers: .alt), Key(.delete, modifiers: .control): kill(to: editor.nextWord)
    case Key("u", modifiers: .control): kill(to: lineRange.lowerBound)
    case Key("k", modifiers: .control): kill(to: lineRange.upperBound)
    default: return false
    }
    return true
  }

  /// Deletes text and stores it for Ctrl-Y.
  private func kill(to offset: Int) {
    let range = min(offset, editor.caret)..<max(offset, editor.caret)
    if range.isEmpty { return }
    killed = String(decoding: Array(editor.text.utf8)[range], as: UTF8.self)
    editor.delete(to: offset)
  }

  private func change(_ key: Key) -> Bool {
    switch key {
    case Key("y", modifiers: .control): editor.insert(killed)
    case Key("_", modifiers: .control): editor.undo()
    case Key("z", modifiers: .alt): editor.redo()
    default: return false
    }
    return true
  }

  // MARK: Completion

  private func completeWord(lists: Bool) {
    let before = String(decoding: Array(editor.text.utf8)[..<editor.caret], as: UTF8.self)
    let line = before.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
    if line.allSatisfy({ $0 == " " }) {
      editor.insert("  ")
      return
    }
    let (start, words) = complete(before)
    let typed = before.dropFirst(start)
    guard let first = words.first else { return state.choices = [] }
    var common = first[...]
    for word in words.dropFirst() {
      common = common.prefix(zip(common, word).prefix { $0 == $1 }.count)
    }
    // Inserts only characters that can be typed: a line end would begin another line.
    let isTypable = { (character: Character) in
      !character.unicodeScalars.contains(where: \.steersTerminals)
    }
    if common.hasPrefix(typed) {
      let rest = common.dropFirst(typed.count).prefix(while: isTypable)
      if !rest.isEmpty { editor.insert(String(rest)) }
    } else if !common.isEmpty, common.allSatisfy(isTypable) {
      // A key in brackets replaces the dot.
      editor.delete(to: editor.caret - typed.utf8.count)
      editor.insert(String(common))
    }
    state.choices = words.count > 1 ? words : []
  }

  // MARK: Searching

  /// Handles a key during a search; any key that does not belong to the search ends it with the
  /// line found.
  private func actOnSearch(_ key: Key) -> Bool {
    guard var search = state.search else { return false }
    switch key {
    case Key("r", modifiers: .control):
      if let next = history.search(search.text, below: search.index) { search.index = next }
    case Key(.backspace):
      search.text = String(search.text.dropLast())
      search.index = history.search(search.text)
    case Key(.escape), Key("g", modifiers: .control), Key("c", modifiers: .control):
      state.search = nil
      return true
    default:
      guard let character = key.text else {
        state.search = nil
        if let index = search.index { show(history.entries[index]) }
        // Enter runs the line found.
        return false
      }
      search.text.append(character)
      search.index = history.search(search.text)
    }
    state.search = search
    return true
  }

  /// Searches for pasted text as if it were typed; only its first line counts.
  func extendSearch(by text: String) {
    let line = text.split(whereSeparator: \.isNewline).first ?? ""
    guard var search = state.search else { return }
    search.text += line
    search.index = history.search(search.text)
    state.search = search
  }
}
