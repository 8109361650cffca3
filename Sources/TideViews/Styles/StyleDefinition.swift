package import TideBindings

/// What a style says of the views that have it: colours and attributes, and others while a view has
/// the focus, is selected or cannot be used.
///
/// ```lua
/// style.define("danger", { textColor = "red", bold = true, focused = { reverse = true } })
/// ```
package struct StyleDefinition: Equatable, Sendable {
  var foreground: Color?
  var background: Color?
  /// Attributes that it switches on, and off.
  var added: CellStyle.Attributes = []
  var removed: CellStyle.Attributes = []
  private(set) var states: [State: StyleDefinition] = [:]

  /// When a part of a style counts.
  package enum State: String, CaseIterable, Sendable {
    case selected, focused, disabled
  }

  package init() {}

  init(foreground: Color? = nil, background: Color? = nil, adding added: CellStyle.Attributes = [])
  {
    self.foreground = foreground
    self.background = background
    self.added = added
  }

  private static let attributes: KeyValuePairs<String, CellStyle.Attributes> = [
    "bold": .bold, "italic": .italic, "underline": .underline, "dim": .dim, "reverse": .reverse,
  ]

  /// What a style may say, states apart.
  package static let properties = ["textColor", "backgroundColor"] + attributes.map(\.key)
  /// What the table that a `rowStyle` gives may have.
  package static let rowNames = [
    "style", "textColor", "backgroundColor", "bold", "italic", "underline",
  ]
  package static let stateNames = State.allCases.map(\.rawValue)

  /// Sets one of `properties`.
  ///
  /// - Throws: `badColor`, and `wrongType` for what is neither a colour nor true or false.
  package mutating func set(_ name: String, _ value: Value, of style: String) throws(TideError) {
    switch name {
    case "textColor": foreground = try Self.color(value, name, style)
    case "backgroundColor": background = try Self.color(value, name, style)
    default:
      guard let attribute = Self.attributes.first(where: { $0.key == name })?.value else { return }
      guard case .boolean(let isOn) = value else {
        throw TideError(
          .wrongType, "\(name) of \(style) is true or false, not \(value.typeAndPreview)")
      }
      added.remove(attribute)
      removed.remove(attribute)
      if isOn { added.insert(attribute) } else { removed.insert(attribute) }
    }
  }

  package mutating func set(_ state: State, _ definition: StyleDefinition) {
    states[state] = definition
  }

  private static func color(
    _ value: Value, _ name: String, _ style: String
  ) throws(TideError) -> Color {
    guard case .string(let text) = value else {
      throw TideError(
        .wrongType, "\(name) of \(style) is a colour's name, not \(value.typeAndPreview)")
    }
    return try Color(text)
  }
}

extension StyleDefinition: CustomStringConvertible {
  /// In words: `red, bold`.
  package var description: String {
    var words: [String] = []
    if let foreground { words.append("\(foreground)") }
    if let background { words.append("on \(background)") }
    for (name, attribute) in Self.attributes {
      if added.contains(attribute) { words.append(name) }
      if removed.contains(attribute) { words.append("not \(name)") }
    }
    return words.isEmpty ? "nothing" : words.joined(separator: ", ")
  }
}
