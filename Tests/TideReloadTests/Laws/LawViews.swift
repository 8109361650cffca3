import TideBindings

@testable import TideViews

/// What the views of a scene hold that a picture does not always show.
enum LawViews {
  static func state(of scene: Scene) -> [(name: String, text: String)] {
    var lines: [(String, String)] = []
    var walk = TreeWalk(scene.window)
    var number = 0
    while let view = walk.next() {
      number += 1
      let text = describe(view)
      if !text.isEmpty { lines.append(("view \(number) \(view.callName)", text)) }
    }
    let floats = scene.floats.shown.map { "\($0.viewClass.name) \($0.layout.rect)" }
    lines.append(("floats", floats.joined(separator: ", ")))
    return lines
  }

  private static func describe(_ view: View) -> String {
    var parts: [String] = []
    if view.flag(.hidden) { parts.append("hidden") }
    if !view.flag(.enabled) { parts.append("disabled") }
    switch view {
    case let input as TextInputView:
      parts.append("\(input.text.debugDescription) \(input.selectedRange) \(input.caretIndex)")
      parts.append("editing \(input.isEditing)")
      if let error = view.peek(.error, as: String?.self) { parts.append("error \(error)") }
      parts.append("undo \(input.editor.canUndo) \(input.editor.canRedo)")
    case let rows as RowsView:
      parts.append("row \(rows.selection.map { "\($0)" } ?? "none") first \(rows.firstRow)")
      parts.append("of \(rows.count)")
      if let table = view as? TableView {
        parts.append("sort \(table.peek(.sort, as: String?.self) ?? "none")")
      }
    case let choice as ChoosingView:
      parts.append("chosen \(choice.selection.map { "\($0)" } ?? "none")")
    case let toggle as ToggleView: parts.append("on \(toggle.isOn)")
    case let range as RangeView: parts.append("value \(range.value)")
    case let tabs as TabsView: parts.append("tab \(tabs.selected ?? -1)")
    case let scroll as ScrollView: parts.append("at \(scroll.scrollX), \(scroll.scrollY)")
    case let menu as MenuView: parts.append("open \(menu.isOpen) \(menu.levels.count)")
    default: break
    }
    return parts.joined(separator: " ")
  }
}
