/// What the layout keeps for a view.
struct LayoutState {
  var flags: Flags = []
  var box = BoxStyle()
  /// With padding and border and its own limits, without margin.
  var natural = Size.zero
  /// Its height depends on its width, because something in it wraps.
  var hasWrap = false
  /// The height found last for a width; -1 when there is none.
  var knownWidth = -1
  var knownHeight = 0
  /// Where it stands in the frame.
  var rect = Rect.zero
  /// The part of it that its ancestors let show.
  var visible = Rect.zero
  var look = Look()
  /// What it inherited when it was drawn last.
  var inherited = CellStyle.plain
  /// It stands above the rest of the scene, where its superview has no say.
  var isFloating = false

  /// Whether it has a part in its superview's layout.
  var isInFlow: Bool { !box.isHidden && !isFloating }

  /// The frame in which it was found out whether an ancestor is drawn anyway, and the answer.
  var coverFrame = 0
  var isCovered = false

  struct Flags: OptionSet {
    let rawValue: UInt16

    static let inMeasure = Flags(rawValue: 1)
    static let inArrange = Flags(rawValue: 2)
    static let inDraw = Flags(rawValue: 4)
    /// The properties that its superview's layout depends on have to be read again.
    static let boxChanged = Flags(rawValue: 8)
    static let lookChanged = Flags(rawValue: 16)
    /// A subview's size has changed, so all of them are arranged again.
    static let arrange = Flags(rawValue: 32)
    static let stateChanged = Flags(rawValue: 64)
    static let inBounds = Flags(rawValue: 128)
  }
}
