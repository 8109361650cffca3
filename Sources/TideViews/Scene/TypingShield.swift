import TideBindings

// A dialog that opens while the user is typing ignores keys at first, because the keys are meant
// for the text.
//
// A user is typing if the last action was typing into a text less than a second before. A user who
// has since pressed another key or a mouse button expects a response, and may continue at once.
extension Scene {
  /// How long a new dialog ignores keys, in seconds of the app's clock.
  private static let shield = 0.3
  /// A user whose last key is longer ago than this, in seconds, has stopped typing.
  private static let pause = 1.0

  /// Records whether the acting person is typing.
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
