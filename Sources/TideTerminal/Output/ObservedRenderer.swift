package import TideViews

/// A renderer that also passes each frame to a function, for instance to record it.
///
/// ```swift
/// let loop = AppLoop(runtime, ObservedRenderer(terminal) { changes in record(changes.frame) })
/// ```
package final class ObservedRenderer: Renderer {
  private let renderer: any Renderer
  private let onFrame: (Changes) -> Void

  package init(_ renderer: any Renderer, onFrame: @escaping (Changes) -> Void) {
    self.renderer = renderer
    self.onFrame = onFrame
  }

  package func mount(_ scene: Scene) throws { try renderer.mount(scene) }

  package func render(_ changes: Changes) throws {
    try renderer.render(changes)
    onFrame(changes)
  }

  package func replace(_ pairs: [(old: View, new: View)]) { renderer.replace(pairs) }
  package func notify(_ text: String) { renderer.notify(text) }
  package func finishTurn() { renderer.finishTurn() }
  package func unmount() { renderer.unmount() }
  package var showsProperties: Bool { renderer.showsProperties }
  package var inputDescriptor: Int32? { renderer.inputDescriptor }
  package func readInput() { renderer.readInput() }
}
