import TideBindings

/// A text that people edit in pages, with the changes that it has had: what is typed in a page that
/// shows an earlier text is put where it belongs in the present one.
///
/// ```swift
/// let text = PageText("one")
/// text.follow("Xone", in: 2)                        // somebody else's X
/// var base = try text.base(in: 1)                   // of a page that does not know of it
/// try text.enter(PageEdit(start: 3, removed: 0, added: "!"), on: &base, in: 3)    // "Xone!"
/// ```
///
/// Frames count what pages are sent; a change has the number of the frame that tells of it.
final class PageText {
  private(set) var text: String
  /// In UTF-16 units.
  private var length: Int
  private var changes: [Known] = []
  /// How many changes are not remembered any more, and the frame of the last of them.
  private var forgotten = 0
  private var lastForgotten = -1

  private struct Known {
    let frame: Int
    let change: TextChange
    /// Whose edit the app has answered by it, with as many letters as there were. For that person's
    /// page the letters are its own: an edit that replaces them replaces the answer.
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
    /// What leads from what the page shows to what the text is.
    fileprivate var others: TextChange
  }

  enum Fault: Error {
    /// The edit was made on a text that is not remembered.
    case tooOld
    /// The edit is of more than the page shows.
    case beyond
    /// The text would be longer than a message may be.
    case tooLong
  }

  static let mostChanges = 1000
  /// Steps between what a page shows and the text: only a page that takes nothing in for long has
  /// so many.
  private static let mostSteps = 2000
  /// Parts into which others' insertions may take a removal apart: each is made by itself.
  private static let mostOwnSteps = 200

  init(_ text: String) {
    self.text = text
    length = text.utf16.count
  }

  /// What the record holds for the text as it was typed. While it does, the text stays as it is.
  private var counterpart: Value?
  /// Whether the record has refused the text.
  private(set) var isUnwritten = false

  /// Notes what became of the text in its record.
  func note(counterpart: Value?, isUnwritten: Bool) {
    self.counterpart = counterpart
    self.isUnwritten = isUnwritten
  }

  /// Whether the text stays as it was typed although the record holds another value.
  func isKept(for held: Value) -> Bool { isUnwritten || counterpart == held }

  /// Takes over what the text has come to by other ways than an edit in a page; false where it is
  /// the same.
  ///
  /// - Parameter viewer: whose edit the app has answered by it; nil for nobody's.
  @discardableResult
  func follow(_ new: String, in frame: Int, answering viewer: AnyObject? = nil) -> Bool {
    guard new != text || !new.utf8.elementsEqual(text.utf8),
      let difference = TextDifference(from: text, to: new)
    else { return false }
    text = new
    // What became of the former text says nothing of this one.
    note(counterpart: nil, isUnwritten: false)
    let keepsLength = difference.removed == difference.added.utf16.count
    note(
      difference.change, in: frame,
      answering: keepsLength ? viewer.map { ObjectIdentifier($0) } : nil)
    return true
  }

  /// What a page shows that has taken in all up to a frame and has typed nothing since.
  func base(in frame: Int, of viewer: AnyObject? = nil) throws(Fault) -> Base {
    if frame < lastForgotten { throw .tooOld }
    let viewer = viewer.map { ObjectIdentifier($0) }
    var others = TextChange()
    for known in changes where known.frame > frame { known.append(to: &others, of: viewer) }
    return Base(
      frame: frame, viewer: viewer, seen: forgotten + changes.count, others: others)
  }

  /// Puts an edit where it belongs, and gives the place behind it; the text is then as it is to be.
  @discardableResult
  func enter(_ edit: PageEdit, on base: inout Base, in frame: Int) throws(Fault) -> Int {
    guard base.seen >= forgotten else { throw .tooOld }
    var others = base.others
    for known in changes[(base.seen - forgotten)...] { known.append(to: &others, of: base.viewer) }
    if others.steps.count > Self.mostSteps { throw .tooOld }
    let shown = length - others.growth
    guard edit.removed <= shown, edit.start <= shown - edit.removed else { throw .beyond }
    // A page sends a text as a whole no further than that either.
    let bytes = edit.added.utf8.count
    guard bytes <= edit.removed || text.utf8.count + bytes <= PageLimits.message else {
      throw .tooLong
    }
    let (change, rest) = edit.change.crossed(with: others)
    if change.steps.count > Self.mostOwnSteps { throw .tooOld }
    // No page takes a character apart, and what stood half in one would lie elsewhere for each.
    guard let new = text.changed(exactlyBy: change, adding: edit.added) else { throw .beyond }
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

/// What a person has done to a text in a page: something has come in place of what stood there.
struct PageEdit: Equatable {
  /// In UTF-16 units of the text that the page showed.
  let start: Int
  let removed: Int
  let added: String

  var change: TextChange { TextChange(at: start, removed: removed, added: added.utf16.count) }
}
