import TideBindings
import TideGraph

/// A temporary view above the others, next to its anchor view: the list of a picker, a menu.
///
/// It is not part of a view tree and never has the focus: its anchor, the view that opens it, keeps
/// the focus and receives the keys. A press anywhere else closes it, and so does anything that
/// makes the anchor unusable.
class PopUpView: View {
  /// Weak because a script may release the anchor while the pop-up is open.
  private(set) weak var anchor: View?
  /// Called whenever it is closed.
  var onClose: () -> Void = {}
  /// Whether it opens beside its anchor instead of below it.
  var opensSideways = false
  /// The part of the anchor to align with, relative to the anchor's corner; nil for all of it.
  var anchorArea: Rect?

  static let popUpClass = ViewClass(
    "popUp", inheriting: .view, border: Sides(all: 1), stretches: false,
    make: { PopUpView(viewClass: $0) })

  /// The size of the screen when the anchor was last visible.
  var sizeInSight: Size?

  /// One row and the two lines of the border.
  private static let leastHeight = 3

  override var isFloat: Bool { true }
  override var presenter: View? { anchor }
  override var takesSubviews: Bool { false }

  /// Whether it is at least as wide as its anchor area.
  var coversAnchor: Bool { true }

  var isOpen: Bool { scene != nil }

  func open(at anchor: View, in scene: Scene) {
    self.anchor = anchor
    scene.present(self)
  }

  func close() {
    guard let scene else { return }
    scene.dismiss(self)
    anchor = nil
    onClose()
  }

  override func floatingRect(on screen: Rect, by layout: Layout) -> Rect {
    guard let anchor else { return .zero }
    let size = self.layout.natural
    let base = anchor.layout.rect
    let area =
      anchorArea.map {
        Rect(x: base.x + $0.x, y: base.y + $0.y, width: $0.width, height: $0.height)
      } ?? base
    let isWidened = coversAnchor && !opensSideways
    let width = min(screen.width, isWidened ? max(size.width, area.width) : size.width)
    if opensSideways {
      let fits = area.maxX + width <= screen.maxX || area.x < width
      let x = fits ? area.maxX : area.x - width
      let height = min(size.height, screen.height)
      return Rect(
        x: max(0, min(x, screen.maxX - width)), y: max(0, min(area.y, screen.maxY - height)),
        width: width, height: height)
    }
    // Below the anchor, unless it does not fit there and there is more space above.
    let below = max(0, screen.maxY - area.maxY)
    let above = max(0, area.y)
    let x = max(0, min(area.x, screen.maxX - width))
    // If the anchor fills the screen, the pop-up covers all of it except the first row.
    if max(below, above) < min(size.height, Self.leastHeight) {
      let y = min(area.y + 1, max(0, screen.maxY - size.height))
      return Rect(x: x, y: y, width: width, height: min(size.height, screen.maxY - y))
    }
    if size.height <= below || below >= above {
      return Rect(x: x, y: area.maxY, width: width, height: min(size.height, below))
    }
    let height = min(size.height, above)
    return Rect(x: x, y: area.y - height, width: width, height: height)
  }
}
