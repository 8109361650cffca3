import TideBindings
import TideGraph

/// What a view asks of the layout, read from its properties.
struct BoxStyle: Equatable {
  var width: Int?
  var height: Int?
  var minWidth = 0
  var maxWidth = Int.max
  var grow = 0.0
  /// It grows because its class does, where it has no size.
  var growsByDefault = false
  var padding = Sides.zero
  var margin = Sides.zero
  var spacing = 0
  /// How subviews, or the text, stand where there is more room than they need; or the view itself
  /// in its superview, if it is only as wide as what it shows.
  var alignment = Alignment.stretch
  var isHidden = false
  /// Sizes in parts of the superview's, and the ratio; nil for none of these.
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

  /// Its share of what is left over. A size that is given to a view that is to grow is where it
  /// begins, and gives way where there is too little room; of one whose class grows by itself it is
  /// kept.
  func grow(along axis: Axis) -> Double {
    growsByDefault && (axis == .horizontal ? hasWidth : hasHeight) ? 0 : grow
  }

  /// A width limited to the minimum and maximum.
  func clamped(width: Int) -> Int { max(minWidth, min(width, maxWidth)) }

  /// A number of cells from whatever number a script gave; nil for none and for NaN.
  static func cells(_ number: Double?) -> Int? {
    guard let number, !number.isNaN else { return nil }
    return Int(max(0, min(number, limit)))
  }

  private static func weight(_ number: Double?) -> Double {
    guard let number, number > 0 else { return 0 }
    return min(number, limit)
  }

  /// Far beyond any screen, and far from overflowing when added up.
  static let limit = 1e6
}

/// Where something stands in a room larger than itself.
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
  /// The same at all sides, `{ top =, right =, bottom =, left = }`, `{ vertical =, horizontal = }`,
  /// or a list of these two or four; anything else is none.
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

  /// Whether a value says what distances are.
  static func accepts(_ value: Value) -> Bool {
    switch value {
    case .null: true
    case .integer, .number: cells(value) != nil && Double.make(from: value).map { $0 >= 0 } == true
    case .object(let list as any ListObject):
      [1, 2, 4].contains(list.trackedCount)
        && (0..<list.trackedCount).allSatisfy { index in
          let amount = list.trackedElement(at: index) ?? .null
          // A nested list is no distance, and may even be the list itself.
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

  /// What a misspelt side was probably meant to be, for a message to end with.
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
