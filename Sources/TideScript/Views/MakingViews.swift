import TideBindings
import TideGraph
import TideLua
import TideSystem
import TideViews

extension Runtime {
  /// Makes a view from a table: fields are properties, `bindTo`, `on` and `keys`; the rest are
  /// subviews.
  func makeView(_ viewClass: ViewClass, _ fields: LuaTable?) throws -> View {
    try charge(Self.size(properties: viewClass.shape.properties.count))
    let view = viewClass.make()
    noteMaking(of: view)
    let body = component(of: view)
    if fields == nil && body == nil { return view }
    guard let making = views.collection.map({ ViewBuilder(view, fields, in: $0.context) }) else {
      try perform(batching: true) { try fill(view, from: fields, body, nil) }
      return view
    }
    views.collection?.add(making)
    try table.with(making.context) {
      try perform(batching: true) { try fill(view, from: fields, body, making) }
    }
    return view
  }

  private func fill(
    _ view: View, from fields: LuaTable?, _ body: Component?, _ making: ViewBuilder?
  ) throws {
    let entries = try fields?.entries(inOrderOf: view.shape) ?? []
    for (key, value) in entries {
      switch key {
      case .string("bindTo"): break
      case .string(let name): try set(name, value, of: view)
      case .integer(let index) where index > 0: break
      default:
        throw TideError(
          .badArgument,
          "a \(view.viewClass.name) has properties by their names and subviews at 1, 2, …; found the "
            + "key \(key.preview)")
      }
    }
    if let fields { try bind(view, as: fields) }
    if let tree = view as? TreeView { checkChildrenPath(of: tree) }
    let children = LuaValue.elements(of: entries)
    if let body {
      // Everything that the component's function makes ends with the view and is never rebuilt.
      try table.with(making?.body ?? context) {
        try collecting(in: nil) { try fill(view, by: body, children) }
      }
    } else {
      var adder = ChildAdder(view, making)
      for child in children { try adder.add(child, in: self) }
    }
  }

  /// Bindings are made after plain properties, regardless of the table's order.
  private func bind(_ view: View, as fields: LuaTable) throws {
    switch try fields["bindTo"] {
    case .nil: break
    case .table(let bindings): try bind(view, to: bindings)
    case let other:
      throw TideError(
        .badArgument, "bindTo maps names of properties to expressions; it is not \(other.preview)")
    }
  }

  /// Applies the differences between two tables to a view.
  func update(_ view: View, from old: LuaTable?, to new: LuaTable?) throws {
    var before: [String: LuaValue] = [:]
    for (key, value) in try old?.entries() ?? [] {
      if case .string(let name) = key { before[name] = value }
    }
    for (key, value) in try new?.entries(inOrderOf: view.shape) ?? [] {
      guard case .string(let name) = key else { continue }
      let was = before.removeValue(forKey: name)
      if name == "bindTo" || was == value && !value.isConnected { continue }
      try set(name, value, of: view)
      view.noteDeclared(anew: name)
    }
    let gone = before.compactMap { name, value in
      value.isConnected ? nil : view.shape.index(of: name).map { (index: $0, name: name) }
    }
    for (index, name) in gone.sorted(by: <) {
      let property = view.shape.propertiesByIndex[index]
      if property.isReadOnly { continue }
      try view.set(name, property.initial.value)
      view.noteDeclared(anew: name)
    }
    if let new { try bind(view, as: new) }
    if let tree = view as? TreeView { checkChildrenPath(of: tree) }
  }

  private func set(_ name: String, _ value: LuaValue, of view: View) throws {
    if let rows = view as? RowsView, try set(name, value, ofRows: rows) { return }
    switch (name, value) {
    case ("on", .table(let table)): try addHandlers(table, to: view)
    case ("keys", _): try setKeys(value, of: view)
    case ("on", _):
      throw TideError(
        .badArgument, "on maps names of events to functions; it is not \(value.preview)")
    case ("items", _) where view is MenuView:
      if let menu = view as? MenuView { try setMenuItems(value, of: menu) }
    case ("contextMenu", _): try setContextMenu(value, of: view)
    case ("key", .function) where setItemKey(value, of: view): break
    case (_, .function(let function)):
      guard view.shape.index(of: name) != nil else { throw unknown(name, of: view) }
      var options = BindingOptions()
      options.location = location
      try bind(view, name, options, to: function)
    default:
      guard let index = view.shape.index(of: name) else { throw unknown(name, of: view) }
      try assign(value, to: view, index)
    }
  }

  func unknown(_ name: String, of view: View) -> TideError {
    let names = view.shape.properties.flatMap { [$0.name] + $0.aliases } + ["bindTo", "on"]
    var hint = NearestName.hint(for: name, in: names)
    if hint.isEmpty { hint = NearestName.listing(view.shape.namesOwnFirst + ["bindTo", "on"]) }
    return TideError(
      .unknownProperty,
      "\(view.viewClass.name) has no property \"\(name.inMessage)\"\(hint)")
  }
}

extension LuaValue {
  /// Whether the value makes handlers or bindings, which end with a context.
  fileprivate var isConnected: Bool { function != nil || table != nil }
}

/// Adds the children of a view's table in order.
private struct ChildAdder {
  private let view: View
  private let making: ViewBuilder?
  private var before: [LiveChildren.Neighbour] = []

  init(_ view: View, _ making: ViewBuilder?) {
    self.view = view
    self.making = making
  }

  mutating func add(_ child: LuaValue, in runtime: Runtime) throws {
    switch child {
    case .object(let object):
      guard let subview = object.dataObject as? View else { throw notAView(child) }
      runtime.keepPosition(of: subview)
      try view.add(subview)
      making?.children.append(.view(subview, runtime.views.collection?.take(subview)))
      before.append(.view(subview))
    case .function(let function):
      let live = LiveChildren(
        of: view, by: try runtime.kept(function), after: before, in: runtime)
      before.append(.live(live))
      guard let making else {
        runtime.context.own(setEnabled: { live.setEnabled($0) }) { live.end() }
        return
      }
      making.children.append(.live(live))
    case .boolean(false): break
    default: throw notAView(child)
    }
  }

  private func notAView(_ value: LuaValue) -> TideError {
    TideError(
      .wrongType,
      "the subviews of \(view.viewClass.name) are views or functions, not \(value.preview)")
  }
}

extension Runtime {
  private static let pictureLimit = 64 << 20

  /// Reads an image file named by a script, from the app's folder or another folder that scripts
  /// may read.
  func readPicture(_ source: String) throws -> [UInt8] {
    let base = folder.isEmpty ? "/" : folder
    let named = source.hasPrefix("/") ? source : base + "/" + source
    switch lua.open(named, below: base) {
    case .file(let file):
      return try ScriptFile.bytes(from: file, source, limit: Self.pictureLimit, "a PNG file")
    case .refused:
      let remedy =
        configuration.lua.access.namesFlags
        ? "--allow read=DIR opens others" : "the host can allow read=DIR"
      throw TideError(.badImage, "\(source) is not below the app's folder; \(remedy)")
    case .failed(let number):
      throw TideError(.badImage, "cannot open \(source): \(String(cString: strerror(number)))")
    }
  }
}
