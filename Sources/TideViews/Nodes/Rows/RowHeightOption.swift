package import TideBindings

/// The values of `rowHeight`.
package enum RowHeightOption {
  /// Each row is as high as its content.
  package static let word = "auto"

  static var auto: Value { .string(word) }

  /// Checks a value: a number of cells, `"auto"`, or nil.
  package static func admit(_ value: Value, of view: String) throws(TideError) -> Value {
    switch value {
    case .null, .integer, .number, auto: return value
    default:
      throw TideError(
        .wrongType,
        "\(view).rowHeight is a number of cells, or \"\(word)\" for rows as high as their content, "
          + "not \(value.typeAndPreview)")
    }
  }
}
