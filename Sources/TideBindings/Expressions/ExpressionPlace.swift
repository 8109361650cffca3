/// Where in an expression's text something stands, for errors that are found only after parsing.
package struct ExpressionPlace: Sendable {
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
