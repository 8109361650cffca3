package import TideBindings
import TideGraph

/// Sizes relative to the superview's inner size, and the aspect ratio.
///
/// A class, so that the majority of views, which have none, need no memory for it.
package final class RelativeSize: Equatable {
  /// Fractions of the superview's size: 0.5 for `"50%"`; nil for a size in cells or none.
  let width, height, minWidth, maxWidth: Double?
  /// The ratio of width to height.
  let aspect: Double?

  fileprivate init(
    width: Double?, height: Double?, minWidth: Double?, maxWidth: Double?, aspect: Double?
  ) {
    self.width = width
    self.height = height
    self.minWidth = minWidth
    self.maxWidth = maxWidth
    self.aspect = aspect
  }

  package static func == (left: RelativeSize, right: RelativeSize) -> Bool {
    left === right
      || left.width == right.width && left.height == right.height
        && left.minWidth == right.minWidth && left.maxWidth == right.maxWidth
        && left.aspect == right.aspect
  }

  /// Parses a text such as `"50%"` to a fraction; nil for any other text.
  static func part(_ text: String) -> Double? {
    guard text.hasSuffix("%"), let number = Double(text.dropLast()), number >= 0,
      number <= 10_000
    else { return nil }
    return number / 100
  }

  /// Checks a size: a number of cells, a text such as `"50%"`, or nil.
  package static func admit(
    _ value: Value, as name: String, of view: String
  ) throws(TideError) -> Value {
    switch value {
    case .null, .integer, .number: return value
    case .string(let text):
      if part(text) != nil { return value }
    default: break
    }
    throw TideError(
      .wrongType,
      "\(view).\(name) is a number of cells or a part of the superview's such as \"50%\", "
        + "not \(value.typeAndPreview)")
  }
}

/// The sizes set by a view's properties.
struct SizeReader {
  private(set) var width, height, minWidth, maxWidth: Double?
  private(set) var relative: RelativeSize?

  init(_ view: View) {
    width = view.peek(.width, as: Double?.self)
    height = view.peek(.height, as: Double?.self)
    minWidth = view.peek(.minWidth, as: Double?.self)
    maxWidth = view.peek(.maxWidth, as: Double?.self)
    var aspect = view.peek(.aspect, as: Double?.self)
    if let ratio = aspect, !(ratio > 0 && ratio <= BoxStyle.limit) { aspect = nil }
    let parts = (
      Self.part(.width, of: view), Self.part(.height, of: view), Self.part(.minWidth, of: view),
      Self.part(.maxWidth, of: view)
    )
    guard parts.0 != nil || parts.1 != nil || parts.2 != nil || parts.3 != nil || aspect != nil
    else { return }
    if parts.0 != nil { width = nil }
    if parts.1 != nil { height = nil }
    if parts.2 != nil { minWidth = nil }
    if parts.3 != nil { maxWidth = nil }
    relative = RelativeSize(
      width: parts.0, height: parts.1, minWidth: parts.2, maxWidth: parts.3, aspect: aspect)
  }

  private static func part(_ property: ViewProperty, of view: View) -> Double? {
    guard let index = view.viewClass.index(of: property),
      case .string(let text) = view.slot(index).load()
    else { return nil }
    return RelativeSize.part(text)
  }
}

// Sizes for a known size of the superview.
extension BoxStyle {
  var hasWidth: Bool { width != nil || relative?.width != nil }
  var hasHeight: Bool { height != nil || relative?.height != nil }

  /// The width within a superview of the given inner width; nil if the view sets none.
  func width(in room: Int) -> Int? {
    guard let part = relative?.width else { return width }
    return Self.cells(part, of: room)
  }

  func height(in room: Int) -> Int? {
    guard let part = relative?.height else { return height }
    return Self.cells(part, of: room)
  }

  func minWidth(in room: Int) -> Int {
    guard let part = relative?.minWidth else { return minWidth }
    return Self.cells(part, of: room)
  }

  func maxWidth(in room: Int) -> Int {
    guard let part = relative?.maxWidth else { return maxWidth }
    return Self.cells(part, of: room)
  }

  /// A width limited to the minimum and maximum.
  func clamped(width: Int, in room: Int) -> Int {
    relative == nil
      ? clamped(width: width) : max(minWidth(in: room), min(width, maxWidth(in: room)))
  }

  /// The aspect ratio if it determines the height: the view has a ratio and no height.
  var ratioOfHeight: Double? { hasHeight ? nil : relative?.aspect }

  /// The width computed from a height by the aspect ratio; nil if the ratio does not apply.
  func width(forHeight height: Int?) -> Int? {
    guard let aspect = relative?.aspect, !hasWidth, let height else { return nil }
    return Self.cells(Double(height) * aspect)
  }

  /// The height computed from a width by the aspect ratio.
  static func height(forWidth width: Int, _ aspect: Double) -> Int {
    width <= 0 ? 0 : max(1, cells((Double(width) / aspect).rounded()) ?? 1)
  }

  private static func cells(_ part: Double, of room: Int) -> Int {
    cells((part * Double(room)).rounded()) ?? 0
  }
}
