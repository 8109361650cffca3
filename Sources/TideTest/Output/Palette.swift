/// The colours of reports on a terminal, or none.
struct Palette {
  var isOn: Bool

  func red(_ text: String) -> String { paint(text, 31) }
  func green(_ text: String) -> String { paint(text, 32) }
  func yellow(_ text: String) -> String { paint(text, 33) }
  func magenta(_ text: String) -> String { paint(text, 35) }
  func cyan(_ text: String) -> String { paint(text, 36) }
  func bright(_ text: String) -> String { paint(text, 1) }

  private func paint(_ text: String, _ code: Int) -> String {
    isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
