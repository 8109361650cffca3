import TideBindings
import TideScript
import TideViews

// Hints that editors insert into a script: types, uses, tests.
extension ScriptAnalysis {
  /// The types of parameters, and of the properties at the end of paths in strings, each after its
  /// name.
  package func typeHints(in range: Range<Int>) -> [(offset: Int, text: String)] {
    mentions.compactMap { mention in
      guard range.contains(mention.range.lowerBound), !mention.range.isEmpty,
        let text = typeHint(of: mention)
      else { return nil }
      return (mention.range.upperBound, text)
    }
  }

  private func typeHint(of mention: Mention) -> String? {
    switch mention.namespace {
    case .local(let local) where mention.role == .declaration:
      // The value of a declaration already shows its type.
      guard local.value == nil, local.function == nil, local.name != "_" else { return nil }
      let name = LuaExpression(.name(local.name, local), mention.range, depth: 1)
      return app.inference.inferredType(of: name).map { describer.text(of: $0) }
    case .properties, .roots, .viewRoots:
      guard isEndOfPath(mention.range.upperBound), isInString(mention.range.lowerBound + 1) else {
        return nil
      }
      return typeOfProperty(mention)
    default: return nil
    }
  }

  /// Whether no further step of a path follows.
  private func isEndOfPath(_ end: Int) -> Bool {
    guard end < bytes.count else { return true }
    return bytes[end] != UInt8(ascii: ".") && bytes[end] != UInt8(ascii: "[")
  }

  private func typeOfProperty(_ mention: Mention) -> String? {
    guard case .properties(let owner, _) = mention.namespace else { return nil }
    switch owner {
    case .view(let viewClass):
      guard let viewClass, let found = names.viewClasses[viewClass],
        let index = found.shape.index(of: mention.name)
      else { return nil }
      return found.shape.propertiesByIndex[index].type.name
    default:
      return app.inference.inferredType(ofProperty: mention.name, in: owner)
        .map { describer.text(of: $0) }
    }
  }

  /// The paths for requesting values from a running app: those of declared properties, and those in
  /// strings that begin with a model.
  package func livePaths(
    in range: Range<Int>
  ) -> [(offset: Int, path: String, name: Range<Int>)] {
    var found: [(offset: Int, path: String, name: Range<Int>)] = []
    for item in outline where item.kind == .model {
      for field in item.children where range.contains(field.selection.lowerBound) {
        if field.kind == .property {
          found.append((field.range.upperBound, "\(item.name).\(field.name)", field.selection))
        }
      }
    }
    var path = ""
    var end = 0
    for mention in mentions where isInString(mention.range.lowerBound + 1) {
      switch mention.namespace {
      case .roots, .viewRoots:
        path = app.symbols.shapes[mention.name] == nil ? "" : mention.name
      case .properties where mention.range.lowerBound == end + 1 && !path.isEmpty:
        path += ".\(mention.name)"
      default: path = ""
      }
      end = mention.range.upperBound
      if path.contains("."), isEndOfPath(end), range.contains(mention.range.lowerBound) {
        found.append((end, path, mention.range))
      }
    }
    return found
  }

  /// The bytes of the names of the properties that models of the script declare.
  package var declaredProperties: [Range<Int>] {
    outline.filter { $0.kind == .model }.flatMap { model in
      model.children.filter { $0.kind == .property }.map(\.selection)
    }
  }

  /// The locations at which bindings name the property at an offset.
  package func bindings(ofPropertyAt offset: Int) -> [Location] {
    guard let (symbol, mention) = symbol(at: offset) else { return [] }
    return analyses(containing: mention.name).flatMap { analysis in
      isCancelled() ? [] : analysis.bindings(of: symbol, mention.name)
    }
  }

  private func bindings(of symbol: Symbol, _ name: String) -> [Location] {
    mentions.compactMap { mention in
      guard mention.name == name, mention.role != .declaration,
        isInString(mention.range.lowerBound + 1),
        self.symbol(of: mention)?.isSame(as: symbol) == true
      else { return nil }
      return Location(file: path, range: mention.range)
    }
  }

  /// The tests of a spec, with their names.
  package var tests: [(name: String, range: Range<Int>)] {
    var found: [(name: String, range: Range<Int>)] = []
    func add(_ items: [OutlineItem]) {
      for item in items {
        if item.kind == .test { found.append((item.name, item.selection)) }
        add(item.children)
      }
    }
    add(outline)
    return found
  }

  /// The range of the view that the script shows: its result, or else the first call of `show`.
  package var shownView: Range<Int>? {
    if script.isSpec { return nil }
    if let returned = script.returned,
      case .view? = app.inference.inferredType(of: returned)
    {
      return returned.range
    }
    return script.calls.first { call in
      guard case .call(let callee, _) = call.kind else { return false }
      return app.inference.function(callee) == "show"
    }?.range
  }
}
