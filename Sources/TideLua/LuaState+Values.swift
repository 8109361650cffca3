import CTideLua
import TideValues

// Converts values between Swift and the shim.

extension UnsafeBufferPointer where Element == UInt8 {
  /// The bytes as a C string; never nil, because C must not compare null pointers of empty strings.
  var cString: UnsafePointer<CChar> {
    guard let baseAddress, count > 0 else { return emptyText }
    return UnsafeRawPointer(baseAddress).assumingMemoryBound(to: CChar.self)
  }
}

/// The address used for empty strings, which have none of their own.
private var emptyText: UnsafePointer<CChar> {
  let empty: StaticString = ""
  return UnsafeRawPointer(empty.utf8Start).assumingMemoryBound(to: CChar.self)
}

extension LuaState {
  /// Converts a value from the shim, and takes over its reference.
  func take(_ value: TideValue) -> LuaValue {
    switch Int(value.tag) {
    case TIDE_LUA_TABLE: .table(LuaTable(taking: value.reference, in: self))
    case TIDE_LUA_FUNCTION: .function(LuaFunction(taking: value.reference, in: self))
    case TIDE_LUA_THREAD: .thread(LuaThread(taking: value.reference, in: self))
    case TIDE_LUA_USERDATA: .userdata(LuaUserdata(taking: value.reference, in: self))
    default: LuaValue(scalar: value)
    }
  }

  /// Reads all results and ends the frame, or throws the call's error.
  func all(_ status: Int32, _ frame: inout TideFrame) throws(LuaError) -> [LuaValue] {
    guard status != TIDE_FAILED else { throw error(ending: &frame) }
    var values: [LuaValue] = []
    values.reserveCapacity(Int(frame.count))
    if frame.count == 1 {
      values.append(try result(0, &frame))
    } else {
      try gather { () throws(LuaError) in
        for index in 0..<frame.count { values.append(try result(index, &frame)) }
      }
    }
    tide_frame_end(raw, &frame)
    return values
  }

  /// Reads several values that are held together. The remaining memory must suffice for copies of
  /// all their strings.
  package func gather<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = tide_gather_begin(raw)
    defer { tide_gather_end(raw, before) }
    return try body()
  }

  /// Counts gathered bytes other than strings.
  package func noteGathered(_ bytes: Int) { tide_gather_note(raw, UInt64(bytes)) }

  /// Reads the first result and ends the frame, or throws the call's error.
  func one(_ status: Int32, _ frame: inout TideFrame) throws(LuaError) -> LuaValue {
    guard status != TIDE_FAILED else { throw error(ending: &frame) }
    let value = try result(0, &frame)
    tide_frame_end(raw, &frame)
    return value
  }

  func none(_ status: Int32, _ frame: inout TideFrame) throws(LuaError) {
    guard status != TIDE_FAILED else { throw error(ending: &frame) }
    tide_frame_end(raw, &frame)
  }

  /// Reads one result; ends the frame and throws if memory is exhausted.
  func result(_ index: UInt32, _ frame: inout TideFrame) throws(LuaError) -> LuaValue {
    var value = TideValue()
    guard tide_frame_value(raw, &frame, index, &value) == TIDE_OK else {
      tide_frame_end(raw, &frame)
      throw .memory
    }
    return take(value)
  }

  /// Passes the shim's representation of values, which is valid during the call.
  ///
  /// - Throws: `LuaError` of kind `memory` if there is not enough memory to copy their strings.
  func withArguments<Result>(
    _ values: [LuaValue], _ body: (UnsafePointer<TideValue>?, UInt32) -> Result
  ) throws(LuaError) -> Result {
    if values.isEmpty { return body(nil, 0) }
    var textBytes = 0
    for value in values { textBytes += value.textCount }
    if _slowPath(textBytes > 1 << 16), !tide_memory_fits(raw, UInt64(textBytes)) { throw .memory }
    return withUnsafeTemporaryAllocation(of: TideValue.self, capacity: values.count) { cells in
      withUnsafeTemporaryAllocation(byteCount: max(textBytes, 1), alignment: 1) { text in
        var rest = text[...]
        for (index, value) in values.enumerated() {
          cells.initializeElement(at: index, to: TideValue(value, of: pool, copyingTextTo: &rest))
        }
        // The values' references must outlive the call.
        return withExtendedLifetime(values) { body(cells.baseAddress, UInt32(values.count)) }
      }
    }
  }
}

extension LuaValue {
  /// A value without a reference.
  init(scalar value: TideValue) {
    switch Int(value.tag) {
    case TIDE_LUA_BOOLEAN: self = .boolean(value.integer != 0)
    case TIDE_LUA_INTEGER: self = .integer(Int(value.integer))
    case TIDE_LUA_NUMBER: self = .number(value.number)
    case TIDE_LUA_TEXT: self.init(text: value.bytes, count: Int(value.count))
    case TIDE_LUA_OBJECT: self = .object(LuaObject(value.slot))
    default: self = .nil
    }
  }

  init(text: UnsafePointer<CChar>?, count: Int) {
    let bytes = UnsafeRawBufferPointer(start: text, count: count)
    self = String(exactly: bytes).map { .string($0) } ?? .bytes(Array(bytes))
  }

  package var textCount: Int {
    switch self {
    case .string(let string): string.utf8.count
    case .bytes(let bytes): bytes.count
    default: 0
    }
  }
}

extension String {
  /// Decodes arbitrary bytes, like `String(repairing:)`.
  ///
  /// - Throws: `LuaError` of kind `time` or `memory` if the turn's budget is exceeded.
  init(repairingInTurn bytes: UnsafeRawBufferPointer) throws(LuaError) {
    do throws(WorkError) {
      self = try String(repairing: bytes)
    } catch {
      switch error {
      case .time: throw LuaError(.time, "the turn took too long")
      case .memory: throw .memory
      }
    }
  }
}

extension TideValue {
  init(tag: Int) {
    self.init()
    self.tag = UInt32(tag)
  }

  private init(tag: Int, _ reference: LuaReference, of pool: ReferencePool?) {
    self.init(tag: reference.pool === pool ? tag : TIDE_LUA_OTHER_STATE)
    self.reference = reference.id
  }

  init(text: UnsafePointer<CChar>, count: Int) {
    self.init(tag: TIDE_LUA_TEXT)
    bytes = text
    self.count = UInt32(clamping: count)
  }

  init(
    _ value: LuaValue, of pool: ReferencePool,
    copyingTextTo rest: inout Slice<UnsafeMutableRawBufferPointer>
  ) {
    switch value {
    case .string(let string): self.init(copying: string.utf8, to: &rest)
    case .bytes(let bytes): self.init(copying: bytes, to: &rest)
    default: self.init(withoutText: value, of: pool)
    }
  }

  /// The value as a cell for the pool's state, without strings; without a pool, only values that
  /// hold no reference.
  init(withoutText value: LuaValue, of pool: ReferencePool?) {
    switch value {
    case .nil, .string, .bytes: self.init(tag: TIDE_LUA_NIL)
    case .boolean(let flag):
      self.init(tag: TIDE_LUA_BOOLEAN)
      integer = flag ? 1 : 0
    case .integer(let amount):
      self.init(tag: TIDE_LUA_INTEGER)
      integer = Int64(amount)
    case .number(let amount):
      self.init(tag: TIDE_LUA_NUMBER)
      number = amount
    case .table(let table): self.init(tag: TIDE_LUA_TABLE, table, of: pool)
    case .function(let function): self.init(tag: TIDE_LUA_FUNCTION, function, of: pool)
    case .thread(let thread): self.init(tag: TIDE_LUA_THREAD, thread, of: pool)
    case .userdata(let userdata): self.init(tag: TIDE_LUA_USERDATA, userdata, of: pool)
    case .object(let object):
      let tag = object.isGiven ? TIDE_LUA_GIVEN : TIDE_LUA_OBJECT
      self.init(tag: object.isAlive ? tag : TIDE_LUA_NIL)
      if object.isAlive { slot = object.header }
    }
  }

  private init(
    copying source: some Collection<UInt8>, to rest: inout Slice<UnsafeMutableRawBufferPointer>
  ) {
    let target = UnsafeMutableRawBufferPointer(rebasing: rest)
    target.copyBytes(from: source)
    rest = rest.dropFirst(source.count)
    let start = target.baseAddress.map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }
    if let start {
      self.init(text: start, count: source.count)
    } else {
      self.init(text: emptyText, count: 0)
    }
  }
}
