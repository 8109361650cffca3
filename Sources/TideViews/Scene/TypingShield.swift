import TideBindings

// A dialog that appears while somebody types takes no key at first, because the keys are meant for
// the text.
//
// A person is typing if their last act was to type into a text, less than a second before. A person
// who has since pressed another key or a button expects an answer, and may go on at once.
extension Scene {
  /// How long a new dialog takes no keys, in seconds of the app's clock.
  private static let shield = 0.3
  /// A person whose last key is this long ago has stopped typing.
  private static let pause = 1.0

  /// Notes that the present person types, or does something else.
  func noteTyping(_ isTyping: Bool) {
    (person ?? user).lastTyping =
      isTyping ? host.now.map { .init(moment: $0(), dialog: floats.modal) } : nil
  }

  func noteTyping(by event: InputEvent) {
    switch event {
    case .key(let key): noteTyping(key.isTyping && target is TextInputView)
    case .paste: noteTyping(false)
    case .mouse(let mouse):
      if case .press = mouse.kind { noteTyping(false) }
    case .resize: break
    }
  }

  /// Whether a key is dropped because it was meant for the text below the topmost dialog.
  func isShielded(from key: Key) -> Bool {
    guard let now = host.now?(), let typing = (person ?? user).lastTyping, let modal = floats.modal,
      typing.dialog !== modal,
      let since = focusRecovery.modals.first(where: { $0.float === modal })?.since
    else { return false }
    return since - typing.moment < Self.pause && now - since < Self.shield
      && key != Key("c" as Character, modifiers: .control)
  }
}
