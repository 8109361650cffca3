import TideBindings
import TideGraph

/// What a view shows above the others for a while, next to itself: the list of a picker, a menu.
///
/// It is in no tree and never has the focus: the view that shows it, its anchor, keeps the focus
/// and the keys. A press anywhere else closes it, and so does whatever makes the anchor unusable.
class PopUpView: View {
  /// A script may remove and release it while this is open.
  private(set) weak var anchor: View?
  /// Called when it is closed, whatever closes it.
  var onClose: () -> Void = {}
  /// Beside its anchor instead of below it.
  var opensSideways = false
  /// The part of the anchor it belongs to, from the anchor's corner; all of it when nil.
  var anchorArea: Rect?

  static let popUpClass = ViewClass(
    "popUp", inheriting: .view, border: Sides(all: 1), stretches: false,
    make: { PopUpView(viewClass: $0) })

  /// The size of the screen when the anchor was last in sight.
  var sizeInSight: Size?

  /// A row between two borders.
  private static let leastHeight = 3

  override var isFloat: Bool { true }
  override var presenter: View? { anchor }
  override var takesSubviews: Bool { false }

  /// Whether it is at least as wide as what it belongs to.
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
    // Below, unless there is more room above and it is needed.
    let below = max(0, screen.maxY - area.maxY)
    let above = max(0, area.y)
    let x = max(0, min(area.x, screen.maxX - width))
    // An anchor that fills the screen is covered, but for its first row.
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
