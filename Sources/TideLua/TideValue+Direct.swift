import CTideLua

// The types that most arguments and results have go between Swift and the shim as they are: by way
// of `LuaValue` and `Value` a number takes several times as long. What is not of the plain kind
// that the type expects is left to the conversions, which decide and tell why.

extension TideValue {
  /// The value of a number, an integer or a boolean; nil for other types.
  @inline(__always)
  init?<Content>(direct content: Content) {
    if Content.self == Int.self {
      self.init(tag: TIDE_LUA_INTEGER)
      integer = Int64(unsafeBitCast(content, to: Int.self))
    } else if Content.self == Double.self {
      self.init(tag: TIDE_LUA_NUMBER)
      number = unsafeBitCast(content, to: Double.self)
    } else if Content.self == Bool.self {
      self.init(tag: TIDE_LUA_BOOLEAN)
      integer = unsafeBitCast(content, to: Bool.self) ? 1 : 0
    } else {
      return nil
    }
  }

  /// The content of a type that it is as it stands; nil where a conversion has to decide.
  @inline(__always)
  func direct<Content>(as type: Content.Type) -> Content? {
    if Content.self == Int.self {
      guard tag == UInt32(TIDE_LUA_INTEGER) else { return nil }
      return unsafeBitCast(Int(integer), to: Content.self)
    }
    if Content.self == Double.self {
      guard tag == UInt32(TIDE_LUA_NUMBER) else { return nil }
      return unsafeBitCast(number, to: Content.self)
    }
    if Content.self == Bool.self {
      guard tag == UInt32(TIDE_LUA_BOOLEAN) else { return nil }
      return unsafeBitCast(integer != 0, to: Content.self)
    }
    if Content.self == String.self {
      guard tag == UInt32(TIDE_LUA_TEXT) else { return nil }
      return String(exactly: UnsafeRawBufferPointer(start: bytes, count: Int(count))).map {
        unsafeBitCast($0, to: Content.self)
      }
    }
    return nil
  }
}

extension LuaCall {
  /// An argument as a Swift value, nil when it is missing.
  ///
  /// - Throws: what the conversion does.
  func converted<Content: TideConvertible>(_ index: Int, as type: Content.Type) throws -> Content {
    var cell = TideValue()
    switch Int(tide_call_read(raw, Int32(index), &cell)) {
    case TIDE_OK:
      if let content = cell.direct(as: Content.self) { return content }
      return try Content.fromLua(state.take(cell))
    case TIDE_TOO_DEEP: throw LuaError(.depth, "stack overflow")
    default: throw LuaError.memory
    }
  }

  /// Adds a result of a type that needs no conversion; false for others.
  @inline(__always)
  func returnsDirectly<Content>(_ content: Content) -> Bool {
    if let value = TideValue(direct: content) {
      if let cell = tide_call_add_result(raw) { cell.pointee = value }
      return true
    }
    if Content.self == String.self {
      self.return(unsafeBitCast(content, to: String.self))
      return true
    }
    return false
  }
}

extension LuaFunction {
  // As many arguments and bytes of text as are passed without memory of their own.
  private static var directCount: Int { 8 }
  private static var directBytes: Int { 256 }

  /// Calls it with arguments that need no conversion; nil where one does.
  @inline(__always)
  func statusOfDirectCall<each Argument>(
    _ arguments: repeat each Argument, frame: inout TideFrame
  ) -> Int32? {
    withUnsafeTemporaryAllocation(of: TideValue.self, capacity: Self.directCount) { cells in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.directBytes) { text in
        var count = 0, used = 0
        for argument in repeat each arguments {
          guard count < cells.count else { return nil }
          guard
            let cell = TideValue(direct: argument)
              ?? TideValue(directText: argument, in: text, &used)
          else { return nil }
          cells.initializeElement(at: count, to: cell)
          count += 1
        }
        return tide_call(machine, id, UnsafePointer(cells.baseAddress), UInt32(count), &frame)
      }
    }
  }

  /// Takes the first result of a call, which is nil where there is none, and ends the frame.
  ///
  /// - Throws: `LuaError` of the call, or for a result that does not fit.
  func firstResult<Result: TideConvertible>(
    _ status: Int32, _ frame: inout TideFrame, as type: Result.Type
  ) throws -> Result {
    guard status != TIDE_FAILED else { throw error(ending: &frame) }
    let isMissing = frame.count == 0
    var cell = TideValue()
    if !isMissing {
      guard tide_frame_value(machine, &frame, 0, &cell) == TIDE_OK else {
        tide_frame_end(machine, &frame)
        throw LuaError.memory
      }
      if let result = cell.direct(as: Result.self) {
        tide_frame_end(machine, &frame)
        return result
      }
    }
    guard let state = pool.state else {
      tide_frame_end(machine, &frame)
      throw LuaError.closed
    }
    let value = isMissing ? LuaValue.nil : state.take(cell)
    tide_frame_end(machine, &frame)
    return try (isMissing ? [] : [value]).converted(at: 0)
  }
}

extension TideValue {
  /// A text that is copied to a buffer; nil for other types and where there is no room.
  @inline(__always)
  fileprivate init?<Content>(
    directText content: Content, in buffer: UnsafeMutableBufferPointer<UInt8>, _ used: inout Int
  ) {
    guard Content.self == String.self else { return nil }
    var string = unsafeBitCast(content, to: String.self)
    let offset = used
    let count = string.withUTF8 { utf8 -> Int? in
      guard utf8.count <= buffer.count - offset else { return nil }
      UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[offset...])
        .copyBytes(from: utf8)
      return utf8.count
    }
    guard let count, let start = buffer.baseAddress else { return nil }
    used += count
    self.init(
      text: UnsafeRawPointer(start + offset).assumingMemoryBound(to: CChar.self), count: count)
  }
}
