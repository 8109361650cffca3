import TideBindings
import TideGraph
import TideScript
import TideSystem
import TideViews

// The tree of an app's parts: models, views, lists, controllers and contexts.

extension Inspection {
  /// The children of a node; for the root, the groups.
  func children(of node: String) throws -> [JSONLine] {
    switch node {
    case "":
      return [
        group("models", "Models", models.count),
        group("views", "Views", runtime.scene == nil ? 0 : 1),
        group("controllers", "Controllers", bound(Controller.self).count),
        group("lists", "Lists", bound { $0 is any ListObject }.count),
        group("contexts", "Contexts", runtime.bindings.contextContents.count),
      ]
    case "models": return models.map { item($0.model, named: $0.name) }
    case "views":
      guard let scene = runtime.scene else { return [] }
      return ([scene.window] + scene.presented.reversed()).map { item($0, named: nil) }
    case "controllers": return bound(Controller.self).map { item($0, named: nil) }
    case "lists": return bound { $0 is any ListObject }.map { item($0, named: nil) }
    case "contexts": return contexts
    default:
      if node.first == "c" { return bindings(ofContext: Int(node.dropFirst()) ?? 0) }
      return parts(of: try object(node))
    }
  }

  private static let mostParts = 500

  private func group(_ node: String, _ label: String, _ count: Int) -> JSONLine {
    var item = JSONLine()
    item.add("node", node)
    item.add("kind", "group")
    item.add("label", label)
    item.add("detail", "\(count)")
    item.add("more", count > 0)
    return item
  }

  private var models: [(name: String, model: DataObject)] {
    runtime.models.names.compactMap { name in runtime.models[name].map { (name, $0) } }
  }

  private func item(_ object: DataObject, named name: String?) -> JSONLine {
    var item = JSONLine()
    item.add("node", node(of: object))
    item.add("kind", Self.kind(of: object))
    item.add("label", (name ?? label(of: object)).escapingControls)
    item.add("detail", detail(of: object).escapingControls)
    item.add("more", hasParts(object))
    add(runtime.bindings.placeOfMaking(of: object), to: &item)
    return item
  }

  private static func kind(of object: DataObject) -> String {
    switch object {
    case is View: "view"
    case is any ListObject: "list"
    case is Controller: "controller"
    default: "object"
    }
  }

  private func label(of object: DataObject) -> String {
    guard let view = object as? View else { return object.label }
    return view.viewClass.name + (view[.id].map { " #\($0)" } ?? "")
  }

  private func detail(of object: DataObject) -> String {
    if let view = object as? View { return session.text(shownBy: view) ?? "" }
    if let list = object as? any ListObject { return "\(list.trackedCount)" }
    return object.label
  }

  // MARK: Children

  private func hasParts(_ object: DataObject) -> Bool {
    if let view = object as? View { return !view.subviews.isEmpty }
    if let list = object as? any ListObject { return list.trackedCount > 0 }
    return !objects(in: object).isEmpty
  }

  private func parts(of object: DataObject) -> [JSONLine] {
    if let view = object as? View {
      return view.subviews.prefix(Self.mostParts).map { item($0, named: nil) }
    }
    guard let list = object as? any ListObject else {
      return objects(in: object).map { item($0.object, named: $0.name) }
    }
    return (0..<min(list.trackedCount, Self.mostParts)).map { index in
      let value = list.trackedElement(at: index) ?? .null
      if case .object(let object as DataObject) = value {
        return item(object, named: "\(index + 1)")
      }
      var item = JSONLine()
      item.add("node", "")
      item.add("kind", "value")
      item.add("label", "\(index + 1)")
      item.add("detail", text(of: value))
      item.add("more", false)
      return item
    }
  }

  private func objects(in object: DataObject) -> [(name: String, object: DataObject)] {
    object.shape.properties.compactMap { property in
      guard case .object(let part as DataObject) = object[property.name] else { return nil }
      return (property.name, part)
    }
  }

  func text(of value: Value) -> String {
    guard let value = try? runtime.luaValue(value) else { return "?" }
    let text = session.printer.text(of: value)
    return text.count > Self.longestText ? text.prefix(Self.longestText) + "…" : text
  }

  private static let longestText = 200

  // MARK: Targets of bindings

  private func bound<Kind>(_ kind: Kind.Type) -> [DataObject] { bound { $0 is Kind } }

  /// The objects of a kind that bindings refer to, each once.
  private func bound(_ isWanted: (DataObject) -> Bool) -> [DataObject] {
    var found: [DataObject] = []
    var seen: Set<ObjectIdentifier> = []
    func look(at object: DataObject?) {
      guard let object, seen.insert(ObjectIdentifier(object)).inserted, isWanted(object) else {
        return
      }
      found.append(object)
    }
    for binding in runtime.bindings.bindings(of: nil, property: nil) {
      look(at: binding.source)
      look(at: binding.target)
    }
    for (_, model) in models {
      for (_, part) in objects(in: model) { look(at: part) }
    }
    return found
  }

  // MARK: Contexts

  private var contexts: [JSONLine] {
    var names: [Int: String] = [:]
    for module in runtime.modules.all {
      names[module.context.number] = module.name.isEmpty ? "main script" : module.name
    }
    for (_, context) in runtime.contexts.named {
      if let name = context.name { names[context.number] = name }
    }
    return runtime.bindings.contextContents.map { number, isActive, bindings in
      var item = JSONLine()
      item.add("node", "c\(number)")
      item.add("kind", "context")
      item.add("label", (names[number] ?? "context \(number)").escapingControls)
      item.add("detail", "\(bindings.count) bindings" + (isActive ? "" : ", disabled"))
      item.add("more", true)
      return item
    }
  }

  private func bindings(ofContext number: Int) -> [JSONLine] {
    let context = runtime.bindings.contextContents.first { $0.number == number }
    return (context?.bindings ?? []).prefix(Self.mostParts).map { binding in
      var item = JSONLine()
      item.add("node", binding.target.map { node(of: $0) } ?? "")
      item.add("kind", "binding")
      item.add("label", binding.description.escapingControls)
      item.add("detail", binding.error?.message.escapingControls ?? "")
      item.add("more", false)
      add(binding.location, to: &item)
      return item
    }
  }

  // MARK: Views and lines

  /// The nodes on the path to a view, starting with its group.
  func path(to view: View) -> [JSONLine] {
    var views: [View] = []
    var next: View? = view
    while let current = next {
      views.append(current)
      next = current.superview
    }
    return (["views"] + views.reversed().map { node(of: $0) }).map { node in
      var item = JSONLine()
      item.add("node", node)
      return item
    }
  }

  /// The views made by a line of a script.
  func made(_ file: String, _ line: String) -> [JSONLine] {
    guard let scene = runtime.scene, let line = Int(line) else { return [] }
    var found: [JSONLine] = []
    var rest: [View] = [scene.window]
    while let view = rest.popLast(), found.count < 100 {
      if let place = runtime.bindings.placeOfMaking(of: view), place.line == line,
        place.file == file
      {
        found.append(item(view, named: nil))
      }
      rest += view.subviews.reversed()
    }
    return found
  }

  /// The lines of one of the app's source files.
  func source(_ file: String) throws -> [JSONLine] {
    guard let module = runtime.modules.all.first(where: { $0.path == file }) else {
      throw TideError(.badArgument, "\(file) is no file of the app")
    }
    return try ScriptFile.read(module.path).split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated().map { index, text in
        var item = JSONLine()
        item.add("line", index + 1)
        item.add("text", String(text))
        return item
      }
  }
}
