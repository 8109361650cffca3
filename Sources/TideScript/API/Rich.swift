import TideBindings
import TideGraph
import TideLua
import TideViews

// Rich text: `rich { … }`, and the functions that format its parts.
extension Runtime {
  func installRichText() throws {
    let functions: KeyValuePairs<APIEntry, (borrowing LuaCall) throws -> Void> = [
      .richBold: { [unowned self] call in try format(call, 0, .bold) },
      .richItalic: { [unowned self] call in try format(call, 0, .italic) },
      .richUnderline: { [unowned self] call in try format(call, 0, .underline) },
      .richColor: { [unowned self] call in
        try format(call, 1, RichText.Format(color: Color(call.name(0, "a colour"))))
      },
      .richBackground: { [unowned self] call in
        try format(call, 1, RichText.Format(background: Color(call.name(0, "a colour"))))
      },
      .richStyle: { [unowned self] call in
        let names = try call.name(0, "a style's name").split(separator: " ").map(String.init)
        guard names.count <= RichText.Format.mostStyles else {
          throw call.badArgument(0, "at most \(RichText.Format.mostStyles) styles expected")
        }
        for name in names { _ = try styles.known(name) }
        try format(call, 1, RichText.Format(styles: names))
      },
      .richMarkup: { [unowned self] call in
        let text = try call.string(0)
        var arguments: [RichText] = []
        var count = text.utf8.count
        for index in 1..<max(1, call.count) {
          guard let argument = try part(call.value(index)) else {
            throw call.wrongType(index, "text, number or rich text")
          }
          count += argument.text.utf8.count
          try charge(argument.text.utf8.count)
          try admitText(count)
          arguments.append(argument)
        }
        try give(RichMarkup.read(text, arguments, styles), call)
      },
      .richEscape: { call in call.return(RichMarkup.escape(try call.string(0))) },
    ]
    try publishTable(
      "rich", calling: "rich(parts)",
      { [unowned self] call in try format(call, 1, RichText.Format()) }, functions)
    try installMetatable()
  }

  /// The operators and properties of rich text.
  private func installMetatable() throws {
    let metatable = api.metatables.richText
    try fill(metatable, methods: [:], properties: ["text"]) { name, call in
      guard name == "text", let text = call.userdata(0, as: RichText.self) else { return false }
      call.return(text.text)
      return true
    }
    try metatable.rawSet(
      "__tostring",
      .function(
        function(named: "tostring") { call in
          call.return(call.userdata(0, as: RichText.self)?.text ?? "")
        }))
    try metatable.rawSet(
      "__len",
      .function(
        function(named: "len") { call in
          call.return(call.userdata(0, as: RichText.self)?.text.utf8.count ?? 0)
        }))
    try metatable.rawSet(
      "__eq",
      .function(
        function(named: "eq") { call in
          let first = call.userdata(0, as: RichText.self)
          call.return(first != nil && first === call.userdata(1, as: RichText.self))
        }))
    try metatable.rawSet(
      "__concat",
      .function(
        function(named: "concat") { [unowned self] call in
          var content = RichText.Content()
          for index in 0..<2 {
            guard let part = try part(call.value(index)) else {
              throw TideError(
                .wrongType, "cannot join rich text with \(try call.value(index).preview)")
            }
            content.append(part, within: RichText.Format())
          }
          try give(styles.richText(content), call)
        }))
  }

  /// Returns a part, or a list of parts, in a format.
  private func format(
    _ call: borrowing LuaCall, _ index: Int, _ format: RichText.Format
  ) throws {
    var content = RichText.Content()
    guard call.tag(index) == LuaTag.table else {
      guard let part = try part(call.value(index)) else {
        throw call.wrongType(index, "text, number, rich text or list of these")
      }
      content.append(part, within: format)
      return try give(styles.richText(content), call)
    }
    let parts = try call.table(index).elements(of: "a rich text")
    for (number, value) in parts.enumerated() {
      guard let part = try part(value) else {
        throw TideError(
          .wrongType,
          "part \(number + 1) of the rich text is a text, a number or another rich text, not "
            + value.preview)
      }
      // The same part may be repeated a million times.
      try charge(part.text.utf8.count)
      try admitText(content.text.utf8.count + part.text.utf8.count)
      content.append(part, within: format)
    }
    try give(styles.richText(content), call)
  }

  /// A plain value as text, or a rich text; nil for anything else.
  private func part(_ value: LuaValue) throws -> RichText? {
    switch value {
    case .userdata(let userdata): return userdata.object as? RichText
    case .string, .bytes, .integer, .number, .boolean:
      var content = RichText.Content()
      content.append(try self.value(from: value).text ?? "", RichText.Format())
      return styles.richText(content)
    default: return nil
    }
  }

  private func give(_ text: RichText, _ call: borrowing LuaCall) throws {
    try admitText(text.text.utf8.count)
    try charge(text.byteCount + Weight.entry)
    call.return(try luaValue(text))
  }
}

// MARK: Catalogue

extension APIEntry {
  static let rich = APIEntry(
    "rich", usage: "rich { \"Total: \", rich.bold(12) }",
    "A text for a label whose parts have looks of their own.",
    """
    @class tidelock.Rich
    @overload fun(parts: tidelock.RichPart|tidelock.RichPart[]): tidelock.RichText
    """)

  static let richBold = part("rich.bold(text)", "The text in bold.")
  static let richItalic = part("rich.italic(text)", "The text in italics.")
  static let richUnderline = part("rich.underline(text)", "The text underlined.")
  static let richColor = part(
    "rich.color(color, text)", "The text in a colour.", "@param color string\n")
  static let richBackground = part(
    "rich.background(color, text)", "The text on a colour.", "@param color string\n")
  static let richStyle = part(
    "rich.style(names, text)", "The text in one style or several.", "@param names string\n")

  static let richMarkup = APIEntry(
    "rich.markup(text, ...)", usage: "rich.markup(\"*%s* is {red:late}\", name)",
    "Reads *bold*, _italic_ and {style or colour:text}; arguments for %s are never markup.",
    """
    @param text string
    @param ... tidelock.RichPart
    @return tidelock.RichText
    """)

  static let richEscape = APIEntry(
    "rich.escape(text)", "The text as `rich.markup` shows it as it is.",
    """
    @param text string
    @return string
    """)

  private static func part(
    _ signature: Signature, _ summary: String, _ parameters: String = ""
  ) -> APIEntry {
    APIEntry(
      signature, summary,
      parameters + "@param text tidelock.RichPart|tidelock.RichPart[]\n@return tidelock.RichText")
  }
}

extension APISection {
  static let rich = APISection(
    article: "StylesAndThemes",
    entries: [
      .rich, .richBold, .richItalic, .richUnderline, .richColor, .richBackground, .richStyle,
      .richMarkup, .richEscape,
    ],
    types: """
      ---A text whose parts have looks of their own.
      ---@class tidelock.RichText
      ---@field text string
      ---@operator concat(tidelock.RichPart): tidelock.RichText

      ---@alias tidelock.RichPart string|number|boolean|tidelock.RichText
      """)
}
