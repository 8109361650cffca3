public import TideBindings
import TideGraph

/// What the views of one class have in common: name, properties, events, how they are laid out and
/// drawn.
///
/// ```swift
/// let gauge = ViewClass("gauge", properties: ["level": .number(default: 0)], events: ["tapped"]) {
///   view, canvas in canvas.write("level \(view["level"])", x: 0, y: 0)
/// }
/// ```
///
/// A class inherits the properties, events and layout of its superclass; one that draws itself and
/// inherits from `view` is a leaf and takes no subviews.
public final class ViewClass: Sendable {
  /// The word that scripts make such views by, as in `view.label`.
  public let name: String
  /// What its views are for, in a sentence; empty for a program's own class.
  package let summary: String
  /// The class whose properties and events it has too; nil for `view`.
  public let superclass: ViewClass?
  /// The names and types of its properties.
  public let shape: Shape
  /// The events that its views send, inherited ones included.
  public let events: [String]
  /// What keys do in its views, where they have the focus and where they are above what has it.
  package let keyHelp: [KeyHelp]
  /// How subviews are arranged; nil for a class that has none, or sees to them itself.
  let arrangement: (any Arrangement)?
  /// Whether views of the class arrange subviews.
  package var holdsSubviews: Bool { arrangement != nil }
  /// Cells taken at the sides by a border, or by something else that the class draws there.
  let border: Sides
  /// Whether it can be as wide as its superview where that stretches its subviews.
  let stretches: Bool
  /// Whether views that are given neither a `grow` nor a size take what is left over.
  let growsByDefault: Bool
  let drawing: Drawing?
  private let indices: [Int16]
  let impacts: [Impact]
  private let plain: [Bool]
  private let instantiate: @Sendable (ViewClass) -> View

  /// How views of a class of one's own say what they need and what they look like.
  struct Drawing: Sendable {
    var naturalSize: @Sendable (View) -> Size
    var draw: @Sendable (View, Canvas) -> Void
  }

  /// Describes a class of one's own. The natural size is what a view takes where nothing else says.
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

  /// A class of a script's: laid out as its superclass.
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
    // A property that only happens to have a built-in one's name may be something else.
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

  /// A copy under another name: what a registry keeps.
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
  /// - Throws: `badTree` for a class that takes none, or makes them itself.
  public func make(_ subviews: [View]) throws(TideError) -> View {
    let view = make()
    for subview in subviews { try view.add(subview) }
    return view
  }

  /// Whether it is that class, or one derived from it.
  public func inherits(from other: ViewClass) -> Bool { inherits(from: other.name) }

  /// Whether this is the class of that name, or one of its superclasses is.
  public func inherits(from name: String) -> Bool {
    var current: ViewClass? = self
    while let known = current {
      if known.name == name { return true }
      current = known.superclass
    }
    return false
  }

  /// Whether a property takes any value of its type without asking.
  func isPlain(_ index: Int) -> Bool { plain[index] }

  @inline(__always)
  func index(of property: ViewProperty) -> Int? {
    let index = indices[property.rawValue]
    return index < 0 ? nil : Int(index)
  }
}

/// A direction: that in which a row or a column puts its subviews.
public enum Axis: Sendable {
  /// Side by side.
  case horizontal
  /// Below each other.
  case vertical
}
