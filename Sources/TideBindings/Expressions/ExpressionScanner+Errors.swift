extension ExpressionScanner {
  /// The error message for readers: the column, the message, the text and a caret under the
  /// location.
  func error(for fault: SyntaxFault) -> TideError {
    let offset = min(fault.offset, bytes.count)
    let line = line(of: offset)
    let location =
      line > 1 ? "line \(line), column \(column(of: offset))" : "column \(column(of: offset))"
    let (excerpt, caret) = excerpt(around: offset)
    return TideError(fault.code, "\(location): \(fault.message)\n  \(excerpt)\n  \(caret)^")
  }

  /// The token at the position, for a message: a whole word or arrow, else one character.
  var found: String {
    if isAtEnd { return "the end" }
    var end = position
    if byte.continuesName {
      while end < bytes.count, bytes[end].continuesName { end += 1 }
    } else if byte.isArrowPart {
      while end < bytes.count, bytes[end].isArrowPart { end += 1 }
    } else {
      end += 1
    }
    return quoted(position..<end)
  }

  /// Part of the text in quotes, at most 24 characters of it.
  func quoted(_ range: Range<Int>) -> String {
    if range.isEmpty {
      return range.lowerBound < bytes.count
        ? quoted(range.lowerBound..<range.lowerBound + 1) : "the end"
    }
    let text = Self.printable(text(range.lowerBound..<min(range.upperBound, range.lowerBound + 96)))
    return text.unicodeScalars.count > 24
      ? "\"\(String(text.unicodeScalars.prefix(23)))…\"" : "\"\(text)\""
  }

  /// The column of a byte in its line, from 1, counting characters as an editor does.
  func column(of offset: Int) -> Int {
    1 + Self.scalarCount(bytes[lineStart(of: offset)..<offset])
  }

  private func line(of offset: Int) -> Int {
    bytes[..<offset].reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
  }

  private func lineStart(of offset: Int) -> Int {
    bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
  }

  /// The line around a byte, cut to the width of a screen, and the blanks before its caret.
  private func excerpt(around offset: Int) -> (text: String, blanks: String) {
    let start = lineStart(of: offset)
    // Reads no more than what is shown.
    let rest = bytes[offset..<min(bytes.count, offset + 41)]
    let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
    let from = scalarBoundary(max(start, offset - 60))
    let to = max(from, scalarBoundary(min(end, offset + 40)))
    let before = Self.printable(text(from..<offset))
    let after = Self.printable(text(offset..<max(to, offset)))
    let lead = from > start ? "…" : ""
    let blanks = String(repeating: " ", count: (lead + before).count)
    return (lead + before + after + (to < end ? "…" : ""), blanks)
  }

  private func scalarBoundary(_ offset: Int) -> Int {
    var offset = offset
    while offset < bytes.count, offset > 0, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
    return offset
  }

  private static func scalarCount(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    bytes.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
  }

  /// Replaces control characters by blanks, so that an error stays on one line and the caret in its
  /// place.
  private static func printable(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
  }
}

/// An error in an expression, with its byte offset.
///
/// A fault is small and independent of the text; `ExpressionScanner.error` turns it into a
/// `TideError` with the column and a caret.
package struct SyntaxFault: Error {
  package var code: TideError.Code
  /// In bytes of the text.
  package var offset: Int
  package var message: String

  init(_ code: TideError.Code = .syntax, at offset: Int, _ message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }
}

/// A location in the text of an expression, for errors that are only found after parsing.
package struct ExpressionLocation: Sendable {
  var source: String
  /// In bytes of UTF-8, from 0.
  package var offset: Int

  /// The same error with the column before its message, and the text with a caret below it.
  func locate(_ error: TideError) -> TideError {
    var source = source
    var located = source.withUTF8 { bytes in
      ExpressionScanner(bytes: bytes, source: "").error(
        for: SyntaxFault(error.code, at: offset, error.message))
    }
    located.cause = error.cause
    return located
  }
}
