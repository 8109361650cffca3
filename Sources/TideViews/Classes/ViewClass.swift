public import TideBindings
import TideGraph

/// What the views of one class have in common: name, properties, events, layout and drawing.
///
/// ```swift
/// let gauge = ViewClass("gauge", properties: ["level": .number(default: 0)], events: ["tapped"]) {
///   view, canvas in canvas.write("level \(view["level"])", x: 0, y: 0)
/// }
/// ```
///
/// A class inherits the properties, events and layout of its superclass. A class that draws itself
/// and inherits from `view` is a leaf and accepts no subviews.
public final class ViewClass: Sendable {
  /// The name that scripts use to make such views, as in `view.label`.
  public let name: String
  /// What its views are for, in one sentence; empty for a class of the host program.
  package let summary: String
  /// The class whose properties and events it inherits; nil for `view`.
  public let superclass: ViewClass?
  /// The names and types of its properties.
  public let shape: Shape
  /// The events that its views send, inherited ones included.
  public let events: [String]
  /// Help for the keys of its views. An entry applies while the view has the focus, or, with
  /// `reachesInside`, while one of its descendants has it.
  package let keyHelp: [KeyHelp]
  /// Arranges the subviews; nil for a class that has no subviews or arranges them itself.
  let arrangement: (any Arrangement)?
  /// Whether views of the class arrange subviews.
  package var holdsSubviews: Bool { arrangement != nil }
  /// Cells at each side that are reserved for a border or another decoration of the class.
  let border: Sides
  /// Whether a superview that stretches its subviews may stretch it to the full width.
  let stretches: Bool
  /// Whether views with neither a `grow` nor a size grow into the remaining space.
  let growsByDefault: Bool
  let drawing: Drawing?
  private let indices: [Int16]
  let impacts: [Impact]
  private let plain: [Bool]
  private let instantiate: @Sendable (ViewClass) -> View

  /// The size and drawing functions of a custom class.
  struct Drawing: Sendable {
    var naturalSize: @Sendable (View) -> Size
    var draw: @Sendable (View, Canvas) -> Void
  }

  /// Describes a custom class. The natural size applies where neither properties nor layout set a
  /// size.
  public convenience init(
    _ name: String = "view", superclass: ViewClass = .view,
    properties: KeyValuePairs<String, PropertyDescription> = [:], events: [String] = [],
    draw: (@Sendable (View, Canvas) -> Void)? = nil,
    naturalSize: @escaping @Sendable (View) -> Size = { _ in Size(width: 10, height: 1) }
  ) {
    let drawing = draw.map { Drawing(naturalSize: naturalSize, draw: $0) }
    self.init(
      name, inheriting: superclass,
      properties: properties.map { name, property in
        var property = property
        property.name = name
        return property
      },
      events: events, arrangement: draw == nil ? superclass.arrangement : nil,
      keyHelp: superclass.keyHelp, border: superclass.border,
      stretches: superclass.stretches, drawing: drawing ?? superclass.drawing,
      make: superclass.instantiate)
  }

  /// A class declared by a script, laid out like its superclass.
  package convenience init(
    _ name: String, superclass: ViewClass, properties: [PropertyDescription], events: [String]
  ) {
    self.init(
      name, inheriting: superclass, properties: properties, events: events,
      arrangement: superclass.arrangement, keyHelp: superclass.keyHelp,
      border: superclass.border, stretches: superclass.stretches, drawing: superclass.drawing,
      make: superclass.instantiate)
  }

  init(
    _ name: String, _ summary: String = "", inheriting superclass: ViewClass?,
    properties: [PropertyDescription] = [],
    events: [String] = [], arrangement: (any Arrangement)? = nil, keyHelp: [KeyHelp] = [],
    border: Sides = .zero, stretches: Bool = true,
    drawing: Drawing? = nil, make: @escaping @Sendable (ViewClass) -> View
  ) {
    self.name = name
    self.summary = summary
    self.superclass = superclass
    self.arrangement = arrangement
    self.keyHelp = keyHelp
    self.border = border
    self.stretches = stretches
    self.drawing = drawing
    instantiate = make
    var properties = properties
    var classProperty = PropertyDescription("class", .string, initial: .string(name))
    classProperty.isReadOnly = true
    properties.append(classProperty)
    // A custom property may share a built-in name but have another meaning.
    let isBuiltIn = !summary.isEmpty
    for index in properties.indices where isBuiltIn && properties[index].summary == nil {
      properties[index].summary = ViewProperty.summaries[properties[index].name]
    }
    let shape = Shape(name: name, properties: properties, superclass: superclass?.shape)
    self.shape = shape
    growsByDefault =
      shape.index(of: ViewProperty.grow.name).map {
        shape.propertiesByIndex[$0].initial.value == .null
      } ?? false
    self.events = (superclass?.events ?? []) + events
    EventName.note(events)
    indices = ViewProperty.allCases.map { Int16(shape.index(of: $0.name) ?? -1) }
    var impacts = [Impact](repeating: [.measure, .draw], count: shape.properties.count)
    for property in ViewProperty.allCases {
      if let index = shape.index(of: property.name) { impacts[index] = property.impact }
    }
    self.impacts = impacts
    plain = shape.properties.map {
      $0.validate == nil && $0.derive == nil && $0.cases == nil && !$0.isReadOnly
    }
  }

  /// A copy under another name, for a registry.
  package func named(_ name: String) -> ViewClass {
    if name == self.name { return self }
    return ViewClass(
      name, summary, inheriting: superclass, properties: shape.properties,
      events: Array(events.dropFirst(superclass?.events.count ?? 0)), arrangement: arrangement,
      keyHelp: keyHelp, border: border, stretches: stretches, drawing: drawing, make: instantiate)
  }

  /// Makes a view with the default values of its class.
  public func make() -> View { instantiate(self) }

  /// Makes a view with subviews.
  ///
  /// - Throws: `badTree` for a class that accepts no subviews, or makes them itself.
  public func make(_ subviews: [View]) throws(TideError) -> View {
    let view = make()
    for subview in subviews { try view.add(subview) }
    return view
  }

  /// Whether it is the other class or derived from it.
  public func inherits(from other: ViewClass) -> Bool { inherits(from: other.name) }

  /// Whether the class or one of its superclasses has the name.
  public func inherits(from name: String) -> Bool {
    var current: ViewClass? = self
    while let known = current {
      if known.name == name { return true }
      current = known.superclass
    }
    return false
  }

  /// Whether a property accepts any value of its type: it has no validator, derivation or fixed set
  /// of words, and it is writable.
  func isPlain(_ index: Int) -> Bool { plain[index] }

  @inline(__always)
  func index(of property: ViewProperty) -> Int? {
    let index = indices[property.rawValue]
    return index < 0 ? nil : Int(index)
  }
}

/// The direction in which a row or a column arranges its subviews.
public enum Axis: Sendable {
  /// From left to right.
  case horizontal
  /// From top to bottom.
  case vertical
}
