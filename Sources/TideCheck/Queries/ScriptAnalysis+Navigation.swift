import TideBindings
import TideScript
import TideSystem
import TideViews

// Definitions, references and renaming.
extension ScriptAnalysis {
  /// One mention of a symbol.
  package struct Reference {
    package let location: Location
    package let isDeclaration: Bool
    package let isWriting: Bool
  }

  /// The name at an offset, if it can be renamed.
  package func renamableName(at offset: Int) -> (name: String, range: Range<Int>)? {
    guard let (symbol, mention) = symbol(at: offset), isDeclaredByApp(symbol, mention.name)
    else { return nil }
    return (mention.name, mention.range)
  }

  /// Whether a name is declared by the app's scripts only.
  private func isDeclaredByApp(_ symbol: Symbol, _ name: String) -> Bool {
    switch symbol {
    case .local, .global, .property: true
    case .model, .id, .viewClass, .objectClass, .context: isDeclared(symbol, name)
    case .transformer: !Self.isBuiltIn(transformer: name) && isDeclared(symbol, name)
    case .style: StyleName(rawValue: name) == nil && isDeclared(symbol, name)
    case .library, .theme, .event, .module, .viewProperty, .member, .option: false
    }
  }

  private func isDeclared(_ symbol: Symbol, _ name: String) -> Bool {
    references(to: symbol, named: name).contains(where: \.isDeclaration)
  }

  /// Whether a path that begins at a view names a model, while the view has a property with the new
  /// name, which would take precedence.
  private func hasViews(with property: String, naming model: String) -> Bool {
    mentions.contains { mention in
      guard mention.name == model, case .viewRoots(let viewClass, _) = mention.namespace else {
        return false
      }
      let component = app.symbols.components[viewClass]
      let builtIn = component == nil ? names.viewClasses[viewClass] : ViewClass.column
      return component?.properties.contains(property) == true
        || builtIn?.shape.index(of: property) != nil
    }
  }

  /// Whether a component declares a property with these values. Such a property shares its
  /// namespace with those of every view.
  private func isOfComponent(_ name: String, _ values: [LuaExpression]) -> Bool {
    app.symbols.components.values.contains { component in
      component.properties.values(of: name).contains { value in values.contains { $0 === value } }
    }
  }

  private static func isBuiltIn(transformer name: String) -> Bool {
    TransformerRegistry.builtInUsages.contains { $0.prefix { $0 != "(" && $0 != " " } == name }
  }

  /// The reason why the name at an offset cannot be replaced by another one; nil if it can.
  package func objection(toRenaming offset: Int, _ name: String) -> String? {
    guard let (symbol, mention) = symbol(at: offset) else { return "there is no name here" }
    if !name.isLuaName {
      return "\"\(name)\" is not a name: use letters, digits and _, and do not begin with a digit"
    }
    if name == mention.name { return nil }
    return isTaken(name, from: symbol, mention.name)
      ? "\"\(name)\" already means something else where \(mention.name) is used" : nil
  }

  /// Whether a new name would clash with one in use.
  private func isTaken(_ name: String, from symbol: Symbol, _ former: String) -> Bool {
    let symbols = app.symbols
    switch symbol {
    case .local(let local): return isTaken(name, by: local)
    case .global:
      return symbols.globals.contains(name) || names.globals.contains(name)
        || references(to: symbol, named: former).contains { reference in
          analysis(ofFile: reference.location.file)?.hasLocal(
            name, at: reference.location.range.lowerBound) ?? false
        }
    case .model, .id:
      return symbols.shapes[name] != nil || symbols.ids[name] != nil
        || (["dataObject", "superview", "window"] + KnownMembers.rootNames).contains(name)
        || analyses(containing: former).contains { $0.hasViews(with: name, naming: former) }
    case .transformer:
      return symbols.transformers[name] != nil || Self.isBuiltIn(transformer: name)
    case .viewClass: return symbols.components[name] != nil || names.viewClasses[name] != nil
    case .style: return symbols.styles.contains(name)
    case .objectClass: return symbols.classes.contains(name) || names.viewClasses[name] != nil
    case .context: return symbols.contexts.contains(name) || symbols.shapes[name] != nil
    case .property(_, let values):
      return analyses(containing: former).contains { $0.declares(name, beside: values) }
        || isOfComponent(former, values) && ViewClass.column.shape.index(of: name) != nil
    case .library, .theme, .event, .module, .viewProperty, .member, .option: return true
    }
  }

  private func analysis(ofFile file: String) -> ScriptAnalysis? {
    app.scripts.first { PathKey($0.source.path) == PathKey(file) }.map { analysis(of: $0) }
  }

  private func hasLocal(_ name: String, at offset: Int) -> Bool {
    mentions.contains { mention in
      guard mention.name == name, mention.role == .declaration,
        case .local(let local) = mention.namespace
      else { return false }
      return local.start < offset && offset < local.scopeEnd
    }
  }

  /// Whether a table that declares one of the values also has a property with a name.
  private func declares(_ name: String, beside values: [LuaExpression]) -> Bool {
    var isFound = false
    SyntaxWalker(visit: { expression, _ in
      guard let fields = expression.fields, fields.contains(where: { $0.name?.text == name }) else {
        return
      }
      isFound = isFound || fields.contains { field in values.contains { $0 === field.value } }
    }).walk(script.statements)
    if isFound { return true }
    // Members that statements add: `function commands.save()`.
    return script.symbols.tables.shapes.values.contains { shape in
      shape.contains(name)
        && shape.names.contains { other in
          shape.values(of: other).contains { value in values.contains { $0 === value } }
        }
    }
  }

  private func isTaken(_ name: String, by local: LuaLocal) -> Bool {
    mentions.contains { mention in
      guard mention.name == name else { return false }
      switch mention.namespace {
      case .local(let other):
        return other.start < local.scopeEnd && local.start < other.scopeEnd
      case .variables:
        return mention.range.lowerBound > local.start && mention.range.lowerBound < local.scopeEnd
      default: return false
      }
    }
  }

  /// The declarations of the name at an offset.
  package func definitions(at offset: Int) -> [Location] {
    guard let (symbol, mention) = symbol(at: offset) else { return [] }
    return definitions(of: symbol, named: mention.name)
  }

  func definitions(of symbol: Symbol, named name: String) -> [Location] {
    switch symbol {
    case .local(let local):
      return [location(local.start, local.name)]
    case .property(_, let values):
      return values.flatMap { value -> [Location] in
        app.scripts.compactMap { other in
          other.keyOffset(of: value).map { Self.location($0, name, in: other) }
        }
      }
    case .module(let name): return module(name).map { [$0] } ?? []
    default:
      return references(to: symbol, named: name).filter(\.isDeclaration).map(\.location)
    }
  }

  /// The beginning of a module's file.
  private func module(_ name: String) -> Location? {
    guard let file = app.file(ofModule: name, requiredBy: script) else { return nil }
    return Location(file: file, range: 0..<0)
  }

  /// All mentions of the symbol at an offset in the app, those in this script first.
  package func references(at offset: Int) -> [Reference] {
    guard let (symbol, mention) = symbol(at: offset) else { return [] }
    return references(to: symbol, named: mention.name)
  }

  func references(to symbol: Symbol, named name: String) -> [Reference] {
    if case .local = symbol { return references(in: self, to: [symbol], named: name) }
    let analyses = analyses(containing: name)
    let meant = connected(symbol, named: name, in: analyses)
    return analyses.flatMap { analysis in
      isCancelled() ? [] : references(in: analysis, to: meant, named: name)
    }
  }

  /// The symbol, and all symbols that are connected with it by mentions that may mean several of
  /// them: the fields of the rows of one list.
  private func connected(
    _ symbol: Symbol, named name: String, in analyses: [ScriptAnalysis]
  ) -> [Symbol] {
    guard case .property = symbol else { return [symbol] }
    var rest = analyses.flatMap { analysis in
      isCancelled() ? [] : analysis.mentions.filter { $0.name == name }.compactMap(analysis.symbol)
    }
    var meant = [symbol] + fields(ofLongListsAround: symbol, name, analyses)
    var index = 0
    while index < meant.count {
      let one = meant[index]
      index += 1
      let same = rest.partition { $0.isSame(as: one) }
      meant += rest[same...]
      rest.removeSubrange(same...)
    }
    return meant
  }

  /// The fields of all rows of a long list. Inference examines only the first rows.
  private func fields(
    ofLongListsAround symbol: Symbol, _ name: String, _ analyses: [ScriptAnalysis]
  ) -> [Symbol] {
    analyses.flatMap(\.script.longLists).compactMap { rows in
      let fields = Symbol.property(name, rows.compactMap { $0.value.fields?[name] })
      return fields.isSame(as: symbol) ? fields : nil
    }
  }

  private func references(
    in analysis: ScriptAnalysis, to meant: [Symbol], named name: String
  ) -> [Reference] {
    analysis.mentions.compactMap { mention in
      guard mention.name == name, let symbol = analysis.symbol(of: mention),
        meant.contains(where: { $0.isSame(as: symbol) })
      else { return nil }
      return Reference(
        location: Location(file: analysis.path, range: mention.range),
        isDeclaration: mention.role == .declaration, isWriting: mention.role == .writing)
    }
  }

  /// The number of mentions that share the name of the property at an offset, but belong to an
  /// object of unknown type.
  package func uncertainReferences(at offset: Int) -> Int {
    guard let (symbol, mention) = symbol(at: offset), case .property = symbol else { return 0 }
    return analyses(containing: mention.name).reduce(0) { count, analysis in
      count
        + analysis.mentions.count { other in
          guard other.name == mention.name, case .unknownProperties = other.namespace else {
            return false
          }
          return true
        }
    }
  }

  private func location(_ offset: Int, _ name: String) -> Location {
    Self.location(offset, name, in: script)
  }

  static func location(_ offset: Int, _ name: String, in script: Script) -> Location {
    Location(file: script.source.path, range: offset..<(offset + name.utf8.count))
  }
}
