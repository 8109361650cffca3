public import TideBindings

extension Key {
  private static let names: [(name: String, code: Code)] =
    [
      ("Enter", .enter), ("Tab", .tab), ("Escape", .escape), ("Space", .space),
      ("Backspace", .backspace), ("Delete", .delete), ("Insert", .insert), ("Up", .up),
      ("Down", .down), ("Left", .left), ("Right", .right), ("Home", .home), ("End", .end),
      ("PageUp", .pageUp), ("PageDown", .pageDown),
    ] + (1...12).map { ("F\($0)", .function($0)) }

  /// The names of the keys that are not characters.
  package static var keyNames: [String] { names.map(\.name) }

  private static let prefixes: [(text: String, modifier: Modifiers)] = [
    ("Ctrl-", .control), ("Alt-", .alt), ("Shift-", .shift),
  ]

  /// Parses a key's name: `a`, `Enter`, `Ctrl-S`, `Shift-Tab`, `Ctrl--`.
  ///
  /// - Throws: `badKey`, with the nearest name.
  public init(_ name: String) throws(TideError) {
    try TextLimit.check(name, "a key's name", most: 256)
    var rest = name[...]
    var modifiers: Modifiers = []
    while let prefix = Self.prefixes.first(where: { rest.hasPrefix($0.text) && rest != $0.text }) {
      modifiers.insert(prefix.modifier)
      rest = rest.dropFirst(prefix.text.count)
    }
    if rest.count == 1, let character = rest.first, character.isVisible {
      self.init(.character(character), modifiers: modifiers)
    } else if let named = Self.names.first(where: { $0.name == rest }) {
      self.init(named.code, modifiers: modifiers)
    } else {
      let prefix = name.dropLast(rest.count)
      let near = NearestName.find(String(rest), in: Self.names.map(\.name))
      let hint =
        (near.map { "\(prefix)\($0)" } ?? Self.nearPrefix(rest).map { "\(prefix)\($0)" })
        .map { "did you mean \"\($0)\"?" }
        ?? "keys are single characters, Enter, Tab, Escape, Up, PageDown, F1 and so on"
      throw TideError(.badKey, "\"\(name)\" is not a key; \(hint)")
    }
  }

  /// The correction of a misspelt modifier prefix: `Ctrl-S` for `ctrl-S`.
  private static func nearPrefix(_ name: Substring) -> String? {
    guard let dash = name.firstIndex(of: "-"), dash != name.startIndex else { return nil }
    let given = String(name[...dash])
    let known = ["Control-": "Ctrl-", "Ctl-": "Ctrl-", "Option-": "Alt-", "Meta-": "Alt-"]
    let rest = name[name.index(after: dash)...]
    guard !rest.isEmpty,
      let near = known[given] ?? NearestName.find(given, in: prefixes.map(\.text))
    else { return nil }
    let meant = near + (rest.count == 1 ? rest.uppercased() : String(rest))
    return (try? Key(meant)) == nil ? nil : meant
  }

  /// Parses names separated by spaces, as in `Tab a b Enter`.
  ///
  /// - Throws: `badKey` for the first invalid name.
  public static func sequence(_ names: String) throws(TideError) -> [Key] {
    var keys: [Key] = []
    for name in names.split(whereSeparator: \.isWhitespace) { keys.append(try Key(String(name))) }
    return keys
  }
}

extension Key: CustomStringConvertible {
  /// The name, which can be parsed back into this key.
  public var description: String {
    var text = ""
    for prefix in Self.prefixes where modifiers.contains(prefix.modifier) { text += prefix.text }
    if case .character(let character) = code {
      return text + (text.isEmpty ? String(character) : character.uppercased())
    }
    return text + (Self.names.first { $0.code == code }?.name ?? "F?")
  }
}

extension Character {
  /// Whether it is printable: neither a control character nor a combining mark by itself.
  fileprivate var isVisible: Bool {
    unicodeScalars.first?.properties.generalCategory != .control && CharacterWidth.of(self) > 0
  }
}
