package import CTideLua

/// A data object as a script holds it: the header of its block in the graph's memory.
///
/// It does not keep the object alive, so look at it before anything else can happen.
public struct LuaObject: Equatable {
  package let header: UnsafeMutablePointer<TideSlot>
  let generation: UInt32

  package init(_ header: UnsafeMutablePointer<TideSlot>) {
    self.header = header
    generation = header.pointee.generation
  }

  /// Whether the object still exists.
  public var isAlive: Bool { header.pointee.generation == generation }
}
