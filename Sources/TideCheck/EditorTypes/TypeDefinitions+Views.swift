import TideBindings
import TideViews
import TideScript

// The view classes as the registry knows them.
extension TypeDefinitions {
  /// The types that all views share.
  static let common = """
    ---A path and the options of `bind`.
    ---@class tidelock.ViewBinding : tidelock.BindingOptions
    ---@field path string|string[]

    ---@alias tidelock.BindTo table<string, string|tidelock.ViewBinding>

    ---What a key does, and what it is called in a key bar and among the keys that `?` shows.
    ---@class tidelock.TitledKey
    ---@field title string
    ---@field run fun(sender: tidelock.View, event: tidelock.Event): any

    ---Distances in cells at the sides of a view.
    ---@class tidelock.Sides
    ---@field top? number
    ---@field right? number
    ---@field bottom? number
    ---@field left? number
    ---@field vertical? number
    ---@field horizontal? number

    ---Where a view is in its superview, and how large, in cells.
    ---@class tidelock.Bounds : tidelock.DataObject
    ---@field width integer
    ---@field height integer
    ---@field x integer
    ---@field y integer

    ---An item of a menu: a text, `"-"` for a line, or a table.
    ---@class tidelock.MenuItemFields
    ---@field title? string
    ---@field key? string
    ---@field command? tidelock.DataObject|fun(menu: tidelock.View, event: tidelock.Event)
    ---@field enabled? boolean|fun(): boolean
    ---@field selected? boolean|fun(): boolean
    ---@field items? tidelock.MenuItem[]

    ---@alias tidelock.MenuItem string|tidelock.MenuItemFields|tidelock.DataObject

    ---One element of the view tree.
    ---@alias tidelock.View tidelock.view.view

    """

  /// The view classes, the tables from which views are created, and the table `view`.
  static func views(_ components: [AppTypes.Component]) -> String {
    let classes = ViewClasses()
    let names = classes.names
    var text = common
    // A superclass is defined before its subclasses.
    for name in names.sorted(by: { ($0 != "view" ? 1 : 0, $0) < ($1 != "view" ? 1 : 0, $1) }) {
      if let viewClass = classes[name] { text += definition(of: viewClass) }
    }
    for component in components { text += definition(of: component) }
    text += "---@class tidelock.ViewMaker\n"
    for name in names + components.map(\.name) {
      text +=
        "---@field \(name) fun(fields?: tidelock.view.\(name).Fields): tidelock.view.\(name)\n"
    }
    return text + "\n"
  }

  /// The names of all events, for `on`.
  static func eventNames(_ components: [AppTypes.Component]) -> String {
    let classes = ViewClasses()
    var names: Set<String> = []
    for name in classes.names { names.formUnion(classes[name]?.events ?? []) }
    for component in components { names.formUnion(component.events) }
    return alias("tidelock.EventName", names.sorted())
  }

  private static func definition(of viewClass: ViewClass) -> String {
    let name = viewClass.name
    let inherited = viewClass.superclass
    let properties = viewClass.shape.properties.filter { property in
      guard let index = inherited?.shape.index(of: property.name) else { return true }
      let other = inherited?.shape.propertiesByIndex[index]
      return other?.type != property.type || other?.isNullable != property.isNullable
    }
    func parent(_ suffix: String) -> String {
      inherited.map { " : tidelock.view.\($0.name)\(suffix)" }
        ?? (suffix.isEmpty ? " : tidelock.DataObject" : "")
    }
    var text = "---@class tidelock.view.\(name)\(parent(""))\n"
    for property in properties {
      text += "---@field \(property.name) \(type(of: property))\n"
    }
    if inherited == nil { text += APISection.viewMethods }
    text += "\n---@class tidelock.view.\(name).Events\(parent(".Events"))\n"
    for event in viewClass.events.dropFirst(inherited?.events.count ?? 0) {
      text += handler(event)
    }
    text += "\n---@class tidelock.view.\(name).Fields\(parent(".Fields"))\n"
    text += "---@field on? tidelock.view.\(name).Events\n"
    if inherited == nil {
      text +=
        "---@field bindTo? tidelock.BindTo\n---@field [integer] tidelock.View|function|false\n"
    }
    for property in properties where !property.isReadOnly {
      text += "---@field \(property.name)? \(given(property))\n"
      for other in property.aliases { text += "---@field \(other)? \(given(property))\n" }
    }
    return text + "\n"
  }

  private static func definition(of component: AppTypes.Component) -> String {
    let name = component.name
    var text = comment(component.comment)
    text += "---@class tidelock.view.\(name) : tidelock.view.column\n"
    text += component.fields.map(field).joined()
    text += "\n---@class tidelock.view.\(name).Events : tidelock.view.column.Events\n"
    for event in component.events { text += handler(event) }
    text += "\n---@class tidelock.view.\(name).Fields : tidelock.view.column.Fields\n"
    text += "---@field on? tidelock.view.\(name).Events\n"
    for field in component.fields {
      text += "---@field \(field.name)? \(field.type)|fun(): \(field.type)\n"
    }
    return text + "\n"
  }

  private static func handler(_ event: String) -> String {
    "---@field \(event)? tidelock.DataObject|fun(sender: any, event: tidelock.Event): any\n"
  }

  /// The type of a property's value.
  private static func type(of property: PropertyDescription) -> String {
    switch property.name {
    case "width", "height", "minWidth", "maxWidth": return "(number|string)?"
    case "rowHeight": return "(number|\"\(RowHeightOption.word)\")?"
    case "bounds": return "tidelock.Bounds"
    case "contextMenu": return "(tidelock.List|tidelock.MenuItem[])?"
    case "superview", "window": return "tidelock.View?"
    case "style": return "(tidelock.StyleName|string|string[])?"
    case "padding", "margin": return "(number|number[]|tidelock.Sides)?"
    case "keys": return "table<string, function|tidelock.TitledKey>?"
    case _ where property.takesStyledText: return "string|tidelock.RichText"
    case "selectedIndexes": return "tidelock.List<integer>?"
    case "rowStyle": return "(fun(object: any, index: integer): any)?"
    case "cell": return "fun(object: any, index: integer): tidelock.View"
    default: break
    }
    let type =
      property.cases.map { $0.map { "\"\($0)\"" }.joined(separator: "|") }
      ?? name(of: property.type)
    return property.isNullable && type != "any" ? union(type) + "?" : type
  }

  private static func union(_ type: String) -> String {
    type.contains("|") ? "(\(type))" : type
  }

  /// The type that a script may assign to a property: the value, or a function whose result the
  /// property follows.
  private static func given(_ property: PropertyDescription) -> String {
    if ["titles", "labels"].contains(property.name), property.type == .list {
      return "tidelock.List<string>|string[]|fun(): any"
    }
    if property.name == "selectedIndexes" {
      return "tidelock.List<integer>|integer[]|fun(): any"
    }
    if property.name == "contextMenu" {
      return "tidelock.List|tidelock.MenuItem[]|fun(): any"
    }
    let type = property.type == .list ? "tidelock.List|table" : type(of: property)
    return type == "any" ? "any" : "\(type)|fun(): any"
  }

  static func name(of type: ValueType) -> String {
    switch type {
    case .any: "any"
    case .string: "string"
    case .number: "number"
    case .integer: "integer"
    case .boolean: "boolean"
    case .object, .dictionary: "tidelock.DataObject"
    case .list: "tidelock.List"
    }
  }
}
