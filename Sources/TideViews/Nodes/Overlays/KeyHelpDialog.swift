import TideBindings
import TideGraph

/// Shows the help for keys in a dialog, for renderers that have no other place for it.
package final class KeyHelpDialog: DialogView {
  init(_ sections: [KeyHelp.Section]) {
    super.init(viewClass: .dialog)
    self[.title] = "Keys"
    self[.modal] = true
    self[.spacing] = 1
    do { try fill(sections) } catch { report(error) }
  }

  private func fill(_ sections: [KeyHelp.Section]) throws {
    let scroll = ViewClass.scroll.make()
    scroll[.label] = "Keys"
    scroll[.width] = 60
    for section in sections {
      let title = LabelView(section.title)
      title[.bold] = true
      try scroll.add(title)
      for line in section.lines {
        let keys = LabelView(line.keys)
        keys[.width] = 20
        keys[.wrap] = true
        let action = LabelView(line.action)
        action[.grow] = 1
        action[.wrap] = true
        try scroll.add(ViewClass.row.make([keys, action]))
      }
    }
    try add(scroll)
    let button = ButtonView("Close")
    try button.on(.touchUpInside) { [weak self] _, _ in self?.close() }
    try add(button)
    button.focus()
  }

  package override func close(by key: Key? = nil) { scene?.dismiss(self) }
}

extension Scene {
  /// Shows a list of the current keys to the user who asked for it.
  ///
  /// - Parameter more: the keys that the renderer itself handles.
  package func showKeyHelp(with more: KeyHelp.Section) {
    let dialog = KeyHelpDialog(keyHelp + [more])
    dialog.belong(to: person, whoseFocusIs: focused)
    present(dialog)
  }
}
