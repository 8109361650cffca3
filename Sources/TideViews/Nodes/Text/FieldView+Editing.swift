import TideBindings

extension FieldView: TextEditing {
  package var isBeingEdited: Bool { isEditing }

  package func whenEditingEnds(_ body: @escaping () -> Void) -> () -> Void {
    var handler: EventHandler?
    do {
      handler = try on(.editingDidEnd) { _, _ in
        handler?.cancel()
        body()
      }
    } catch {
      report(error)
    }
    return { handler?.cancel() }
  }
}
