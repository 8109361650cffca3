import TideBindings
import TideGraph

/// The records that the focused control of a terminal showed in a frame. A key may arrive when the
/// control shows others already, which the user has not seen.
///
///     frame 4   name of Ann      a letter of frame 4 that comes late
///     frame 5   name of Bob        is told, and is in no record
///
/// What the user's own input changes counts as seen, because keys are typed ahead.
struct SeenControl {
  private(set) weak var view: View?
  let frame: Int
  let records: [ObjectHandle]

  /// Nil for a view that shows no record.
  init?(_ view: View, in frame: Int) {
    let records = view.seenRecords
    if records.isEmpty { return nil }
    (self.view, self.frame, self.records) = (view, frame, records)
  }

  func isSame(as other: Self) -> Bool { view === other.view && records == other.records }
}

/// The controls that were focused in the latest frames.
struct SeenControls {
  /// The latest last.
  private var controls: [SeenControl] = []
  /// Text that arrived for another record than the control shows, until other input is handled.
  fileprivate var unwritten = ""

  private static let most = 16

  mutating func add(_ control: SeenControl?) {
    guard let control else { return }
    if let last = controls.last, last.isSame(as: control), last.frame <= control.frame { return }
    controls.append(control)
    if controls.count > Self.most { controls.removeFirst() }
  }

  /// Whether a view showed other records in a frame than it shows now.
  func hasChanged(_ view: View, since frame: Int) -> Bool {
    guard let seen = controls.last(where: { $0.frame <= frame && $0.view === view }) else {
      return false
    }
    let present = view.seenRecords
    return !present.isEmpty && present != seen.records
  }
}

extension Scene {
  /// Records what the focused control shows.
  func noteSeenControl(in frame: Int) {
    guard let focused, focused.scene === self else { return }
    input.seen.add(SeenControl(focused, in: frame))
  }

  /// Refuses input for a record that the focused control no longer shows, which its user has not
  /// seen. Returns false for other input.
  func refusesUnseen(_ event: InputEvent, since frame: Int) -> Bool {
    guard input.openMenu == nil, let focused, canFocus(focused), focused.writesRecord(by: event),
      input.seen.hasChanged(focused, since: frame)
    else {
      input.seen.unwritten = ""
      return false
    }
    let former = input.seen.unwritten
    let text = former + focused.told(event.text)
    if text.isEmpty {
      refusePress(of: focused.callName)
    } else {
      input.seen.unwritten = text
      noteLateEntry(text, in: focused, continuing: former.isEmpty ? nil : former)
      let notice = BindingTable.of(graph).transformers.language.translate(
        SelectionNotice.typed.rawValue)
      tell("\(notice) \(text)", user)
    }
    return true
  }
}

extension View {
  /// The records that input in the view changes: those that a control shows, or the selected row.
  fileprivate var seenRecords: [ObjectHandle] {
    let records: [Value]
    switch self {
    case is RowsView: records = [graph.untracked { peek(.selectedObject, as: Value.self) }]
    case is TextInputView, is ToggleView, is RangeView, is ChoosingView:
      records = shownPassage.records
    default: return []
    }
    return records.compactMap { record in
      if case .object(let object as DataObject) = record { ObjectHandle(object) } else { nil }
    }
  }

  /// Whether input may change the record that the view shows.
  fileprivate func writesRecord(by event: InputEvent) -> Bool {
    switch (self, event) {
    case (is TextInputView, .paste): return true
    case (let field as TextInputView, .key(let key)): return key.isTyping || field.takesEnter(key)
    case (is RowsView, .key(let key)):
      return key == Key(.delete) || key == Key(.enter) || key == Key(.up, modifiers: .alt)
        || key == Key(.down, modifiers: .alt)
    case (is ToggleView, .key(let key)), (is RangeView, .key(let key)),
      (is ChoosingView, .key(let key)):
      return !Self.passing.contains(key)
    default: return false
    }
  }

  /// Keys that leave a control as it is.
  private static let passing = [Key(.tab), Key(.tab, modifiers: .shift), Key(.escape)]
}

extension TextInputView {
  /// Whether Enter types a line break.
  func takesEnter(_ key: Key) -> Bool { self is TextAreaView && key == Key(.enter) }
}

extension InputEvent {
  /// The text that it enters; empty for none.
  fileprivate var text: String {
    switch self {
    case .key(let key): key.text.map { String($0) } ?? ""
    case .paste(let text): text
    case .mouse, .resize: ""
    }
  }
}
