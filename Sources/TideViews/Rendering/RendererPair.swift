/// Two renderers that show the same scene, such as a terminal and pages.
///
/// ```swift
/// try scene.mount(RendererPair(terminal, pages))
/// ```
///
/// The first renderer determines the size of the frame and is polled for input; both may send input
/// to the scene.
package final class RendererPair: InteractiveRenderer {
  private let first: any InteractiveRenderer
  private let second: any InteractiveRenderer
  /// Called before the first renderer reads input.
  package var beforeInput: () -> Void = {}

  package init(_ first: any InteractiveRenderer, _ second: any InteractiveRenderer) {
    self.first = first
    self.second = second
  }

  package func mount(_ scene: Scene) throws {
    try second.mount(scene)
    try first.mount(scene)
  }

  package func render(_ changes: Changes) throws {
    try second.render(changes)
    try first.render(changes)
  }

  package func replace(_ pairs: [(old: View, new: View)]) {
    first.replace(pairs)
    second.replace(pairs)
  }

  package func notify(_ text: String) {
    first.notify(text)
    second.notify(text)
  }

  package func finishTurn() {
    second.finishTurn()
    first.finishTurn()
  }

  package func unmount() {
    first.unmount()
    second.unmount()
  }

  package var showsProperties: Bool { first.showsProperties || second.showsProperties }
  package var inputDescriptor: Int32? { first.inputDescriptor }
  package func readInput() {
    beforeInput()
    first.readInput()
  }

  package var onUnhandled: (InputEvent) -> Void {
    get { first.onUnhandled }
    set { (first.onUnhandled, second.onUnhandled) = (newValue, newValue) }
  }

  package var onQuit: (Int32) -> Void {
    get { first.onQuit }
    set { (first.onQuit, second.onQuit) = (newValue, newValue) }
  }
}
