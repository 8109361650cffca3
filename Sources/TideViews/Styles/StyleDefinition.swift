package import TideBindings

/// The definition of a style: colours and attributes, and different ones for views that have the
/// focus, are selected or are disabled.
///
/// ```lua
/// style.define("danger", { textColor = "red", bold = true, focused = { reverse = true } })
/// ```
package struct StyleDefinition: Equatable, Sendable {
  var foreground: Color?
  var background: Color?
  /// The attributes that it switches on and off.
  var added: CellStyle.Attributes = []
  var removed: CellStyle.Attributes = []
  private(set) var states: [State: StyleDefinition] = [:]

  /// A state of a view for which a style may have a separate definition.
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

  /// The properties of a style, without those for states.
  package static let properties = ["textColor", "backgroundColor"] + attributes.map(\.key)
  /// The properties of a table returned by `rowStyle`.
  package static let rowNames = [
    "style", "textColor", "backgroundColor", "bold", "italic", "underline",
  ]
  package static let stateNames = State.allCases.map(\.rawValue)

  /// Sets one of `properties`.
  ///
  /// - Throws: `badColor`, and `wrongType` for a value that is neither a colour nor a Boolean.
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
  /// A readable form: `red, bold`.
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
