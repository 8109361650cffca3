/// How the parts of a diagnostic stand out.
public struct DiagnosticStyle: Sendable {
  package let isColored: Bool

  /// Text alone.
  public static let plain = DiagnosticStyle(isColored: false)
  /// For terminals.
  public static let colored = DiagnosticStyle(isColored: true)

  package func place(_ text: String) -> String { wrapped(text, "1") }
  package func kind(_ text: String) -> String { wrapped(text, "1;31") }
  func warning(_ text: String) -> String { wrapped(text, "1;33") }
  package func message(_ text: String) -> String { wrapped(text, "1") }
  package func caret(_ text: String) -> String { wrapped(text, "1;32") }
  package func caller(_ text: String) -> String { wrapped(text, "2") }

  private func wrapped(_ text: String, _ codes: String) -> String {
    isColored && !text.isEmpty ? "\u{1b}[\(codes)m\(text)\u{1b}[0m" : text
  }
}
