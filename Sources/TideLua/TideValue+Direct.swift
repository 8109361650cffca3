import CTideLua
public import TideValues

// Conversions between Swift types' values and the shim's cells. Scalars and strings, the most
// frequent arguments and results, are converted without a `LuaValue`.

extension TideValue {
  /// The cell of a scalar value; nil for strings and objects.
  @inline(__always)
  init?(plain value: Value) {
    switch value {
    case .integer(let amount):
      self.init(tag: TIDE_LUA_INTEGER)
      integer = Int64(amount)
    case .number(let amount):
      self.init(tag: TIDE_LUA_NUMBER)
      number = amount
    case .boolean(let flag):
      self.init(tag: TIDE_LUA_BOOLEAN)
      integer = flag ? 1 : 0
    case .null: self.init(tag: TIDE_LUA_NIL)
    case .string, .bytes, .object: return nil
    }
  }

  /// The value of a cell without a reference or an object; nil for others. Copies strings.
  @inline(__always)
  var plain: Value? {
    switch Int(tag) {
    case TIDE_LUA_INTEGER: return .integer(Int(integer))
    case TIDE_LUA_NUMBER: return .number(number)
    case TIDE_LUA_BOOLEAN: return .boolean(integer != 0)
    case TIDE_LUA_NIL: return .null
    case TIDE_LUA_TEXT:
      let text = UnsafeRawBufferPointer(start: bytes, count: Int(count))
      return String(exactly: text).map { .string($0) } ?? .bytes(Array(text))
    default: return nil
    }
  }
}

extension TideValue {
  /// The cell's value if it has exactly this type and needs no conversion; nil otherwise.
  @inline(__always)
  func exactly<Content>(_ type: Content.Type) -> Content? {
    switch Int(tag) {
    case TIDE_LUA_NUMBER where type == Double.self: return unsafeBitCast(number, to: type)
    case TIDE_LUA_INTEGER where type == Int.self: return unsafeBitCast(Int(integer), to: type)
    case TIDE_LUA_BOOLEAN where type == Bool.self: return unsafeBitCast(integer != 0, to: type)
    case TIDE_LUA_TEXT where type == String.self:
      let text = UnsafeRawBufferPointer(start: bytes, count: Int(count))
      return String(exactly: text).map { unsafeBitCast($0, to: type) }
    default: return nil
    }
  }
}

extension LuaCall {
  /// An argument as a Swift value; a missing one is nil.
  ///
  /// - Throws: errors of the conversion.
  func converted<Content: TideConvertible>(_ index: Int, as type: Content.Type) throws -> Content {
    var cell = TideValue()
    switch Int(tide_call_read(raw, Int32(index), &cell)) {
    case TIDE_OK:
      if let content = cell.exactly(type) { return content }
      if let value = cell.plain { return try Content.from(value) }
      return try Content.fromLua(state.take(cell))
    case TIDE_TOO_DEEP: throw LuaError(.depth, "stack overflow")
    default: throw LuaError.memory
    }
  }

  /// Adds a result.
  ///
  /// - Throws: errors of the conversion.
  func addResult(_ value: Value) throws {
    if let plain = TideValue(plain: value) {
      if let cell = tide_call_add_result(raw) { cell.pointee = plain }
    } else if case .string(let text) = value {
      self.return(text)
    } else {
      self.return(try state.lower(value))
    }
  }
}

/// The arguments of a call from Swift, if they are few and their strings short; stored inline
/// without heap allocation.
@usableFromInline struct DirectArguments {
  private typealias Cells = (TideValue, TideValue, TideValue, TideValue)
  private typealias Text = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  private var cells: Cells = (TideValue(), TideValue(), TideValue(), TideValue())
  private var count = 0
  // A string's cell contains an offset into `text` until the call.
  private var text: Text = (0, 0, 0, 0, 0, 0, 0, 0)
  private var used = 0
  /// The frame of a call whose result has not been read yet.
  fileprivate var frame = TideFrame()

  @usableFromInline init() {}

  /// Adds an argument. Returns false if there is no room, or if it cannot be passed by copying.
  @inline(__always)
  mutating func add(_ value: Value) -> Bool {
    if let cell = TideValue(plain: value) { return add(cell) }
    guard case .string(let string) = value else { return false }
    return add(string)
  }

  @usableFromInline mutating func add(_ number: Double) -> Bool {
    var cell = TideValue(tag: TIDE_LUA_NUMBER)
    cell.number = number
    return add(cell)
  }

  @usableFromInline mutating func add(_ integer: Int) -> Bool {
    var cell = TideValue(tag: TIDE_LUA_INTEGER)
    cell.integer = Int64(integer)
    return add(cell)
  }

  @usableFromInline mutating func add(_ flag: Bool) -> Bool {
    var cell = TideValue(tag: TIDE_LUA_BOOLEAN)
    cell.integer = flag ? 1 : 0
    return add(cell)
  }

  @usableFromInline mutating func add(_ string: String) -> Bool {
    var string = string
    let offset = used
    let length = withUnsafeMutableBytes(of: &text) { room in
      string.withUTF8 { utf8 -> Int? in
        guard utf8.count <= room.count - offset else { return nil }
        UnsafeMutableRawBufferPointer(rebasing: room[offset...]).copyBytes(from: utf8)
        return utf8.count
      }
    }
    guard let length else { return false }
    used += length
    var cell = TideValue(tag: TIDE_LUA_TEXT)
    cell.integer = Int64(offset)
    cell.count = UInt32(length)
    return add(cell)
  }

  @inline(__always)
  private mutating func add(_ cell: TideValue) -> Bool {
    switch count {
    case 0: cells.0 = cell
    case 1: cells.1 = cell
    case 2: cells.2 = cell
    case 3: cells.3 = cell
    default: return false
    }
    count += 1
    return true
  }

  /// Adds an argument of any type.
  ///
  /// - Throws: `LuaError` if Lua cannot represent it.
  @usableFromInline mutating func add<Argument: TideConvertible>(
    converting argument: Argument, _ number: Int
  ) throws -> Bool {
    do { return add(try argument.toValue()) } catch let error as ValueMismatch {
      throw LuaError(.runtime, "bad argument #\(number) (\(error))")
    }
  }

  /// Calls a function with the arguments, and reads its first result if it is a number or boolean.
  /// The frame has then ended; otherwise it is still open.
  mutating func call(
    _ function: LuaFunction, reading result: inout TideValue, _ frame: inout TideFrame
  ) -> Int32 {
    let count = count
    return withUnsafeBytes(of: &text) { text in
      withUnsafeMutableBytes(of: &cells) { cells in
        guard let start = text.baseAddress else { return Int32(TIDE_FAILED) }
        let cells = cells.assumingMemoryBound(to: TideValue.self)
        for index in 0..<count where cells[index].tag == UInt32(TIDE_LUA_TEXT) {
          let text = start + Int(cells[index].integer)
          cells[index].bytes = text.assumingMemoryBound(to: CChar.self)
        }
        return tide_call_reading(
          function.machine, function.id, UnsafePointer(cells.baseAddress), UInt32(count), &result,
          &frame)
      }
    }
  }
}

extension LuaFunction {
  /// Calls the function and converts its first result, which is nil if there is none.
  ///
  /// - Throws: `LuaError`, also if Lua cannot represent an argument, or if the result does not fit.
  @usableFromInline
  func firstResult<
    each Argument: TideConvertible, Result: TideConvertible
  >(
    of arguments: repeat each Argument, as type: Result.Type
  ) throws -> Result {
    var frame = TideFrame(), direct = DirectArguments(), result = TideValue()
    var isDirect = true, number = 0
    for argument in repeat each arguments {
      number += 1
      isDirect = try direct.add(converting: argument, number)
      if !isDirect { break }
    }
    let status: Int32
    if isDirect {
      status = direct.call(self, reading: &result, &frame)
      if status == TIDE_OK, let value = scalar(result).value {
        return try DirectResult(plain: value).converted()
      }
    } else {
      let state = try open()
      status = try state.withArguments(try state.lower(repeat each arguments)) { values, count in
        tide_call(machine, id, values, count, &frame)
      }
    }
    return try rest(status, &frame).converted()
  }

  /// Calls the function with the arguments. If it returns `other`, the frame is open, and `rest`
  /// reads the result.
  ///
  /// - Throws: `LuaError`.
  @usableFromInline func scalar(of arguments: inout DirectArguments) throws -> DirectScalar {
    var frame = TideFrame(), result = TideValue()
    let status = arguments.call(self, reading: &result, &frame)
    guard status != TIDE_FAILED else { throw error(ending: &frame) }
    let scalar = scalar(result)
    if case .other = scalar { arguments.frame = frame }
    return scalar
  }

  /// Reads the result of a call for which `scalar` returned `other`, and ends the frame.
  ///
  /// - Throws: `LuaError`.
  @usableFromInline func rest(of arguments: inout DirectArguments) throws -> DirectResult {
    try rest(Int32(TIDE_OK), &arguments.frame)
  }

  @inline(__always)
  private func scalar(_ result: TideValue) -> DirectScalar {
    switch Int(result.tag) {
    case TIDE_LUA_NUMBER: .number(result.number)
    case TIDE_LUA_INTEGER: .integer(Int(result.integer))
    case TIDE_LUA_BOOLEAN: .flag(result.integer != 0)
    default: .other
    }
  }

  private func rest(_ status: Int32, _ frame: inout TideFrame) throws -> DirectResult {
    guard status != TIDE_FAILED else { throw error(ending: &frame) }
    let isMissing = frame.count == 0
    var cell = TideValue()
    guard tide_frame_value(machine, &frame, 0, &cell) == TIDE_OK else {
      tide_frame_end(machine, &frame)
      throw LuaError.memory
    }
    if let plain = cell.plain {
      tide_frame_end(machine, &frame)
      return DirectResult(plain: plain, isMissing: isMissing)
    }
    // Takes over the reference before the frame that holds the value ends.
    let value = pool.state?.take(cell)
    tide_frame_end(machine, &frame)
    guard let value else { throw LuaError.closed }
    return DirectResult(value: value)
  }
}

/// The first result of a call from Swift: a number, a boolean, or `other` for any other value.
@usableFromInline @frozen enum DirectScalar: BitwiseCopyable, Sendable {
  case number(Double), integer(Int), flag(Bool), other

  @usableFromInline var value: Value? {
    switch self {
    case .number(let number): .number(number)
    case .integer(let integer): .integer(integer)
    case .flag(let flag): .boolean(flag)
    case .other: Optional.none
    }
  }
}

/// The first result of a call from Swift.
@usableFromInline struct DirectResult {
  /// The value, if it is plain.
  @usableFromInline let plain: Value?
  /// Otherwise the Lua value.
  private let value: LuaValue?
  private let isMissing: Bool

  @usableFromInline init(plain: Value) { self.init(plain: plain, isMissing: false) }

  fileprivate init(plain: Value, isMissing: Bool) {
    self.plain = plain
    self.isMissing = isMissing
    value = nil
  }

  fileprivate init(value: LuaValue) {
    self.value = value
    plain = Optional.none
    isMissing = false
  }

  /// The result as a Swift value.
  ///
  /// - Throws: `LuaError` if it does not fit.
  @usableFromInline func converted<Result: TideConvertible>() throws -> Result {
    do {
      if let plain { return try Result.from(plain) }
      guard let value else { throw LuaError.closed }
      return try Result.fromLua(value)
    } catch {
      let found = isMissing ? "no value" : plain?.kindName ?? value?.typeName ?? "nil"
      guard let reason = ValueMismatch.reason(error, of: found) else { throw error }
      throw LuaError(.runtime, "bad result #1 (\(reason))")
    }
  }
}
