package import CTideLua

/// A data object held by a script: the header of its block in the graph's memory.
///
/// ```swift
/// if let object = value.object { print(object.isAlive) }
/// ```
///
/// It does not retain the object, so use it immediately.
public struct LuaObject: Equatable {
  package let header: UnsafeMutablePointer<TideSlot>
  let generation: UInt32
  /// Whether scripts retain the object, regardless of who created it.
  package var isGiven = false

  package init(_ header: UnsafeMutablePointer<TideSlot>) {
    self.header = header
    generation = header.pointee.generation
  }

  /// Whether both refer to the same object; a later object at the same address is different.
  public static func == (left: LuaObject, right: LuaObject) -> Bool {
    left.header == right.header && left.generation == right.generation
  }

  /// Whether the object still exists.
  public var isAlive: Bool { header.pointee.generation == generation }
}
