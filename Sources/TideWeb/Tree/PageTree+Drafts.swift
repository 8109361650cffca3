import TideBindings
import TideGraph
import TideViews

// What is typed in a field and in no record yet, such as a refused entry, has a name by which the
// next run of the app finds the same field with the same record and value. A page sends the text
// with that name when it meets another run.
extension PageTree {
  /// Takes over whether a field holds a draft. Pages are told when one begins or ends.
  func followDraft(of element: PageElement) {
    guard let field = element.view as? TextInputView,
      element.draft != nil || field.isBeingEdited
    else { return }
    let holdsDraft = field.holdsDraft && !isSecret(element.id)
    // A draft keeps its name: it was begun on the value of that time.
    if holdsDraft == (element.draft != nil) { return }
    element.draft = holdsDraft ? draftName(of: element) ?? Self.unnamedDraft : nil
    element.isStale = true
  }

  /// The field that a draft was typed in, if it shows the same record with the same value; nil where
  /// there is none.
  func field(ofDraft name: String, in scene: Scene) -> PageElement? {
    if name == Self.unnamedDraft { return nil }
    return followed.values.sorted { $0.id < $1.id }.first { element in
      guard let view = element.view as? TextInputView, scene.isReachable(view) else { return false }
      return draftName(of: element) == name
    }
  }

  /// Of a draft for a record that another run of the app cannot find.
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

  /// Where a view stands: its class and position in each view above it, up to a row's cell.
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
