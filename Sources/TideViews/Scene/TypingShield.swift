import TideBindings

// A dialog that comes up over somebody who types takes no key at first, because what they type is
// not meant for it.
//
// Somebody types whose last act was to type into a text, less than a second before. Who has pressed
// another key or a button since waits for what comes of that, and may go on at once.
extension Scene {
  /// For so long after it has come up, in seconds of the app's clock.
  private static let shield = 0.3
  /// Who has typed so long ago is not typing.
  private static let pause = 1.0

  /// The present person types, or does something else.
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

  /// Whether a key is dropped, since it was meant for what the highest dialog has come up over.
  func isShielded(from key: Key) -> Bool {
    guard let now = host.now?(), let typing = (person ?? user).lastTyping, let modal = floats.modal,
      typing.dialog !== modal,
      let since = focusRecovery.modals.first(where: { $0.float === modal })?.since
    else { return false }
    return since - typing.moment < Self.pause && now - since < Self.shield
      && key != Key("c" as Character, modifiers: .control)
  }
}
