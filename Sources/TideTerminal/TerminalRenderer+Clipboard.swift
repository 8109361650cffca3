import TideBindings

extension TerminalRenderer {
  /// Hands copied text to the terminal's own clipboard, where it has one.
  func offer(_ text: String) {
    guard isMounted, capabilities.hasAttributes, let bytes = ClipboardSequence.encode(text) else {
      return
    }
    do throws(TideError) {
      _ = try device.write(bytes)
    } catch {
      end(.failed(error))
    }
  }
}
