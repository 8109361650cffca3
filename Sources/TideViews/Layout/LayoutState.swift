/// The layout state of a view.
struct LayoutState {
  var flags: Flags = []
  var box = BoxStyle()
  /// The natural size with padding, border and size limits, without margin.
  var natural = Size.zero
  /// Whether its height depends on its width, because it or a descendant wraps.
  var hasWrap = false
  /// The width of the last height computation, or -1; `knownHeight` is its result.
  var knownWidth = -1
  var knownHeight = 0
  /// The rectangle in the frame.
  var rect = Rect.zero
  /// The part of the rectangle that is not clipped by ancestors.
  var visible = Rect.zero
  var look = Look()
  /// The style inherited when it was last drawn.
  var inherited = CellStyle.plain
  /// Whether it floats above the scene, outside its superview's layout.
  var isFloating = false

  /// Whether it takes part in its superview's layout.
  var isInFlow: Bool { !box.isHidden && !isFloating }

  /// The frame in which `isCovered` was computed: whether an ancestor is redrawn anyway.
  var coverFrame = 0
  var isCovered = false

  struct Flags: OptionSet {
    let rawValue: UInt16

    static let inMeasure = Flags(rawValue: 1)
    static let inArrange = Flags(rawValue: 2)
    static let inDraw = Flags(rawValue: 4)
    /// The properties in `BoxStyle` have to be read again.
    static let boxChanged = Flags(rawValue: 8)
    static let lookChanged = Flags(rawValue: 16)
    /// A subview's size has changed, so all subviews are arranged again.
    static let arrange = Flags(rawValue: 32)
    static let stateChanged = Flags(rawValue: 64)
    static let inBounds = Flags(rawValue: 128)
  }
}
