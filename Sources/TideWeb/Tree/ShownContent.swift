import TideBindings
import TideViews

/// A record that a control has shown, with its text if the control shows one.
final class PageRecord {
  /// The number that pages are sent; 0 for the first record.
  let number: Int
  fileprivate(set) var record: ShownRecord
  let text: PageText?
  /// Whether the control accepted input when it last showed the record.
  var takesEntries = true

  init(_ number: Int, _ record: ShownRecord, _ text: String?) {
    self.number = number
    self.record = record
    self.text = text.map(PageText.init)
  }
}

/// The object of a row, held weakly.
struct RowObject {
  private let plain: Value
  private let handle: ObjectHandle?

  init(_ value: Value) {
    if case .object(let object as DataObject) = value {
      (plain, handle) = (.null, ObjectHandle(object))
    } else {
      (plain, handle) = (value, nil)
    }
  }

  /// Nil for an object that was released.
  var value: Value? { handle.map { $0.object.map { .object($0) } } ?? plain }

  func isSame(as other: Self) -> Bool { handle == other.handle && plain == other.plain }
}

/// The contents that a view has shown, each with its first frame. Only the latest `most` are
/// stored, for pages that may still show them.
struct ShownHistory<Content> {
  private(set) var entries: [(frame: Int, content: Content)] = []
  private var isWhole = true

  private static var most: Int { 32 }

  var present: Content? { entries.last?.content }

  /// The content in a frame; nil if it is forgotten.
  subscript(frame: Int) -> Content? {
    if let entry = entries.last(where: { $0.frame <= frame }) { return entry.content }
    // The view was created while the frame was on its way.
    return isWhole ? entries.first?.content : nil
  }

  mutating func append(_ content: Content, in frame: Int) {
    if entries.last?.frame == frame { entries.removeLast() }
    entries.append((frame, content))
    if entries.count <= Self.most { return }
    entries.removeFirst()
    isWhole = false
  }
}

extension PageElement {
  /// Records what its control or cell shows now, for the next frame. Sets `isStale` if pages must
  /// be updated.
  ///
  /// - Parameter fully: whether a control in a row is checked even if the row is the same.
  func followContent(in frame: Int, fully: Bool = false) {
    if let cell = view as? CellView {
      let object = RowObject(cell.rowObject)
      if objects.present?.isSame(as: object) == true { return }
      objects.append(object, in: frame)
      isStale = true
    } else if let rows = view as? RowsView {
      followSelection(of: rows, in: frame, by: nil)
    } else if let view {
      followRecord(of: view, in: frame, fully: fully)
      guard let text = records.present?.text else { return }
      if text.follow(view.typedText ?? "", in: frame) { isStale = true }
    }
  }

  /// Records the current selection and the viewer who made it.
  func followSelection(of rows: RowsView, in frame: Int, by viewer: PageViewer?) {
    let object = RowObject(rows.graph.untracked { rows[ViewKey<Value>("selectedObject")] })
    if selections.present?.object.isSame(as: object) == true { return }
    selections.append((object, viewer.map { ObjectIdentifier($0) }), in: frame)
    isStale = true
  }

  /// Whether every selection since a frame was made by one viewer.
  func isSelected(by viewer: PageViewer, since frame: Int?) -> Bool {
    guard let frame else { return selections.entries.count == 1 }
    return selections.entries.allSatisfy {
      $0.frame <= frame || $0.content.viewer == ObjectIdentifier(viewer)
    }
  }

  private func followRecord(of view: View, in frame: Int, fully: Bool) {
    defer { records.present?.takesEntries = view.takesEntries }
    let object = cell?.objects.present
    let isSameRow = object.flatMap { rowObject?.isSame(as: $0) } ?? false
    if isSameRow && !fully && !isOfOtherView { return }
    let passage = view.shownPassage
    let wasOfOtherView = isOfOtherView
    rowObject = object
    isOfOtherView = false
    if let present = records.present, present.record.isOf(passage) {
      if wasOfOtherView { present.record = view.record(at: passage) }
      return
    }
    if let known = records.entries.last(where: { $0.content.record.isOf(passage) })?.content {
      known.record = view.record(at: passage)
      records.append(known, in: frame)
    } else {
      let new = PageRecord(recordCount, view.record(at: passage), view.typedText)
      records.append(new, in: frame)
      recordCount += 1
    }
    isStale = true
  }

  /// The cell that contains this element.
  var cell: PageElement? {
    var element = parent
    while let each = element {
      if each.isCell { return each }
      element = each.parent
    }
    return nil
  }
}
