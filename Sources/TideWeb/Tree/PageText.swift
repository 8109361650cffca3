import TideBindings

/// A text that several people edit in pages, with its latest changes. An edit that was made on an
/// earlier version is transformed so that it applies to the current text.
///
/// ```swift
/// let text = PageText("one")
/// text.follow("Xone", in: 2)                        // somebody else's X
/// var base = try text.base(in: 1)                   // of a page that does not know of it
/// try text.enter(PageEdit(start: 3, removed: 0, added: "!"), on: &base, in: 3)    // "Xone!"
/// ```
///
/// A frame is a version of what pages show. A change has the number of the frame that contains it.
final class PageText {
  private(set) var text: String
  /// In UTF-16 units.
  private var length: Int
  private var changes: [Known] = []
  /// The number of forgotten changes, and the frame of the last one.
  private var forgotten = 0
  private var lastForgotten = -1

  private struct Known {
    let frame: Int
    let change: TextChange
    /// The viewer whose edit the app has answered by this change, which keeps the length of the
    /// text. For that viewer's page the new characters count as its own: an edit that replaces them
    /// replaces the answer.
    let answered: ObjectIdentifier?

    func append(to others: inout TextChange, of viewer: ObjectIdentifier?) {
      if let viewer, viewer == answered { return }
      others.append(change)
    }
  }

  /// A page's version of a text: the text of a frame, with everything that was typed in the page
  /// since then.
  struct Base {
    let frame: Int
    fileprivate let viewer: ObjectIdentifier?
    /// Changes up to this number are in `others`, or were typed in that page.
    fileprivate var seen: Int
    /// Transforms the text that the page shows into the current text.
    fileprivate var others: TextChange
  }

  enum Fault: Error {
    /// The edit was made on a forgotten version.
    case tooOld
    /// The edit exceeds the text that the page shows.
    case beyond
    /// The edit makes the text longer than a message may be.
    case tooLong
  }

  static let mostChanges = 1000
  /// The most steps between a page's version and the current text. Only a page that receives
  /// nothing for long has more.
  private static let mostSteps = 2000
  /// The most parts into which others' insertions may split a removal.
  private static let mostOwnSteps = 200

  init(_ text: String) {
    self.text = text
    length = text.utf16.count
  }

  /// The record's value that belongs to the typed text. While the record has this value, the text
  /// stays as typed.
  private var counterpart: Value?
  /// Whether the record has refused the text.
  private(set) var isUnwritten = false

  /// Records how its record has treated the text.
  func note(counterpart: Value?, isUnwritten: Bool) {
    self.counterpart = counterpart
    self.isUnwritten = isUnwritten
  }

  /// Whether the text stays as it was typed although the record holds another value.
  func isKept(for held: Value) -> Bool { isUnwritten || counterpart == held }

  /// Adopts a text that does not come from an edit in a page; false if it is unchanged.
  ///
  /// - Parameter viewer: the viewer whose edit the app has answered by the new text; nil for none.
  @discardableResult
  func follow(_ new: String, in frame: Int, answering viewer: AnyObject? = nil) -> Bool {
    guard new != text || !new.utf8.elementsEqual(text.utf8),
      let difference = TextDifference(from: text, to: new)
    else { return false }
    text = new
    // The state of the former text does not apply to the new one.
    note(counterpart: nil, isUnwritten: false)
    let keepsLength = difference.removed == difference.added.utf16.count
    note(
      difference.change, in: frame,
      answering: keepsLength ? viewer.map { ObjectIdentifier($0) } : nil)
    return true
  }

  /// The version of a page that shows a frame and has typed nothing since.
  func base(in frame: Int, of viewer: AnyObject? = nil) throws(Fault) -> Base {
    if frame < lastForgotten { throw .tooOld }
    let viewer = viewer.map { ObjectIdentifier($0) }
    var others = TextChange()
    for known in changes where known.frame > frame { known.append(to: &others, of: viewer) }
    return Base(
      frame: frame, viewer: viewer, seen: forgotten + changes.count, others: others)
  }

  /// Applies an edit to the current text, transformed by the changes of others. Returns the offset
  /// after it.
  @discardableResult
  func enter(_ edit: PageEdit, on base: inout Base, in frame: Int) throws(Fault) -> Int {
    guard base.seen >= forgotten else { throw .tooOld }
    var others = base.others
    for known in changes[(base.seen - forgotten)...] { known.append(to: &others, of: base.viewer) }
    if others.steps.count > Self.mostSteps { throw .tooOld }
    let shown = length - others.growth
    guard edit.removed <= shown, edit.start <= shown - edit.removed else { throw .beyond }
    let (change, rest) = edit.change.crossed(with: others)
    if change.steps.count > Self.mostOwnSteps { throw .tooOld }
    // No page splits a character, and an offset within a character would differ between pages.
    guard let new = text.changed(exactlyBy: change, adding: edit.added) else { throw .beyond }
    // A text that the app has made longer can be shortened.
    guard new.utf8.count <= max(PageLimits.message, text.utf8.count) else { throw .tooLong }
    text = new
    note(change, in: frame, answering: nil)
    base.others = rest
    base.seen = forgotten + changes.count
    return change.steps.last.map { $0.at + $0.added } ?? length
  }

  private func note(_ change: TextChange, in frame: Int, answering viewer: ObjectIdentifier?) {
    length = text.utf16.count
    changes.append(Known(frame: frame, change: change, answered: viewer))
    if changes.count <= Self.mostChanges { return }
    let count = Self.mostChanges / 2
    forgotten += count
    lastForgotten = changes[count - 1].frame
    changes.removeFirst(count)
  }
}

/// An edit of a text in a page: new text replaces a range.
struct PageEdit: Equatable {
  /// In UTF-16 units of the text that the page showed.
  let start: Int
  let removed: Int
  let added: String

  var change: TextChange { TextChange(at: start, removed: removed, added: added.utf16.count) }
}
