import TideBindings
import TideGraph

/// The layout constraints of a view, read from its properties.
struct BoxStyle: Equatable {
  var width: Int?
  var height: Int?
  var minWidth = 0
  var maxWidth = Int.max
  var grow = 0.0
  /// Whether `grow` is the default of the class, which applies only without an explicit size.
  var growsByDefault = false
  var padding = Sides.zero
  var margin = Sides.zero
  var spacing = 0
  /// How subviews or text are aligned in surplus space, or how the view itself is aligned in its
  /// superview if it does not stretch.
  var alignment = Alignment.stretch
  var isHidden = false
  /// Sizes relative to the superview, and the aspect ratio; nil if there are none.
  var relative: RelativeSize?

  init() {}

  init(_ view: View) {
    let sizes = SizeReader(view)
    width = Self.cells(sizes.width)
    height = Self.cells(sizes.height)
    minWidth = Self.cells(sizes.minWidth) ?? 0
    maxWidth = Self.cells(sizes.maxWidth) ?? .max
    relative = sizes.relative
    let weight = view.peek(.grow, as: Double?.self)
    growsByDefault = weight == nil && view.viewClass.growsByDefault
    grow = growsByDefault ? 1 : BoxStyle.weight(weight)
    padding = Sides(view.peek(.padding, as: Value.self))
    margin = Sides(view.peek(.margin, as: Value.self))
    spacing = Self.cells(view.peek(.spacing, as: Double.self)) ?? 0
    alignment = Alignment(rawValue: view.text(.align)) ?? .stretch
    isHidden = view.flag(.hidden)
  }

  /// The share of the remaining space along an axis. With an explicit `grow`, a size is the
  /// starting point and shrinks if space is short. With the class's default `grow`, a size is
  /// fixed.
  func grow(along axis: Axis) -> Double {
    growsByDefault && (axis == .horizontal ? hasWidth : hasHeight) ? 0 : grow
  }

  /// A width limited to the minimum and maximum.
  func clamped(width: Int) -> Int { max(minWidth, min(width, maxWidth)) }

  /// A number of cells, clamped to 0 to `limit`; nil for nil and NaN.
  static func cells(_ number: Double?) -> Int? {
    guard let number, !number.isNaN else { return nil }
    return Int(max(0, min(number, limit)))
  }

  private static func weight(_ number: Double?) -> Double {
    guard let number, number > 0 else { return 0 }
    return min(number, limit)
  }

  /// Far larger than any screen, and small enough that sums do not overflow.
  static let limit = 1e6
}

/// The alignment of content in a larger space.
enum Alignment: String {
  case start, center, end, stretch

  func offset(_ length: Int, in room: Int) -> Int {
    switch self {
    case .start, .stretch: 0
    case .center: max(0, (room - length) / 2)
    case .end: max(0, room - length)
    }
  }
}

extension Sides {
  /// Reads one number for all sides, `{ top =, right =, bottom =, left = }`, `{ vertical =,
  /// horizontal = }`, or a list of one, two or four numbers; anything else gives zero.
  init(_ value: Value) {
    self.init()
    switch value {
    case .integer(let all): self.init(all: BoxStyle.cells(Double(all)) ?? 0)
    case .number(let all): self.init(all: BoxStyle.cells(all) ?? 0)
    case .object(let list as any ListObject): read(list)
    case .object(let object as DataObject): read(object)
    default: break
    }
  }

  /// Whether a value describes distances.
  static func accepts(_ value: Value) -> Bool {
    switch value {
    case .null: true
    case .integer, .number: cells(value) != nil && Double.make(from: value).map { $0 >= 0 } == true
    case .object(let list as any ListObject):
      [1, 2, 4].contains(list.trackedCount)
        && (0..<list.trackedCount).allSatisfy { index in
          let amount = list.trackedElement(at: index) ?? .null
          // A nested list is not a distance, and may even be the list itself.
          if case .object = amount { return false }
          return accepts(amount)
        }
    case .object(let object as DataObject):
      !object.shape.properties.isEmpty
        && object.shape.properties.allSatisfy { property in
          let amount = object[property.name]
          if case .object = amount { return false }
          return names.contains(property.name) && accepts(amount)
        }
    default: false
    }
  }

  /// A suggestion for a misspelt side, appended to an error message.
  static func hint(for value: Value) -> String {
    guard case .object(let object as DataObject) = value, !(object is any ListObject),
      let wrong = object.shape.properties.first(where: { !names.contains($0.name) })
    else { return "" }
    return "; it has no \"\(wrong.name.inMessage)\""
      + NearestName.hint(for: wrong.name, in: names)
  }

  package static let names = ["top", "right", "bottom", "left", "vertical", "horizontal"]

  private mutating func read(_ list: any ListObject) {
    let amounts = (0..<4).map { list.trackedElement(at: $0).flatMap(Self.cells) }
    guard let first = amounts[0] else { return }
    let second = amounts[1] ?? first
    self = Sides(
      top: first, right: second, bottom: amounts[2] ?? first, left: amounts[3] ?? second)
  }

  private mutating func read(_ object: DataObject) {
    let across = Self.cells(object["horizontal"]) ?? 0
    let down = Self.cells(object["vertical"]) ?? 0
    self = Sides(
      top: Self.cells(object["top"]) ?? down, right: Self.cells(object["right"]) ?? across,
      bottom: Self.cells(object["bottom"]) ?? down, left: Self.cells(object["left"]) ?? across)
  }

  private static func cells(_ value: Value) -> Int? {
    Double?.make(from: value).flatMap { BoxStyle.cells($0) }
  }
}
