import TideBindings
import TideScript
import TideViews

// The structure of a script: its outline, its blocks, and the kinds of its names. Also hover.
extension ScriptAnalysis {
  package struct OutlineItem {
    package enum Kind: Sendable {
      case model, property, function, component, transformer, view, test, variable
    }

    package let name: String
    package let kind: Kind
    package var detail = ""
    /// The bytes of the whole declaration.
    package let range: Range<Int>
    /// The bytes of its name.
    package let selection: Range<Int>
    package var children: [OutlineItem] = []
  }

  /// The declarations of the script, each nested in the one that contains it.
  package var outline: [OutlineItem] {
    OutlineCollector(self).items
  }

  /// Tables, functions, blocks, long strings and comments that span several lines.
  package var foldingRanges: [(range: Range<Int>, isComment: Bool)] {
    let blocks = tokens.blocks.map { ($0, false) }
    let strings = tokens.tokens.filter { $0.kind == .string }.map { ($0.range, false) }
    let comments = tokens.comments.map { ($0, true) }
    return (blocks + strings + comments).filter { range, _ in
      bytes[range].contains(UInt8(ascii: "\n"))
    }.map { (range: $0.0, isComment: $0.1) }
  }

  /// The ranges around an offset, from the word to the whole text.
  package func selectionRanges(at offset: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    if let mention = mention(at: offset), !mention.range.isEmpty { found.append(mention.range) }
    for token in tokens.tokens
    where token.range.contains(offset) || token.range.upperBound == offset {
      if let start = token.contentStart, token.range.count > 1 {
        found.append(start..<(start + token.text.utf8.count))
      }
      found.append(token.range)
    }
    SyntaxWalker(visit: { expression, _ in
      if expression.range.contains(offset) { found.append(expression.range) }
      if case .function(let body) = expression.kind, body.range.contains(offset) {
        found.append(body.range)
      }
    }).walk(script.statements)
    found += tokens.blocks.filter { $0.contains(offset) }
    found.append(0..<bytes.count)
    var ranges: [Range<Int>] = []
    for range in found.sorted(by: { $0.count < $1.count }) {
      guard let last = ranges.last else {
        ranges.append(range)
        continue
      }
      if range != last, range.lowerBound <= last.lowerBound, range.upperBound >= last.upperBound {
        ranges.append(range)
      }
    }
    return ranges
  }

  /// The kinds of names that editors show in different colours.
  package enum TokenKind: Int, CaseIterable, Sendable {
    case model, property, view, viewClass, function, event, transformer, operation, option, style,
      module, value
  }

  /// The names inside strings, and those whose kind a Lua server does not know.
  package var semanticTokens: [(range: Range<Int>, kind: TokenKind, isDeclaration: Bool)] {
    mentions.compactMap { mention in
      guard !mention.range.isEmpty, let kind = kind(of: mention) else { return nil }
      return (mention.range, kind, mention.role == .declaration)
    }
  }

  private func kind(of mention: Mention) -> TokenKind? {
    switch mention.namespace {
    case .local, .unknownProperties: nil
    case .variables: app.inference.api.contains(mention.name) ? .function : nil
    case .library(let table): app.inference.api.contains(table) ? .function : nil
    case .models: .model
    case .ids: .view
    case .viewClasses, .classes: .viewClass
    case .contexts, .modelsOrContexts: .value
    case .transformers: .transformer
    case .styles, .themes: .style
    case .modules: .module
    case .events, .appEvents: .event
    case .keys, .cases: .value
    case .properties(_, let isMethod): isMethod || isFunction(mention) ? .function : .property
    case .field: isFunction(mention) ? .function : .property
    case .viewFields: .property
    case .options: .option
    case .pathOperators, .arrows: .operation
    case .roots, .viewRoots:
      switch symbol(of: mention) {
      case .model?: .model
      case .id?: .view
      default: .property
      }
    }
  }

  /// Whether a property is declared with a function.
  private func isFunction(_ mention: Mention) -> Bool {
    guard case .property(_, let values)? = symbol(of: mention) else { return false }
    return values.contains { $0.functionBody != nil }
  }

  // MARK: Hover

  /// The description of the name at an offset, in Markdown.
  package func hover(at offset: Int) -> (text: String, range: Range<Int>)? {
    guard let (symbol, mention) = symbol(at: offset), !mention.range.isEmpty,
      let found = candidate(for: symbol, mention)
    else { return nil }
    let title = title(of: symbol, found)
    // Text from scripts must not end the code block or load images.
    let documentation = Markdown.harmless(found.documentation)
    let parts = [Markdown.block(title, language: "lua"), documentation].filter { !$0.isEmpty }
    return (parts.joined(separator: "\n\n"), mention.range)
  }

  private func title(of symbol: Symbol, _ found: Candidate) -> String {
    let detail = found.detail
    func typed(_ name: String) -> String { detail.isEmpty ? name : "\(name): \(detail)" }
    return switch symbol {
    case .local: typed("local \(found.name)")
    case .global: typed(found.name)
    case .library, .transformer, .member:
      detail.isEmpty ? found.name : detail
    case .model: "model \"\(found.name)\"  -- \(detail)"
    case .id: "views.\(found.name)" + (detail.isEmpty ? "" : "  -- \(detail)")
    case .viewClass: "view.\(found.name)" + (detail.isEmpty ? "" : "  -- \(detail)")
    case .objectClass: "class \"\(found.name)\""
    case .context: "context \"\(found.name)\""
    case .style: "style \"\(found.name)\"" + (detail.isEmpty ? "" : "  -- \(detail)")
    case .theme: "theme \"\(found.name)\""
    case .event: "event \"\(found.name)\""
    case .module: "require \"\(found.name)\"" + (detail.isEmpty ? "" : "  -- \(detail)")
    case .property: typed(found.name)
    case .viewProperty(_, let owner): typed("view.\(owner).\(found.name)")
    case .option(_, let function): typed("\(function) option \(found.name)")
    }
  }

  func candidate(for symbol: Symbol, _ mention: Mention) -> Candidate? {
    switch symbol {
    case .local(let local):
      let name = LuaExpression(.name(local.name, local), mention.range, depth: 1)
      let type = app.inference.inferredType(of: name)
      let value = local.value.map { describer.text(ofDeclared: $0) }
      return Candidate(
        name: local.name, kind: .variable,
        detail: local.function.map { describer.signature(of: $0) }
          ?? type.map { describer.text(of: $0) } ?? value ?? "",
        documentation: describer.comment(above: local.start, in: script))
    case .global(let name): return Candidate(name: name, kind: .variable)
    case .library(let path): return describer.library(path)
    case .model(let name): return describer.model(name)
    case .id(let name): return describer.id(name)
    case .viewClass(let name): return describer.viewClass(name)
    case .objectClass(let name): return Candidate(name: name, kind: .viewClass)
    case .context(let name): return Candidate(name: name, kind: .value)
    case .transformer(let name): return describer.transformer(name)
    case .style(let name):
      let known = StyleName(rawValue: name).map { "\($0.definition)" }
      return Candidate(name: name, kind: .style, detail: known ?? "of this app")
    case .theme(let name): return Candidate(name: name, kind: .style)
    case .event(let name): return Candidate(name: name, kind: .event)
    case .module(let name):
      let file = app.file(ofModule: name, requiredBy: script)
      return Candidate(
        name: name, kind: .module, detail: file ?? (name == "tidelock" ? "the API" : ""))
    case .property(let name, let values):
      var shape = LiteralShape()
      for value in values { shape.add(name, value) }
      return describer.property(name, of: shape)
    case .viewProperty(let name, let owner): return describer.viewProperty(name, of: owner)
    case .member(let name, let type): return describer.member(name, of: type)
    case .option(let name, let function):
      if function == "view" {
        return Candidate(
          name: name, kind: .option, documentation: Describer.viewTables[name] ?? "")
      }
      return describer.option(name, of: function)
    }
  }
}
