import TideBindings
import TideScript

// Finds the names that a script mentions, with the same walk that finds its mistakes.
extension ScriptChecker {
  /// Finds the names that the script mentions, in the order of the text.
  ///
  /// - Parameter caret: the offset at which somebody is typing. A string there is read as if it had
  ///   a name at the caret, so that incomplete expressions are understood as well.
  func findMentions(completingAt caret: Int? = nil) -> [Mention] {
    self.caret = caret
    mentions = []
    let replaced = caret.flatMap { putName(at: $0) }
    if replaced != nil {
      inference.context.forget()
      inference.literalShapes.forget()
    }
    SyntaxWalker(
      visit: { [self] expression, position in
        check(expression, position)
        if let fields = expression.fields { mention(fields: fields) }
      },
      assign: { [self] target, value, position in check(target: target, value, position) },
      declare: { [self] local, position in check(declared: local, position) },
      introduce: { [self] local in
        mention(local.name, at: local.start, .local(local), .declaration)
      }
    ).walk(script.statements)
    for field in script.themeFields {
      guard let name = field.name else { continue }
      mention(name.text, at: name.start, .styles, .declaration)
      check(styleDefinition: field.value, of: name.text)
    }
    if let replaced {
      replaced.expression.replace(text: replaced.token)
      // Discard the types that were inferred from the placeholder.
      inference.context.forget()
      inference.literalShapes.forget()
    }
    source = script.source
    let found = mentions ?? []
    mentions = nil
    return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  // MARK: Recording

  /// Records a mention of a name. The first mention at an offset counts, unless it is provisional:
  /// the field of a table that turns out to be an option of the API, such as a column of a table
  /// view, or a path whose object is found later.
  func mention(
    _ name: String, at offset: Int, _ namespace: @autoclosure () -> Namespace,
    _ role: Mention.Role = .reading
  ) {
    guard mentions != nil else { return }
    if let index = mentioned[offset] {
      guard let known = mentions?[index], known.namespace.isProvisional else { return }
      mentions?[index] = Mention(
        name: known.name, range: known.range, namespace: namespace(), role: role)
      return
    }
    let end = offset + name.utf8.count
    // A name with escapes, and the implicit `self`, are not in the text.
    guard source.bytes.count >= end, source.bytes[offset..<end].elementsEqual(name.utf8) else {
      return
    }
    mentioned[offset] = mentions?.count
    mentions?.append(
      Mention(name: name, range: offset..<end, namespace: namespace(), role: role))
  }

  /// Records a string that is a name.
  func mention(
    _ token: LuaToken, _ namespace: @autoclosure () -> Namespace, _ role: Mention.Role = .reading
  ) {
    guard let start = token.contentStart else { return }
    mention(token.text, at: start, namespace(), role)
  }

  /// Records the words of a string.
  func mention(words token: LuaToken, _ namespace: Namespace) {
    guard mentions != nil, let start = token.contentStart else { return }
    let text = token.text
    if text.isEmpty { mention("", at: start, namespace) }
    for word in text.split(separator: " ") {
      let distance = text.utf8.distance(from: text.startIndex, to: word.startIndex)
      mention(String(word), at: start + distance, namespace)
    }
  }

  /// Records an operator such as `@count`, without the content of its brackets.
  func mention(operator name: String, at offset: Int) {
    guard mentions != nil else { return }
    let word = name.prefix { $0 != "[" }
    mention(String(word), at: offset, .pathOperators)
  }

  /// Records the fields of a table as declarations of their values.
  func mention(fields: [LuaField]?) {
    guard mentions != nil else { return }
    for field in fields ?? [] {
      guard let name = field.name else { continue }
      mention(name.text, at: name.start, .field(field.value), .declaration)
    }
  }

  /// Records a member whose name is a string in brackets: `fruit["name"]`.
  func mention(
    key: LuaExpression, of base: LuaExpression, _ role: Mention.Role = .reading
  ) {
    guard mentions != nil, let token = key.string else { return }
    switch inference.path(of: base) {
    case "models": mention(token, .models, role)
    case "views": mention(token, .ids, role)
    default:
      let owner = inference.inferredType(of: base)
      mention(
        token, owner.map { .properties(of: $0, isMethod: false) } ?? .unknownProperties, role)
    }
  }

  /// Records a member that is assigned to.
  func mention(member name: String, of base: LuaExpression, at offset: Int) {
    guard mentions != nil else { return }
    if let owner = inference.inferredType(of: base) {
      mention(name, at: offset, .properties(of: owner, isMethod: false), .writing)
    } else if let table = inference.path(of: base), names.members[table] != nil {
      mention(name, at: offset, .library(table), .writing)
    } else {
      mention(name, at: offset, .unknownProperties, .writing)
    }
  }

  /// Records the name that a call of the API declares or requests.
  func mention(
    declaredBy call: LuaExpression, _ callee: LuaExpression, _ arguments: [LuaExpression]
  ) {
    let function = inference.function(callee) ?? inference.path(of: callee)
    guard let name = arguments.first?.string else {
      if !script.isSpec, function == "context" || function == "context.begin",
        let name = arguments.dropFirst().first?.string
      {
        return mention(name, .contexts, .declaration)
      }
      return mention(nameIn: arguments, of: inference.function(callee))
    }
    switch function {
    case "transformer": mention(name, .transformers, .declaration)
    case "view.component": mention(name, .viewClasses, .declaration)
    case "style.define": mention(name, .styles, .declaration)
    case "class": mention(name, .classes, .declaration)
    // In a spec it may be a block of tests.
    case "context" where script.isSpec: break
    case "context", "context.begin": mention(name, .contexts, .declaration)
    case "require": mention(name, .modules)
    // Until its table follows, a model's name is only a string.
    case "model", "shared": mention(name, .models, .declaration)
    case let function: mention(nameIn: arguments, of: function)
    }
  }

  /// Records the option `name` of objects that paths find by name.
  private func mention(nameIn arguments: [LuaExpression], of function: String?) {
    guard let function, !function.hasPrefix("view.") else { return }
    for argument in arguments {
      guard let name = argument.fields?["name"]?.string, app.named[name.text] != nil else {
        continue
      }
      mention(name, .models, .declaration)
    }
  }

  // MARK: Completion

  /// Records the field that is being typed in a table: a word without a value, or nothing yet.
  func mention(fieldAtCaretIn table: LuaExpression?, _ namespace: @autoclosure () -> Namespace) {
    guard mentions != nil, let caret, let table, let fields = table.fields,
      table.range.lowerBound < caret, caret < end(ofTable: table)
    else { return }
    for field in fields {
      if case .none = field.key, case .name(let name, nil) = field.value.kind,
        field.value.range.lowerBound <= caret, caret <= field.value.range.upperBound
      {
        return mention(name, at: field.value.range.lowerBound, namespace())
      }
      let start = field.name?.start ?? field.value.range.lowerBound
      if start <= caret, caret <= field.value.range.upperBound { return }
    }
    let before = source.bytes[..<caret].last { $0 > 0x20 }
    if let before, [UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ";")].contains(before) {
      mention("", at: caret, namespace())
    }
  }

  /// The end of a table's content. An unclosed table includes the blanks after it.
  private func end(ofTable table: LuaExpression) -> Int {
    let end = table.range.upperBound
    if source.bytes[table.range].last == UInt8(ascii: "}") { return end }
    return end + 1 + source.bytes[end...].prefix { $0 <= 0x20 }.count
  }

  /// The character that is inserted at the caret if there is no name.
  private static let placeholder: UInt8 = UInt8(ascii: "_")

  /// Inserts a placeholder into the string at the caret, and returns its expression with the
  /// original token.
  private func putName(at caret: Int) -> (expression: LuaExpression, token: LuaToken)? {
    var found: (expression: LuaExpression, token: LuaToken)?
    SyntaxWalker(visit: { expression, _ in
      guard case .string(let token) = expression.kind, let start = token.contentStart,
        start <= caret, caret < token.range.upperBound || caret == start + token.text.utf8.count
      else { return }
      found = (expression, token)
    }).walk(script.statements)
    guard let found, let start = found.token.contentStart else { return nil }
    var bytes = source.bytes
    let touchesName =
      caret > start && bytes[caret - 1].continuesLuaName
      || caret < bytes.count && bytes[caret].continuesLuaName
    if touchesName { return nil }
    bytes.insert(Self.placeholder, at: caret)
    var token = found.token
    token.text.utf8Insert(Self.placeholder, at: caret - start)
    token.range = token.range.lowerBound..<(token.range.upperBound + 1)
    found.expression.replace(text: token)
    source = LuaSource(path: source.path, bytes: bytes)
    return found
  }

  /// The ways to read a string at the caret: as it is, and without the text after the caret, which
  /// may not belong to the name that is being typed.
  private func repairs(_ token: LuaToken, with endings: [String]) -> [String]? {
    guard let caret, let start = token.contentStart, caret >= start,
      caret <= start + token.text.utf8.count
    else { return nil }
    let length = token.text.utf8.dropFirst(caret - start).prefix { $0.continuesLuaName }.count
    let end = caret - start + length
    guard let prefix = String(token.text.utf8.prefix(end)) else { return nil }
    return [token.text] + endings.map { prefix + $0 }
  }

  /// Records what may follow at the caret in a string that does not parse: an operator after `@`,
  /// or an arrow.
  ///
  /// - Parameter mayHaveArrow: whether the string is a whole binding with two ends.
  private func noteUnparsed(at caret: Int, in token: LuaToken, mayHaveArrow: Bool) {
    var start = min(caret, source.bytes.count)
    while start > 0, source.bytes[start - 1].continuesLuaName { start -= 1 }
    guard start > 0, source.bytes[start - 1] == UInt8(ascii: "@") else {
      let typed = source.bytes[(token.contentStart ?? caret)..<max(caret, token.contentStart ?? 0)]
      let isInParentheses =
        typed.count { $0 == UInt8(ascii: "(") } > typed.count { $0 == UInt8(ascii: ")") }
      return mayHaveArrow && !isInParentheses ? mention("", at: caret, .arrows) : ()
    }
    let typed = source.bytes[(start - 1)..<caret]
    mention(String(decoding: typed, as: UTF8.self), at: start - 1, .pathOperators)
  }

  /// Parses a string at the caret, and tolerates incomplete text.
  func parse<Expression>(
    _ token: LuaToken, with endings: [String],
    _ parse: (String) throws(SyntaxFault) -> Expression
  ) throws(SyntaxFault) -> Expression {
    guard let texts = repairs(token, with: endings) else { return try parse(token.text) }
    for text in texts {
      if let expression = try? parse(text) { return expression }
    }
    noteUnparsed(at: caret ?? 0, in: token, mayHaveArrow: endings.count > 1)
    return try parse(token.text)
  }
}

extension String {
  /// Inserts an ASCII byte.
  fileprivate mutating func utf8Insert(_ byte: UInt8, at offset: Int) {
    guard let index = utf8.index(startIndex, offsetBy: offset, limitedBy: endIndex) else { return }
    insert(Character(Unicode.Scalar(byte)), at: index)
  }
}
