import TideBindings
import TideGraph
import TideSystem
import TideValues
import TideViews

// Writes elements as operations of a message.
extension PageTree {
  /// A part of the tree that has not been written yet.
  enum Part {
    case element(PageElement)
    case cell(row: Int, PageElement)
    case json(String)
  }

  /// Writes an element or a cell and everything below it, without recursion, because trees may be
  /// deep.
  ///
  /// - `[number, class, properties, elements below]` is an element, and
  ///   `[number, class, properties, cells, count]` one with rows
  /// - a text alone is a label, whose number follows that of the element before
  /// - `[row, number, elements below]` is a cell with nothing else, and `[row, element]` any other
  ///
  /// - Parameter reader: the person whose pages receive it; nil stands for all who own no dialog.
  func write(_ first: Part, for reader: ScenePerson?, _ wire: inout WireText) {
    var json = ""
    var previous: Int?
    var rest = [first]
    while let part = rest.popLast() {
      switch part {
      case .json(let text): json += text
      case .cell(let row, let cell):
        json += "[\(row),"
        guard cell.hasElementsAlone else {
          rest += [.json("]"), .element(cell)]
          continue
        }
        json += "\(cell.id)"
        previous = cell.id
        rest.append(.json("]"))
        for child in cell.children.reversed() { rest += [.element(child), .json(",")] }
      case .element(let element):
        defer { previous = element.id }
        if let owner = element.owner, owner !== reader {
          json += "[\(element.id),\"\(element.pageClass.name)\",{\"hidden\":true}]"
          continue
        }
        if previous.map({ $0 + 1 }) == element.id, let text = element.textAlone {
          json += text
          continue
        }
        var start = WireText()
        start.number(element.id)
        start.string(element.pageClass.name)
        start.object { wire in
          wire.members(element.properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
        json += "[" + start.text
        let below = Self.parts(below: element)
        if below.isEmpty {
          json += "]"
        } else {
          rest.append(.json("]"))
          rest += below.reversed()
        }
      }
    }
    wire.raw(json)
  }

  private static func parts(below element: PageElement) -> [Part] {
    var parts: [Part] = []
    func add(_ part: Part) { parts += [.json(parts.isEmpty ? ",[" : ","), part] }
    guard let rows = element.rows else {
      for child in element.children { add(.element(child)) }
      return parts.isEmpty ? [] : parts + [.json("]")]
    }
    for (cell, child) in zip(rows.cells, element.children) { add(.cell(row: cell.row, child)) }
    return (parts.isEmpty ? [.json(",[")] : parts) + [.json("],\(rows.count)")]
  }

  func send(
    _ properties: [(name: String, json: String)], of element: PageElement,
    _ operations: inout PageOperations
  ) {
    if properties.isEmpty { return }
    let isOfText = properties.contains { $0.name == "text" }
    let difference = isOfText ? element.takeTextDifference() : nil
    let rest = difference == nil ? properties : properties.filter { $0.name != "text" }
    operations.write(to: element) { _, wire in
      if !rest.isEmpty {
        wire.array {
          $0.number(element.id)
          $0.object { $0.members(rest) }
        }
      }
      guard let difference else { return }
      wire.array {
        $0.string("text")
        $0.number(element.id)
        $0.number(difference.start)
        $0.number(difference.removed)
        $0.string(difference.added)
      }
    }
  }

  func properties(
    of view: View, _ element: PageElement, _ description: ViewDescription
  ) -> [(name: String, json: String)] {
    var properties: [(name: String, json: String)] = []
    let isSecret = element.pageClass.isSecret(view)
    for property in element.pageClass.properties {
      let value = view.slot(property.index).load()
      if value == property.initial { continue }
      if isSecret, property.name == "text" {
        properties.append(("text", Self.bullets(for: value.text ?? "").quotedForJSON))
        continue
      }
      // Text in a cell is aligned to the start by default.
      if property.name == "align", value == .string("start"), element.isLabelInCell { continue }
      if let json = value.wireJSON, json != "null" { properties.append((property.name, json)) }
    }
    if let mark = (view as? TextInputView)?.nullMark {
      properties.append(("mark", mark.quotedForJSON))
    }
    // A screen reader names a control in a table by its column.
    if element.isControl, element.cell != nil, let title = view.columnTitle {
      properties.append(("column", title.quotedForJSON))
    }
    element.picture = description.source.flatMap(picture)
    if let address = element.picture?.address {
      properties.append(("source", address.quotedForJSON))
    }
    if let text = element.records.present, text.text != nil, text.number > 0 {
      properties.append(("record", "\(text.number)"))
    }
    guard let draft = element.draft else { return properties + description.wireProperties }
    properties.append(("draft", draft.quotedForJSON))
    var described = description
    // Escape discards the draft.
    if !described.keys.contains(Self.escape) { described.keys.append(Self.escape) }
    return properties + described.wireProperties
  }

  private static let escape = "Escape"

  /// Bullets in place of a secret text: with the same number of UTF-16 units, so that edits apply
  /// at the right offsets, but without a character of the secret.
  static func bullets(for text: String) -> String {
    var bullets = ""
    for scalar in text.unicodeScalars {
      bullets.unicodeScalars.append(scalar.value > 0xFFFF ? "\u{1F784}" : "\u{2022}")
    }
    return bullets
  }

  // MARK: Dialogs of one person

  /// Whether a person's pages have the content of a view.
  func has(_ id: Int, _ reader: ScenePerson) -> Bool { element(id)?.isSent(to: reader) ?? false }

  /// Sends dialogs whose owner has changed: their content to the new owner's pages, and an empty
  /// element to all others, so that all pages count the elements beside them alike.
  func updateOwners(_ operations: inout PageOperations) {
    for dialog in dialogs.values {
      if let owner = dialog.owner { operations.setApart(owner) }
    }
    for dialog in dialogs.values.sorted(by: { $0.id < $1.id }) {
      let (former, owner) = (dialog.owner, dialog.presentOwner)
      if former === owner { continue }
      if let owner { operations.setApart(owner) }
      let place = dialog.parent.map { ($0.id, $0.children) } ?? (Self.rootID, tops)
      let index = place.1.firstIndex { $0 === dialog }
      dialog.owner = owner
      guard let index else { continue }
      operations.write(to: dialog.parent) { reader, wire in
        let had = former == nil || former === reader
        let has = owner == nil || owner === reader
        if had == has { return }
        writeRemoval(dialog, &wire)
        writeAddition(dialog, to: place.0, at: index, for: reader, &wire)
      }
    }
  }
}
