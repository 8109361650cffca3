import TideBindings
import TideGraph

/// The value of `bounds`: the position of a view in its superview, and its size.
///
/// It is updated after each layout while the view is shown. It is created on first read, and costs
/// nothing before.
final class ViewBounds: DataObject {
  private static let boundsShape = Shape(
    name: "bounds",
    properties: ["width", "height", "x", "y"].map {
      PropertyDescription($0, .integer, initial: .integer(0), isReadOnly: true)
    })

  init(_ rect: Rect) {
    super.init(shape: Self.boundsShape)
    for (index, number) in Self.numbers(rect).enumerated() {
      _ = slot(index).store(.integer(number))
    }
  }

  private static func numbers(_ rect: Rect) -> [Int] { [rect.width, rect.height, rect.x, rect.y] }

  /// The rectangle that readers see; updates are not tracked.
  var rect: Rect {
    get {
      let numbers = (0..<4).map { Int.load(slot($0)) }
      return Rect(x: numbers[2], y: numbers[3], width: numbers[0], height: numbers[1])
    }
    set {
      for (index, number) in Self.numbers(newValue).enumerated() {
        _ = try? store(index, .integer(number), settling: true)
      }
    }
  }
}

/// Computes `bounds` on first read.
final class BoundsBody: ComputedBody {
  unowned(unsafe) private let view: View?

  init(_ view: DataObject) { self.view = view as? View }

  override func evaluate(_ slot: Slot) throws -> Bool {
    guard let view else { return false }
    return slot.store(.object(view.bounds))
  }
}

extension View {
  /// Its bounds, created on first use.
  fileprivate final var bounds: ViewBounds {
    if let bounds = extras?.bounds { return bounds }
    let made = ViewBounds(scene == nil ? .zero : rectInSuperview)
    ownExtras.bounds = made
    return made
  }

  /// The rectangle relative to the corner of the superview, or of the screen for a float.
  final var rectInSuperview: Rect {
    var rect = layout.rect
    if let parent, !layout.isFloating {
      rect.x -= parent.layout.rect.x
      rect.y -= parent.layout.rect.y
    }
    return rect
  }
}
