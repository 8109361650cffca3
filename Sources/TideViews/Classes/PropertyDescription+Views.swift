public import TideBindings
import TideGraph

extension PropertyDescription {
  /// Declares a number with a default, as in `properties: ["level": .number(default: 0)]`.
  public static func number(default value: Double = 0) -> Self {
    Self("", .number, initial: .number(value))
  }

  /// Declares a whole number.
  public static func integer(default value: Int = 0) -> Self {
    Self("", .integer, initial: .integer(value))
  }

  /// Declares text.
  public static func string(default value: String = "") -> Self {
    Self("", .string, initial: .string(value))
  }

  /// Declares true or false.
  public static func boolean(default value: Bool = false) -> Self {
    Self("", .boolean, initial: .boolean(value))
  }

  /// Declares a property of any type, initially nil.
  public static var any: Self { Self("", .any) }

  static func of(_ property: ViewProperty, _ type: ValueType, _ initial: InitialValue = .null)
    -> Self
  {
    Self(property.name, type, initial: initial)
  }

  /// A flag whose value combines the contributions of several bindings.
  static func shared(
    _ property: ViewProperty, _ initial: Bool, _ combination: Combination
  ) -> Self {
    var description = of(property, .boolean, .boolean(initial))
    description.combination = combination
    return description
  }

  /// A colour, checked when it is written.
  static func color(_ property: ViewProperty) -> Self {
    var description = Self(property.name, .string)
    description.validate = { _, value in
      if let text = String.make(from: value) { _ = try Color(text) }
      return value
    }
    return description
  }

  /// Text, plain or rich.
  static var styledText: Self {
    var description = of(.text, .string, .string(""))
    description.takesStyledText = true
    return description
  }

  /// Names of styles, checked when they are written.
  static var style: Self {
    var description = of(.style, .any)
    description.validate = { view, value in
      if value != .null { _ = try StyleSheet.of(view.graph).names(in: value, of: view.label) }
      return value
    }
    return description
  }

  /// The numbers of a chart, checked when the list is written. Invalid elements that are added to
  /// the list later leave gaps.
  static var chartValues: Self {
    var description = of(.values, .list)
    description.validate = { view, value in
      try ChartContent.check(value, of: view.label)
      return value
    }
    return description
  }

  /// A list of texts, checked when the list is written. The view reports invalid elements that are
  /// added later.
  static func texts(_ property: ViewProperty) -> Self {
    var description = of(property, .list)
    description.validate = { view, value in
      try TextElements.check(value, of: "\(view.label).\(property.name)")
      return value
    }
    return description
  }

  /// Distances at the four sides, checked when they are written.
  static func sides(_ property: ViewProperty) -> Self {
    var description = Self(property.name, .any)
    let name = property.name
    description.validate = { view, value in
      if Sides.accepts(value) { return value }
      throw TideError(
        .wrongType,
        "\(view.label).\(name) is a number of cells, a list of 2 or 4, or a table with top, right, "
          + "bottom, left, vertical or horizontal, not \(value.typeAndPreview)"
          + Sides.hint(for: value))
    }
    return description
  }

  /// A size in cells or relative to the superview, checked when it is written.
  static func size(_ property: ViewProperty) -> Self {
    var description = of(property, .any)
    let name = property.name
    description.validate = { view, value in try RelativeSize.admit(value, as: name, of: view.label)
    }
    return description
  }

  /// The height of rows, checked when it is written.
  static var rowHeight: Self {
    var description = of(.rowHeight, .any)
    description.validate = { view, value in try RowHeightOption.admit(value, of: view.label) }
    return description
  }

  /// The items of a menu, checked when they are written.
  static func menuItems(_ property: ViewProperty) -> Self {
    var description = of(property, .list)
    let name = property.name
    description.validate = { view, value in
      guard case .object(let list as any ListObject) = value else { return value }
      for index in 0..<list.trackedCount {
        switch list.trackedElement(at: index) ?? .null {
        case .string: break
        case .object(let object as DataObject) where !(object is any ListObject): break
        case let other:
          throw TideError(
            .wrongType,
            "\(view.label).\(name) is a list of menu items, which are texts or objects with a title; "
              + "number \(index + 1) is \(other.typeAndPreview)")
        }
      }
      return value
    }
    return description
  }

  /// The numbers of the selected rows, checked when they are written.
  static var selectedIndexes: Self {
    var description = of(.selectedIndexes, .list, .make { .object(FrozenList()) })
    description.isNullable = true
    description.validate = { view, value in
      guard case .object(let list as any ListObject) = value, !(list is RowList) else {
        return value
      }
      for index in 0..<list.trackedCount {
        let element = list.trackedElement(at: index) ?? .null
        guard let number = Int.exactly(element), number >= 1 else {
          throw TideError(
            .wrongType,
            "\(view.label).selectedIndexes is a list of row numbers, from 1; number \(index + 1) of "
              + "the list is \(element.typeAndPreview)")
        }
      }
      return value
    }
    return description
  }

  /// The objects of the selected rows.
  static var selectedObjects: Self {
    var description = of(.selectedObjects, .list, .make { .object(FrozenList()) })
    description.isNullable = true
    return description
  }

  /// A property that scripts set by rules of their own, such as `rowStyle`. The validator accepts
  /// everything, but marks the slot as validated, so that a script's assignment skips the fast
  /// path.
  static func special(_ property: ViewProperty) -> Self {
    var description = of(property, .any)
    description.validate = { _, value in value }
    return description
  }

  /// A text that must be one of the given words.
  static func word(_ property: ViewProperty, _ initial: String, of cases: [String]) -> Self {
    var description = Self(property.name, .string, initial: .string(initial))
    description.cases = cases
    return description
  }

  static func readOnly(_ property: ViewProperty, _ type: ValueType, _ initial: InitialValue = .null)
    -> Self
  {
    var description = of(property, type, initial)
    description.isReadOnly = true
    return description
  }
}

extension Int {
  /// The integer value of a number without a fraction; nil for any other value.
  static func exactly(_ value: Value) -> Int? {
    switch value {
    case .integer(let number): number
    case .number(let number): Int(exactly: number)
    default: nil
    }
  }
}
