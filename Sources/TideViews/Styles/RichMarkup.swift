package import TideBindings

/// Parses the markup of `rich.markup`: text between marks is formatted.
///
///     *bold*  _italic_  {red:a colour}  {muted danger:styles}  %s an argument  \* escaped
///
/// A mark opens if no letter or digit precedes it and no space follows it; it closes if no space
/// precedes it. Otherwise it is an ordinary character. Arguments are never parsed as markup.
package struct RichMarkup {
  private let sheet: StyleSheet
  private var rest: Substring
  private var arguments: ArraySlice<RichText>
  private var content = RichText.Content()
  private var open: [(mark: Character, format: RichText.Format)] = []
  private var pending = ""
  private var last: Character = " "

  private init(_ text: String, _ arguments: [RichText], _ sheet: StyleSheet) {
    rest = text[...]
    self.arguments = arguments[...]
    self.sheet = sheet
  }

  /// - Throws: `badArgument` for an unclosed mark, for a name that is neither a colour nor a style,
  ///   and for a wrong number of arguments.
  package static func read(
    _ text: String, _ arguments: [RichText], _ sheet: StyleSheet
  ) throws(TideError) -> RichText {
    var markup = RichMarkup(text, arguments, sheet)
    try markup.read()
    return sheet.richText(markup.content)
  }

  private static let marks = "\\*_{}%"

  /// Escapes the characters that would be marks with backslashes.
  package static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if marks.unicodeScalars.contains(scalar) { escaped.unicodeScalars.append("\\") }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }

  private var format: RichText.Format { open.last?.format ?? RichText.Format() }

  private mutating func read() throws(TideError) {
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        guard let escaped = rest.popFirst() else {
          throw Self.wrong("ends with a \\, which stands before the character that it escapes")
        }
        put(escaped)
      case "*", "_": try mark(character)
      case "{": try openBrace()
      case "}":
        guard open.last?.mark == "{" else {
          throw Self.wrong("has a } that closes nothing; a } of the text is written \\}")
        }
        close()
      case "%": try argument()
      default: put(character)
      }
    }
    flush()
    if let left = open.last { throw Self.wrong("has a \(left.mark) that nothing closes") }
    if !arguments.isEmpty { throw Self.wrong("has fewer %s than there are arguments") }
  }

  private mutating func put(_ character: Character) {
    pending.append(character)
    last = character
  }

  private mutating func flush() {
    content.append(pending, format)
    pending = ""
  }

  private mutating func mark(_ mark: Character) throws(TideError) {
    if open.last?.mark == mark, !last.isWhitespace {
      close()
      last = mark
    } else if !last.isLetter, !last.isNumber, let next = rest.first, !next.isWhitespace,
      !open.contains(where: { $0.mark == mark })
    {
      try begin(mark, mark == "*" ? .bold : .italic)
    } else {
      put(mark)
    }
  }

  /// The maximum nesting depth of marks.
  private static let deepest = 100

  private mutating func begin(
    _ mark: Character, _ inner: RichText.Format
  ) throws(TideError) {
    if open.count >= Self.deepest {
      throw Self.wrong("has more than \(Self.deepest) marks within each other")
    }
    flush()
    open.append((mark, inner.within(format)))
    last = " "
  }

  private mutating func close() {
    flush()
    open.removeLast()
  }

  private mutating func openBrace() throws(TideError) {
    guard let end = rest.firstIndex(of: ":"), !rest[..<end].contains(where: { "{}".contains($0) })
    else {
      throw Self.wrong(
        "has a { without a name and a colon, as in {red:text}; a { of the text is written \\{")
    }
    let names = rest[..<end].split(separator: " ").map(String.init)
    rest = rest[end...].dropFirst()
    try begin("{", Self.format(names, sheet))
  }

  /// The format for the name of a colour, or for names of styles.
  private static func format(
    _ names: [String], _ sheet: StyleSheet
  ) throws(TideError) -> RichText.Format {
    if names.isEmpty { throw wrong("has a { without a name, as in {red:text}") }
    if names.count == 1, sheet.definition(names[0]) == nil {
      if let color = try? Color(names[0]) { return RichText.Format(color: color) }
      throw wrong(
        "has the name \"\(names[0].inMessage)\", which is neither a style's nor a colour's"
          + NearestName.hint(for: names[0], in: sheet.names + Color.names))
    }
    if names.count > RichText.Format.mostStyles {
      throw wrong("has more than \(RichText.Format.mostStyles) styles at once")
    }
    for name in names { _ = try sheet.known(name) }
    return RichText.Format(styles: names)
  }

  private mutating func argument() throws(TideError) {
    switch rest.popFirst() {
    case "%": put("%")
    case "s":
      guard let text = arguments.popFirst() else {
        throw Self.wrong("has more %s than there are arguments")
      }
      flush()
      content.append(text, within: format)
      last = text.text.last ?? last
    default: throw Self.wrong("has a % that is neither %s nor %%")
    }
  }

  private static func wrong(_ what: String) -> TideError {
    TideError(.badArgument, "the text of rich.markup \(what)")
  }
}
