import TideBindings
import TideViews

/// How pages show a view class: the built-in class that it is shown as, and the properties that
/// pages receive unchanged.
struct PageClass {
  /// The class name by which the page's script creates an element.
  let name: String
  let properties: [Property]
  /// Retained, so that no other class has its address, which identifies it.
  private let viewClass: ViewClass

  struct Property {
    let name: String
    let index: Int
    /// The default of the class. It is not sent, because the page's script knows it.
    let initial: Value
  }

  init(_ viewClass: ViewClass) {
    self.viewClass = viewClass
    var builtIn: ViewClass? = viewClass
    while let candidate = builtIn, !Self.names.contains(candidate.name) {
      builtIn = candidate.superclass
    }
    let name = builtIn?.name ?? "view"
    self.name = name
    properties = viewClass.shape.propertiesByIndex.enumerated().compactMap { index, property in
      // A table's columns are sent with its description.
      let isTracks = name == "grid" && property.name == "columns"
      guard isTracks || Self.plainProperties.contains(property.name) else { return nil }
      return Property(name: property.name, index: index, initial: property.initial.value)
    }
  }

  /// Whether a view of the class hides typed text.
  func isSecret(_ view: View) -> Bool {
    properties.contains { $0.name == "secure" && view.slot($0.index).load() == .boolean(true) }
  }

  /// The classes that the page's script knows.
  private static let names: Set<String> = [
    "view", "row", "column", "grid", "scroll", "box", "tabs", "split", "window", "dialog", "label",
    "field", "textArea", "numberField", "datePicker", "form", "button", "toggle", "checkbox",
    "slider", "stepper", "progress", "picker", "radio", "menu", "keyBar", "image", "chart", "list",
    "table", "tree", "collection", "cell", "divider", "spacer", "spinner",
  ]

  static let plainProperties: Set<String> = [
    "hidden", "enabled", "error", "tooltip", "focusable", "width", "height", "minWidth", "maxWidth",
    "grow", "padding", "margin", "align", "spacing", "aspect", "label", "text", "title",
    "placeholder", "secure", "maxLength", "editable", "wrap", "truncate", "isOn", "value",
    "minimum", "maximum", "step", "selected", "selectionMode", "axis", "position", "modal",
    "decimals", "grouped", "allowsEmpty", "showsTime", "display", "role", "kind", "scale",
    "isAnimating", "followsEnd", "itemWidth", "autofocus", "order", "busy",
  ]
}
