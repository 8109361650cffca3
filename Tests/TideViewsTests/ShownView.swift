import Testing
import TideBindings
import TideViews

/// A view shown by a text renderer, as most tests want it.
///
/// Whenever a test looks at what is shown, the invariants of the scene are checked as well.
struct ShownView {
  let scene: Scene
  let renderer = TextRenderer()
  private let isChecked: Bool

  /// - Parameter isChecked: false for trees so large that only the end of a test checks them.
  init(_ root: View, _ width: Int, _ height: Int, isChecked: Bool = true) throws {
    self.isChecked = isChecked
    scene = try Scene(root: root, size: Size(width: width, height: height))
    try scene.mount(renderer)
  }

  /// What is shown once all changes are.
  var text: String {
    get throws {
      try commit()
      return renderer.text
    }
  }

  var lines: [String] {
    get throws {
      try commit()
      return renderer.lines
    }
  }

  /// Draws what has changed, and checks the scene.
  func commit() throws {
    try scene.commit()
    if isChecked { expectSound() }
  }

  func expectSound() {
    let broken = scene.brokenInvariants()
    #expect(broken.isEmpty, "\(broken.prefix(5).joined(separator: "; "))")
  }

  func press(_ keys: String) throws { try scene.send(keys: keys) }

  /// Presses keys, and expects a value after each.
  func expect<Value: Equatable>(
    _ value: @autoclosure () -> Value, after keys: KeyValuePairs<String, Value>,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    for (key, expected) in keys {
      try press(key)
      let found = value()
      #expect(found == expected, "after \(key)", sourceLocation: sourceLocation)
    }
  }

  func type(_ text: String) {
    for character in text { scene.send(.key(Key(character))) }
  }

  func click(_ x: Int, _ y: Int) {
    scene.send(.mouse(MouseEvent(.press(.left), at: Point(x: x, y: y))))
    scene.send(.mouse(MouseEvent(.release(.left), at: Point(x: x, y: y))))
  }
}

/// A model with a name, and perhaps another one.
final class Thing: DataObject {
  @Property var name = ""

  init(_ name: String) {
    super.init()
    self.name = name
  }
}
