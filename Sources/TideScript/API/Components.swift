import TideBindings
import TideGraph
import TideLua
package import TideViews

/// A view class that a script has defined: its properties and events, and the function that makes
/// its content.
package struct Component {
  let viewClass: ViewClass
  let body: LuaFunction
  let location: SourceLocation?
}

extension Runtime {
  /// `view.component(name, { properties =, events =, view = function(self, children) })`.
  func componentFunction() throws -> LuaFunction {
    try function(APIEntry.viewComponent.signature) { [unowned self] call in
      let name = try call.name(0, "a component's name")
      let component = try declareComponent(name, call.table(1))
      views.components[name] = component
      modules.module(of: context)?.components.insert(name)
      keepUndo { [home] in home.runtime?.views.components[name] = nil }
      try call.return(
        .function(
          function("view.\(name)(fields)") { [unowned self] call in
            let fields = call.isNil(0) ? nil : try call.table(0)
            try call.return(luaValue(makeView(viewClass(named: name), fields)))
          }))
    }
  }

  private func declareComponent(_ name: String, _ given: LuaTable) throws -> Component {
    try admitText(name.utf8.count)
    guard LuaState.isName(name) else {
      throw TideError(
        .badArgument,
        "\"\(name)\" cannot be written after \"view.\": a name has letters, digits and _, does not "
          + "begin with a digit, and is no word of Lua's")
    }
    if Runtime.viewMakers.contains(name) || viewClasses[name] != nil {
      throw TideError(.duplicate, "there is a view class \"\(name)\" already")
    }
    if let known = views.components[name] {
      let defined = known.location.map { " at \($0)" } ?? ""
      throw TideError(.duplicate, "the component \"\(name)\" is defined\(defined) already")
    }
    let options = try CallOptions(
      given, of: "view.component", ["properties", "events", "view"])
    guard let body = try options.function("view") else {
      throw TideError(
        .badArgument,
        "view.component(\"\(name)\") needs view = function(self) … end, which gives a view")
    }
    let properties = try properties(of: name, options.value("properties"))
    let events = try events(of: name, options.value("events"))
    // Charged before the class is made, which copies all properties of a column.
    let inherited = ViewClass.column.shape.propertiesByIndex.count + 1
    try charge(
      Weight.component + Shape.bytes(propertyCount: inherited + properties.count)
        + properties.textBytes)
    let kept = try kept(body)
    let viewClass = ViewClass(name, superclass: .column, properties: properties, events: events)
    viewClass.shape.companion = ClassRetirement(viewClass.shape, home)
    return Component(viewClass: viewClass, body: kept, location: location)
  }

  private func properties(
    of name: String, _ value: LuaValue
  ) throws -> [PropertyDescription] {
    if value.isNil { return [] }
    guard let fields = value.table else {
      throw CallOptions.wrong("properties", of: "view.component", "a table of defaults", value)
    }
    let declaration = try ClassDeclaration(fields, in: self, isClass: true)
    if let method = declaration.methods.first?.name {
      throw TideError(
        .badArgument,
        "the property \"\(method)\" of \"\(name)\" is a function; write computed(function(self) … end)"
      )
    }
    for property in declaration.properties
    where ViewClass.view.shape.index(of: property.name) != nil {
      throw TideError(
        .duplicate,
        "every view has a property \"\(property.name)\"; call that of \"\(name)\" otherwise")
    }
    return declaration.properties
  }

  private func events(of name: String, _ value: LuaValue) throws -> [String] {
    if value.isNil { return [] }
    let names = try value.table?.elements(of: "the events of \"\(name)\"").map { event -> String in
      guard case .string(let text) = event else {
        throw TideError(.badArgument, "events have names; found \(event.preview)")
      }
      try TextLimit.check(text, "an event's name", most: TextLimit.eventBytes)
      return text
    }
    guard let names else {
      throw CallOptions.wrong("events", of: "view.component", "a list of names", value)
    }
    return names
  }

  // MARK: Making

  /// The class of a name: a component of the app, or a class of the program.
  package func viewClass(named name: String) throws -> ViewClass {
    if let component = views.components[name] { return component.viewClass }
    if let known = viewClasses[name] { return known }
    throw TideError(
      .unknownView,
      "there is no view class \"\(name.inMessage)\"\(NearestName.hintOrNames(for: name, in: viewClassNames + ["component"], areOrdered: false))"
    )
  }

  package var viewClassNames: [String] { viewClasses.names + views.components.keys }

  func component(of view: View) -> Component? {
    if views.components.isEmpty { return nil }
    let component = views.components[view.viewClass.name]
    return component?.viewClass === view.viewClass ? component : nil
  }

  func isComponent(_ view: View) -> Bool { component(of: view) != nil }

  /// Whether a component has new children, which its function has to place.
  func isChanged(component view: View, given making: ViewBuilder) -> Bool {
    guard isComponent(view) else { return false }
    return (try? making.fields.map { LuaValue.elements(of: try $0.entries()).isEmpty }) == false
  }

  /// Fills a component with the result of its function.
  func fill(_ view: View, by component: Component, _ children: [LuaValue]) throws {
    let results = try component.body.call([
      luaValue(view), .table(lua.table(children)),
    ])
    let giver = "the function view of \"\(view.viewClass.name)\""
    for subview in try LuaValue.views(in: results, givenBy: giver) { try view.add(subview) }
    for child in children {
      guard let subview = child.object?.dataObject as? View,
        graph.untracked({ subview.superview }) == nil
      else { continue }
      throw TideError(
        .badTree,
        "\"\(view.viewClass.name)\" takes no subviews: its function gets them as second "
          + "argument and has to add them to a view")
    }
  }
}

// MARK: Catalogue

extension APIEntry {
  static let viewComponent = APIEntry(
    "view.component(name, definition)",
    usage: "view.component(name, { properties =, events =, view = fn })",
    "Defines a new class of view.",
    """
    @param name string
    @param definition { properties?: table, events?: string[], view: fun(self: any, children: table): tidelock.View }
    @return fun(fields?: table): tidelock.View
    """)
}
