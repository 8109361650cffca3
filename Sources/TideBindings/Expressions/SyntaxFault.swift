/// What is wrong with an expression, and at which byte.
///
/// A fault is small and knows nothing of the text; `ExpressionScanner.error` turns it into a
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
