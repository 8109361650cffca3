package import CTideLua

/// A data object as a script holds it: the header of its block in the graph's memory.
///
/// ```swift
/// if let object = value.object { print(object.isAlive) }
/// ```
///
/// It does not keep the object alive, so look at it before anything else can happen.
public struct LuaObject: Equatable {
  package let header: UnsafeMutablePointer<TideSlot>
  let generation: UInt32
  /// Whether scripts are to keep it alive, whoever made it.
  package var isGiven = false

  package init(_ header: UnsafeMutablePointer<TideSlot>) {
    self.header = header
    generation = header.pointee.generation
  }

  /// Whether both stand for the same object; what came to its memory later is another one.
  public static func == (left: LuaObject, right: LuaObject) -> Bool {
    left.header == right.header && left.generation == right.generation
  }

  /// Whether the object still exists.
  public var isAlive: Bool { header.pointee.generation == generation }
}
