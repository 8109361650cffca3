/// Turns the view tree into a medium, and what people do there into input for the tree.
///
/// A renderer gets the scene once and afterwards only what changed. For every conformer this holds:
///
/// ```swift
/// let scene = try Scene(root: label)
/// try scene.mount(renderer)          // draws everything once
/// label[.text] = "new"
/// try scene.commit()                 // renderer.render(changes) with changes.views == [label]
/// try scene.commit()                 // nothing changed: the renderer is not called
/// try scene.send(.key(Key("a")))     // input goes in here, whoever calls it
/// scene.unmount()                    // renderer.unmount(), once
/// ```
///
/// The event loop belongs to whoever runs the scene; a renderer that reads a file descriptor says
/// which, and is asked to read when there is something.
public protocol Renderer: AnyObject {
  /// Takes the medium, and says its size with `scene.resize`. The first `render` follows.
  func mount(_ scene: Scene) throws
  /// Shows what changed since the last call.
  func render(_ changes: Changes) throws
  /// Gives the medium back as it was. Called once, also after an error.
  func unmount()

  /// Where input arrives; nil when there is none to wait for.
  var inputDescriptor: Int32? { get }
  /// Takes what has arrived, without waiting, and sends it to the scene.
  func readInput()
}

extension Renderer {
  public var inputDescriptor: Int32? { nil }
  public func readInput() {}
}
