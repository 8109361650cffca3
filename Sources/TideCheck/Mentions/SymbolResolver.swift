import TideBindings
import TideScript
import TideViews

/// Finds the symbols of mentions.
struct SymbolResolver {
  let app: AppIndex
  let names: KnownNames

  func symbol(of mention: Mention) -> Symbol? {
    let name = mention.name
    switch mention.namespace {
    case .local(let local): return .local(local)
    case .variables:
      if app.symbols.globals.contains(name) { return .global(name) }
      return names.globals.contains(name) ? .library(name) : nil
    case .library(let table): return .library(table == "tidelock" ? name : "\(table).\(name)")
    case .models: return .model(name)
    case .ids: return .id(name)
    case .viewClasses: return .viewClass(name)
    case .classes: return classSymbol(name)
    case .contexts: return .context(name)
    case .modelsOrContexts:
      return app.symbols.shapes[name] != nil ? .model(name) : .context(name)
    case .transformers: return .transformer(name)
    case .styles: return .style(name)
    case .themes: return .theme(name)
    case .modules: return .module(name)
    case .events, .appEvents: return .event(name)
    case .properties(let owner, _): return property(name, of: owner)
    case .viewFields(let viewClass, let isBindTo):
      if !isBindTo, ["bindTo", "on", "keys"].contains(name) {
        return .option(name, of: "view")
      }
      return property(name, of: .view(viewClass))
    case .roots(let roots): return root(name, roots)
    case .viewRoots(let viewClass, let roots):
      return property(name, of: .view(viewClass)) ?? root(name, roots)
    case .pathOperators: return .option(name, of: "path")
    case .options(let function, _): return .option(name, of: function)
    case .field(let value): return .property(name, [value])
    case .unknownProperties, .keys, .cases, .arrows: return nil
    }
  }

  private func classSymbol(_ name: String) -> Symbol {
    if app.symbols.classes.contains(name) { return .objectClass(name) }
    return app.symbols.shapes[name] != nil ? .model(name) : .viewClass(name)
  }

  private func root(_ name: String, _ roots: LiteralShape) -> Symbol? {
    if app.symbols.shapes[name] != nil { return .model(name) }
    if app.symbols.ids[name] != nil { return .id(name) }
    if roots.contains(name) { return .property(name, roots.values(of: name)) }
    return KnownMembers.rootNames.contains(name) ? .library(name) : nil
  }

  private func property(_ name: String, of owner: InferredType) -> Symbol? {
    switch owner {
    case .model, .object, .held, .table:
      let values = app.inference.shape(of: owner)?.values(of: name) ?? []
      return values.isEmpty ? nil : .property(name, values)
    case .view(let viewClass): return viewProperty(name, of: viewClass)
    case .list, .controller, .instance, .userdata, .store:
      return owner.className.map { .member(name, of: $0) }
    case .text: return .library("string.\(name)")
    case .constructor, .array, .plain: return nil
    }
  }

  /// The symbol of a view's property, in the class that declares it.
  private func viewProperty(_ name: String, of viewClass: String?) -> Symbol? {
    guard let viewClass else {
      return names.values.viewMethods.contains(name) ? .member(name, of: "view.view") : nil
    }
    if let component = app.symbols.components[viewClass] {
      let values = component.properties.values(of: name)
      if !values.isEmpty { return .property(name, values) }
    }
    let isComponent = app.symbols.components[viewClass] != nil
    guard var found = isComponent ? ViewClass.column : names.viewClasses[viewClass] else {
      return nil
    }
    guard found.shape.index(of: name) != nil else {
      return names.values.viewMethods.contains(name) ? .member(name, of: "view.view") : nil
    }
    while let parent = found.superclass, parent.shape.index(of: name) != nil { found = parent }
    return .viewProperty(name, of: found.name)
  }
}
