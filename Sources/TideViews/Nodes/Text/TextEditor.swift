package import TideGraph

/// The state of a text editor: text, caret, selection and undo history. Independent of views.
///
/// ```swift
/// var editor = TextEditor("hello world")
/// editor.move(to: editor.previousWord, selecting: true)
/// editor.insert("moon")            // "hello moon"
/// editor.undo()                    // "hello world", with "world" selected again
/// ```
///
/// Offsets are those of `TextBuffer`. Backspace deletes one grapheme cluster, and scalars typed one
/// after the other combine into one character.
package struct TextEditor {
  package private(set) var buffer: TextBuffer
  /// The insertion point.
  package private(set) var caret = 0
  /// The other end of the selection; equal to the caret if nothing is selected.
  private(set) var anchor = 0
  private var history = TextHistory()
  /// Whether line ends and tabs are kept.
  let isMultiline: Bool
  /// Secret text leaves no traces: edits cannot be undone, and the text has no words.
  var isSecret = false {
    didSet { if isSecret { history.clear() } }
  }

  package init(_ text: String = "", isMultiline: Bool = false) {
    buffer = TextBuffer(text, hasLines: isMultiline)
    self.isMultiline = isMultiline
    caret = buffer.count
    anchor = caret
  }

  /// Continues the edit of another editor, which may differ in `isMultiline`.
  init(_ other: TextEditor, isMultiline: Bool) {
    if other.isMultiline == isMultiline {
      self = other
    } else {
      self.init(other.text, isMultiline: isMultiline)
      move(to: other.anchor)
      move(to: other.caret, selecting: true)
    }
  }

  package var text: String { buffer.text }
  package var end: Int { buffer.count }
  package var isEmpty: Bool { end == 0 }

  /// Adds the memory of the text, its index of lines and its history.
  package func addHeld(to meter: inout MemoryMeter) {
    meter.add(buffer.text)
    meter.add(buffer.lineBytes + history.byteCount)
  }

  /// Returns and clears the extent of the edits since the last call.
  mutating func takeChange() -> TextBuffer.Change? { buffer.takeChange() }

  /// Clears the undo history.
  mutating func forgetHistory() { history.clear() }

  // MARK: Selection

  var selection: Range<Int> { min(caret, anchor)..<max(caret, anchor) }
  var hasSelection: Bool { caret != anchor }
  var selectedText: String { String(buffer[selection]) }

  /// Moves the caret, and extends or clears the selection.
  package mutating func move(to offset: Int, selecting: Bool = false) {
    caret = buffer.aligned(offset)
    if !selecting { anchor = caret }
    history.endRun()
  }

  mutating func select(_ range: Range<Int>) {
    anchor = buffer.aligned(range.lowerBound)
    move(to: range.upperBound, selecting: true)
  }

  mutating func selectAll() { select(0..<end) }

  /// The number of characters before the caret.
  var characterIndex: Int { buffer[0..<caret].count }

  /// The offset after a number of characters.
  func offset(ofCharacter number: Int) -> Int {
    if number <= 0 { return 0 }
    let index = buffer.text.index(
      buffer.text.startIndex, offsetBy: number, limitedBy: buffer.text.endIndex)
    return index.map(buffer.offset) ?? end
  }

  // MARK: External changes

  /// Replaces the text. The caret keeps its position relative to the surrounding text, if that
  /// still exists.
  ///
  /// An answer to an edit, such as a transformer that capitalizes, is undone together with the
  /// edit. Any other replacement clears the undo history. Returns false if no part of the old text
  /// remains.
  @discardableResult
  mutating func setText(_ text: String, answersEdit: Bool = false) -> Bool {
    guard let (range, new) = buffer.difference(to: text) else { return true }
    let old = buffer
    let before = TextHistory.Carets(caret: caret, anchor: anchor)
    buffer.replace(range, with: new)
    caret = moved(caret, over: range, with: new, from: old)
    anchor = moved(anchor, over: range, with: new, from: old)
    let after = TextHistory.Carets(caret: caret, anchor: anchor)
    if answersEdit && !isSecret {
      let removed = String(old[range])
      history.extend(
        TextHistory.Edit(offset: range.lowerBound, removed: removed, inserted: new), before, after)
    } else {
      history.clear()
    }
    return range.isEmpty || range.count < old.count
  }

  /// The position of an offset after a change of the text. Within the changed range it keeps the
  /// number of characters before it.
  private func moved(
    _ offset: Int, over range: Range<Int>, with new: String, from old: TextBuffer
  ) -> Int {
    if offset <= range.lowerBound { return buffer.aligned(offset) }
    if offset >= range.upperBound { return buffer.aligned(offset + new.utf8.count - range.count) }
    let passed = old[range.lowerBound..<offset].count
    let index = new.index(new.startIndex, offsetBy: passed, limitedBy: new.endIndex) ?? new.endIndex
    return buffer.aligned(range.lowerBound + new.utf8.distance(from: new.startIndex, to: index))
  }

  // MARK: Editing

  /// Replaces the selection by as much of a text as `limit`, the maximum number of characters,
  /// allows. Returns whether the text has changed.
  ///
  /// Control characters are removed; in a single-line text, line ends and tabs become spaces. If
  /// the current turn has no time or memory left, nothing changes.
  @discardableResult
  package mutating func insert(_ text: String, limit: Int? = nil, isTyped: Bool = false) -> Bool {
    guard var added = cleaned(text), !added.isEmpty else { return false }
    let range = selection
    // There are at least as many bytes as characters, and bytes need no counting.
    if let limit, buffer.count - range.count + added.utf8.count > limit {
      let kept = buffer.text.count - buffer[range].count
      // A combining mark does not make the text longer, so one more character is tried.
      added = String(added.prefix(max(0, limit - kept) + 1))
      while !added.isEmpty && count(replacing: range, with: added) > limit { added.removeLast() }
      if added.isEmpty { return false }
    }
    replace(range, with: added, isTyped ? .typing : .other)
    if added.last?.isNewline == true { history.endRun() }
    return true
  }

  /// Replaces the whole text as one edit of the part that differs; returns whether the text has
  /// changed.
  mutating func replace(with text: String, limit: Int?) -> Bool {
    guard let clean = cleaned(text), let (range, new) = buffer.difference(to: clean) else {
      return false
    }
    select(range)
    return new.isEmpty ? deleteSelection() : insert(new, limit: limit, isTyped: true)
  }

  private func count(replacing range: Range<Int>, with added: String) -> Int {
    var copy = buffer
    copy.replace(range, with: added)
    return copy.text.count
  }

  /// The text without control characters; nil if the current turn has no time or memory left.
  private func cleaned(_ text: String) -> String? {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var budget = TextBudget()
    var clean = ""
    do throws(WorkError) {
      // The memory is charged before any work is done.
      try budget.grow(to: text.utf8.count)
      clean.reserveCapacity(text.utf8.count)
      for character in text {
        try budget.add(0)
        if character.isNewline {
          clean.append(isMultiline ? "\n" : " ")
        } else if character == "\t" {
          clean.append(isMultiline ? "\t" : " ")
        } else if character.unicodeScalars.first?.properties.generalCategory != .control {
          clean.append(character)
        }
      }
    } catch {
      return nil
    }
    return clean
  }

  /// Deletes the selection, or, without one, the text between the caret and an offset. Returns
  /// whether the text has changed.
  @discardableResult
  package mutating func delete(to offset: Int) -> Bool {
    if hasSelection { return deleteSelection() }
    let offset = buffer.aligned(offset)
    let range = min(caret, offset)..<max(caret, offset)
    if range.isEmpty { return false }
    replace(range, with: "", .deleting)
    return true
  }

  @discardableResult
  mutating func deleteSelection() -> Bool {
    if !hasSelection { return false }
    replace(selection, with: "", .other)
    return true
  }

  private mutating func replace(
    _ range: Range<Int>, with new: String, _ kind: TextHistory.Kind
  ) {
    let removed = isSecret ? "" : String(buffer[range])
    let before = TextHistory.Carets(caret: caret, anchor: anchor)
    buffer.replace(range, with: new)
    // Adjacent characters may now form one, such as a letter and an accent.
    caret = buffer.aligned(range.lowerBound + new.utf8.count)
    anchor = caret
    if isSecret { return }
    history.add(
      TextHistory.Edit(offset: range.lowerBound, removed: removed, inserted: new), kind, before,
      TextHistory.Carets(caret: caret, anchor: anchor))
  }

  // MARK: Undo

  package var canUndo: Bool { history.canUndo }
  package var canRedo: Bool { history.canRedo }

  @discardableResult
  package mutating func undo() -> Bool {
    guard let step = history.takeUndo() else { return false }
    for edit in step.edits.reversed() {
      put(edit.removed, at: edit.offset, for: edit.inserted)
    }
    restore(step.before)
    return true
  }

  @discardableResult
  package mutating func redo() -> Bool {
    guard let step = history.takeRedo() else { return false }
    for edit in step.edits { put(edit.inserted, at: edit.offset, for: edit.removed) }
    restore(step.after)
    return true
  }

  private mutating func put(_ new: String, at offset: Int, for old: String) {
    let upper = min(buffer.count, offset + old.utf8.count)
    buffer.replace(min(offset, upper)..<upper, with: new)
  }

  private mutating func restore(_ carets: TextHistory.Carets) {
    caret = buffer.aligned(carets.caret)
    anchor = buffer.aligned(carets.anchor)
  }
}
