public import TideBindings

/// What came of a text that was typed.
public enum ChunkResult {
  /// It is a beginning; more has to follow.
  case unfinished
  /// The values of an expression, readable; empty for a statement.
  case values([String])
  /// It raised an error, or does not parse.
  case failed(TideError)
  /// The session is over.
  case quit
}
