import TideBindings
import TideGraph
import TideViews

// A draft is text in a field that is not stored in its record, such as a refused entry. Its name
// lets the next run of the app find the same field with the same record and value. A page that
// meets another run sends the text with that name.
extension PageTree {
  /// Records whether a field holds a draft, and informs pages when one begins or ends.
  func followDraft(of element: PageElement) {
    guard let field = element.view as? TextInputView,
      element.draft != nil || field.isBeingEdited
    else { return }
    let holdsDraft = field.holdsDraft && !isSecret(element.id)
    // A draft keeps its name, which depends on the value at its beginning.
    if holdsDraft == (element.draft != nil) { return }
    element.draft = holdsDraft ? draftName(of: element) ?? Self.unnamedDraft : nil
    element.isStale = true
  }

  /// The field of a draft, if it shows the same record with the same value; nil otherwise.
  func field(ofDraft name: String, in scene: Scene) -> PageElement? {
    if name == Self.unnamedDraft { return nil }
    return followed.values.sorted { $0.id < $1.id }.first { element in
      guard let view = element.view as? TextInputView, scene.isReachable(view) else { return false }
      return draftName(of: element) == name
    }
  }

  /// The name of a draft whose record another run of the app cannot find.
  private static let unnamedDraft = "-"

  private func draftName(of element: PageElement) -> String? {
    guard let view = element.view, let record = element.records.present?.record else { return nil }
    let records = view.shownPassage.records
    if records.isEmpty { return nil }
    var hash = StableHash()
    hash.add(path(of: element))
    for value in records {
      guard case .object(let object as DataObject) = value, let identity = identity(object) else {
        return nil
      }
      hash.add(identity)
    }
    hash.add(view.value(of: record)?.text ?? "")
    return hash.text
  }

  /// The location of a view: its class and position in each view above it, up to a row's cell.
  private func path(of element: PageElement) -> String {
    var path = ""
    var next: PageElement? = element
    while let each = next {
      let index = each.isCell ? nil : each.parent?.children.firstIndex { $0 === each }
      path += "/\(each.pageClass.name) \(index.map { "\($0)" } ?? "")"
      next = each.parent
    }
    return path
  }
}

/// A hash that is the same in each run of a program (FNV-1a).
private struct StableHash {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    // No text has this byte.
    add(0xff)
  }

  private mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  var text: String { String(value, radix: 36) }
}
