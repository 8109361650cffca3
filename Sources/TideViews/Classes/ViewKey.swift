import TideBindings
public import TideGraph

/// A property of views with its Swift type, so that the compiler checks what is read and written.
///
/// ```swift
/// label[.text] = "Hello"
/// gauge[ViewKey<Double>("level")] = 0.5
/// ```
public struct ViewKey<Content: PropertyValue>: Sendable {
  let known: ViewProperty?
  private let ownName: String

  /// Names a property of a class of one's own.
  public init(_ name: String) {
    ownName = name
    known = nil
  }

  init(_ known: ViewProperty) {
    ownName = ""
    self.known = known
  }

  public var name: String { known?.name ?? ownName }
}

extension View {
  /// A property; reading is recorded, writing settles.
  ///
  /// A property that the class does not have reads as empty, and writing it is an error that goes
  /// to the scene's `onError`.
  public final subscript<Content: PropertyValue>(key: ViewKey<Content>) -> Content {
    get {
      guard let index = index(of: key) else { return Content.load(header) }
      let slot = slot(index)
      try? graph.refresh(slot)
      Graph.trackRead(of: slot)
      return Content.load(slot)
    }
    set {
      guard let index = index(of: key) else { return report(unknownProperty(key.name)) }
      let slot = slot(index)
      if viewClass.isPlain(index) && !Graph.needsConsent(slot) {
        if Graph.noting(slot, { Content.store(newValue, in: slot) }) { Graph.noteChange(of: slot) }
      } else {
        writeJudged(index, newValue)
      }
    }
  }

  private func index<Content>(of key: ViewKey<Content>) -> Int? {
    guard let known = key.known else { return shape.index(of: key.name) }
    return viewClass.index(of: known)
  }

  private func writeJudged<Content: PropertyValue>(_ index: Int, _ content: Content) {
    let scratch = graph.makeSource(.null)
    defer { graph.dispose(scratch) }
    Content.store(content, in: scratch)
    do { try write(index, scratch.load()) } catch { report(error) }
  }

  /// Reads a property without recording the read: for layout and drawing.
  final func peek<Content: PropertyValue>(_ property: ViewProperty, as: Content.Type) -> Content {
    guard let index = viewClass.index(of: property) else { return Content.load(header) }
    return Content.load(slot(index))
  }

  final func flag(_ property: ViewProperty) -> Bool { peek(property, as: Bool.self) }
  final func text(_ property: ViewProperty) -> String { peek(property, as: String.self) }

  /// Writes a property for the program, whatever scripts may write there.
  final func put(_ property: ViewProperty, _ value: Value) {
    guard let index = viewClass.index(of: property) else { return }
    _ = try? store(index, value, settling: true)
  }
}

extension ViewKey where Content == String? {
  public static var source: Self { Self(.source) }
  public static var id: Self { Self(.id) }
  public static var error: Self { Self(.error) }
  public static var sort: Self { Self(.sort) }
  public static var childrenPath: Self { Self(.childrenPath) }
  public static var tooltip: Self { Self(.tooltip) }
  public static var textColor: Self { Self(.textColor) }
  public static var backgroundColor: Self { Self(.backgroundColor) }
}

extension ViewKey where Content == String {
  public static var align: Self { Self(.align) }
  public static var title: Self { Self(.title) }
  public static var text: Self { Self(.text) }
  public static var placeholder: Self { Self(.placeholder) }
  public static var kind: Self { Self(.kind) }
  public static var axis: Self { Self(.axis) }
}

extension ViewKey where Content == Bool? {
  public static var scale: Self { Self(.scale) }
}

extension ViewKey where Content == Int? {
  public static var points: Self { Self(.points) }
  public static var tag: Self { Self(.tag) }
  public static var maxLength: Self { Self(.maxLength) }
  public static var selectedIndex: Self { Self(.selectedIndex) }
  public static var index: Self { Self(.index) }
}

extension ViewKey where Content == Bool {
  public static var isAnimating: Self { Self(.isAnimating) }
  public static var hidden: Self { Self(.hidden) }
  public static var enabled: Self { Self(.enabled) }
  public static var focusable: Self { Self(.focusable) }
  public static var focused: Self { Self(.focused) }
  public static var bold: Self { Self(.bold) }
  public static var italic: Self { Self(.italic) }
  public static var underline: Self { Self(.underline) }
  public static var wrap: Self { Self(.wrap) }
  public static var truncate: Self { Self(.truncate) }
  public static var secure: Self { Self(.secure) }
  public static var editable: Self { Self(.editable) }
  public static var selected: Self { Self(.selected) }
  public static var isOn: Self { Self(.isOn) }
  public static var modal: Self { Self(.modal) }
}

extension ViewKey where Content == Double? {
  public static var width: Self { Self(.width) }
  public static var height: Self { Self(.height) }
  public static var minWidth: Self { Self(.minWidth) }
  public static var maxWidth: Self { Self(.maxWidth) }
  public static var rowHeight: Self { Self(.rowHeight) }
  public static var itemWidth: Self { Self(.itemWidth) }
  public static var minimum: Self { Self(.minimum) }
  public static var maximum: Self { Self(.maximum) }
  public static var position: Self { Self(.position) }
}

extension ViewKey where Content == Double {
  public static var grow: Self { Self(.grow) }
  public static var spacing: Self { Self(.spacing) }
  public static var value: Self { Self(.value) }
  public static var scrollX: Self { Self(.scrollX) }
  public static var scrollY: Self { Self(.scrollY) }
}

extension ViewKey where Content == Value {
  public static var key: Self { Self(.key) }
  public static var dataObject: Self { Self(.dataObject) }
  public static var padding: Self { Self(.padding) }
  public static var margin: Self { Self(.margin) }
  public static var style: Self { Self(.style) }
  public static var items: Self { Self(.items) }
  public static var labels: Self { Self(.labels) }
  public static var values: Self { Self(.values) }
  public static var columns: Self { Self(.columns) }
  public static var titles: Self { Self(.titles) }
  public static var selectedObject: Self { Self(.selectedObject) }
}
