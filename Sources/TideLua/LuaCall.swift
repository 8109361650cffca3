package import CTideLua
import TideValues

/// A call of a Swift function by a script: its arguments, counted from 0, and its results.
///
/// ```swift
/// try state.function(named: "add") { call in
///   call.return(try call.number(0) + call.number(1))
/// }
/// ```
///
/// Arguments are read on demand; throwing getters use Lua's wording ("bad argument #1 to 'add'
/// (number expected, got nil)").
public struct LuaCall: ~Copyable {
  package let raw: UnsafeMutablePointer<TideCall>
  // Unowned, because the running call's caller retains the state.
  /// The state that calls the function, for creating values in its body. Do not capture it in the
  /// function: that would be a retain cycle.
  public unowned(unsafe) let state: LuaState

  private unowned(unsafe) let function: FunctionBox?

  package init(_ raw: UnsafeMutablePointer<TideCall>, in state: LuaState) {
    self.init(raw, in: state, of: nil)
  }

  init(_ raw: UnsafeMutablePointer<TideCall>, in state: LuaState, of function: FunctionBox?) {
    self.raw = raw
    self.state = state
    self.function = function
  }

  /// The number of arguments.
  public var count: Int { Int(raw.pointee.count) }

  /// The location of the calling line.
  public var location: LuaLocation? { location(level: 1) }

  /// The location of a caller: level 1 is the caller of this function, level 2 the caller of that
  /// one, and so on.
  public func location(level: Int) -> LuaLocation? {
    var line: Int32 = 0
    return LuaLocation(tide_call_location(raw, Int32(clamping: level), &line), line)
  }

  /// The name by which the caller calls this function, or else the name with which it was created.
  public var name: String? {
    tide_call_name(raw).map { String(cString: $0) } ?? function?.name
  }

  /// Whether the running coroutine can be suspended here.
  public var canSuspend: Bool { tide_call_can_suspend(raw) }

  /// Suspends the coroutine when this function returns, and passes the values to the caller of
  /// `resume`. The values passed to the next `resume` become this function's results.
  ///
  /// - Throws: `LuaError` of kind `runtime` if no coroutine can be suspended; see `canSuspend`.
  public func suspend(yielding values: [LuaValue] = []) throws(LuaError) {
    guard canSuspend else { throw LuaError(.runtime, "cannot wait here") }
    raw.pointee.results = 0
    for value in values { self.return(value) }
    raw.pointee.suspends = true
  }
}

// MARK: Arguments

extension LuaCall {
  /// Whether the argument is nil or missing.
  public func isNil(_ index: Int) -> Bool { tide_call_tag(raw, Int32(index)) <= TIDE_LUA_NIL }

  /// The argument as `TIDE_LUA_…`, or -1 when it is missing.
  package func tag(_ index: Int) -> Int { Int(tide_call_tag(raw, Int32(index))) }

  /// The argument; nil if it is missing.
  ///
  /// - Throws: `LuaError` of kind `memory` or `depth` if the value cannot be converted.
  public func value(_ index: Int) throws(LuaError) -> LuaValue {
    var value = TideValue()
    switch Int(tide_call_read(raw, Int32(index), &value)) {
    case TIDE_OK: return state.take(value)
    case TIDE_TOO_DEEP: throw LuaError(.depth, "stack overflow")
    default: throw .memory
    }
  }

  /// The arguments from an index on.
  ///
  /// - Throws: as `value(_:)` does.
  public func values(from first: Int = 0) throws(LuaError) -> [LuaValue] {
    var values: [LuaValue] = []
    try state.gather { () throws(LuaError) in
      for index in first..<max(first, count) { values.append(try value(index)) }
    }
    return values
  }

  /// The argument's truth value as in a condition; false if it is missing.
  public func boolean(_ index: Int) -> Bool { tide_call_boolean(raw, Int32(index)) }

  /// The argument as a number; numeric strings are converted, as in standard functions.
  ///
  /// - Throws: "bad argument #1 to 'f' (number expected, got table)".
  public func number(_ index: Int) throws(LuaError) -> Double {
    var number = 0.0
    guard tide_call_read_number(raw, Int32(index), &number) else {
      throw wrongType(index, "number")
    }
    return number
  }

  /// The argument as an integer; numbers without a fraction and numeric strings are converted.
  ///
  /// - Throws: "bad argument #1 to 'f' (number has no integer representation)" and the like.
  public func integer(_ index: Int) throws(LuaError) -> Int {
    var integer: Int64 = 0
    guard tide_call_read_integer(raw, Int32(index), &integer) else {
      var number = 0.0
      guard tide_call_read_number(raw, Int32(index), &number) else {
        throw wrongType(index, "number")
      }
      throw badArgument(index, "number has no integer representation")
    }
    return Int(integer)
  }

  /// The argument as a string, repaired if it is not UTF-8.
  ///
  /// - Throws: "bad argument #1 to 'f' (string expected, got nil)", and `LuaError` of kind `memory`
  ///   or `time` if a repair exceeds the turn's budget.
  public func string(_ index: Int) throws(LuaError) -> String {
    guard let string = try stringIfAny(index) else { throw wrongType(index, "string") }
    return string
  }

  /// The argument as a string, repaired if it is not UTF-8; nil if it is not a string.
  ///
  /// - Throws: `LuaError` of kind `memory` or `time` if a repair exceeds the turn's budget.
  package func stringIfAny(_ index: Int) throws(LuaError) -> String? {
    guard let bytes = text(index) else { return nil }
    return try String(repairingInTurn: bytes)
  }

  /// The length of a string argument in bytes, without reading it; nil if it is not a string.
  package func textCount(_ index: Int) -> Int? { text(index)?.count }

  private func text(_ index: Int) -> UnsafeRawBufferPointer? {
    var count = 0
    guard let bytes = tide_call_read_text(raw, Int32(index), &count) else { return nil }
    return UnsafeRawBufferPointer(start: bytes, count: count)
  }

  /// The argument, which must be a table.
  ///
  /// - Throws: "bad argument #1 to 'f' (table expected, got nil)".
  public func table(_ index: Int) throws(LuaError) -> LuaTable {
    guard tag(index) == TIDE_LUA_TABLE, case .table(let table) = try value(index) else {
      throw wrongType(index, "table")
    }
    return table
  }

  /// The argument, which must be a function.
  ///
  /// - Throws: "bad argument #1 to 'f' (function expected, got nil)".
  public func function(_ index: Int) throws(LuaError) -> LuaFunction {
    guard tag(index) == TIDE_LUA_FUNCTION, case .function(let function) = try value(index) else {
      throw wrongType(index, "function")
    }
    return function
  }

  /// The data object; nil if the argument is not one, or if the object no longer exists.
  public func object(_ index: Int) -> LuaObject? {
    tide_call_read_object(raw, Int32(index)).map { LuaObject($0) }
  }

  /// The Swift object behind a userdata, if it has that class and still exists.
  public func userdata<Object: AnyObject>(_ index: Int, as type: Object.Type) -> Object? {
    LuaUserdata.object(behind: tide_call_read_userdata(raw, Int32(index))) as? Object
  }

  /// The Swift object behind a userdata.
  ///
  /// - Throws: `LuaError` in Lua's wording if the argument does not have that class, or if its
  ///   object was only lent and no longer exists: "calling 'deposit' on bad self (the Account is
  ///   gone)".
  public func instance<Object: AnyObject>(
    _ index: Int, of type: Object.Type
  ) throws(LuaError) -> Object {
    if let found = tide_call_read_userdata(raw, Int32(index)) {
      let object = Unmanaged<AnyObject>.fromOpaque(found).takeUnretainedValue()
      // The exact class is the usual case and needs no cast.
      if Swift.type(of: object) == type { return unsafeDowncast(object, to: type) }
    }
    if let object = userdata(index, as: type) { return object }
    if let lent = LuaUserdata.lent(behind: tide_call_read_userdata(raw, Int32(index))),
      lent.object == nil
    {
      throw badArgument(index, "the \(lent.typeName) is gone")
    }
    throw wrongType(index, "\(type)")
  }

  /// The name of the argument's type: Lua's type, the class of a data object, or the name that a
  /// Swift object gives its kind.
  public func typeName(_ index: Int) -> String {
    if let found = tide_call_read_userdata(raw, Int32(index)),
      let named = Unmanaged<AnyObject>.fromOpaque(found).takeUnretainedValue() as? any NamedKind
    {
      return named.kindName
    }
    return String(cString: tide_call_type_name(raw, Int32(index)))
  }

  /// The error for an invalid argument.
  public func badArgument(_ index: Int, _ why: String) -> LuaError {
    var number = index + 1 - (function?.hiddenCount ?? 0)
    if tide_call_is_method(raw) {
      if index == 0 {
        return LuaError(.runtime, "calling '\(name ?? "?")' on bad self (\(why))")
      }
      number = index
    }
    let function = name.map { " to '\($0)'" } ?? ""
    return LuaError(.runtime, "bad argument #\(number)\(function) (\(why))")
  }

  /// The error for an argument of the wrong type: "table expected, got nil".
  public func wrongType(_ index: Int, _ expected: String) -> LuaError {
    badArgument(index, "\(expected) expected, got \(typeName(index))")
  }
}

// MARK: Results

extension LuaCall {
  /// Adds a result.
  public func `return`(_ value: LuaValue) {
    switch value {
    case .string(let string): self.return(string)
    case .bytes(let bytes): bytes.withUnsafeBufferPointer { addText($0) }
    default:
      // A reference without other owners is dropped now, but freed when Lua is next entered.
      guard let cell = tide_call_add_result(raw) else { return }
      cell.pointee = TideValue(withoutText: value, of: state.pool)
    }
  }

  /// Adds a number as a result.
  public func `return`(_ number: Double) {
    guard let cell = tide_call_add_result(raw) else { return }
    cell.pointee.number = number
    cell.pointee.tag = UInt32(TIDE_LUA_NUMBER)
  }

  /// Adds an integer as a result.
  public func `return`(_ integer: Int) {
    guard let cell = tide_call_add_result(raw) else { return }
    cell.pointee.integer = Int64(integer)
    cell.pointee.tag = UInt32(TIDE_LUA_INTEGER)
  }

  /// Adds a boolean as a result.
  public func `return`(_ flag: Bool) {
    guard let cell = tide_call_add_result(raw) else { return }
    cell.pointee.integer = flag ? 1 : 0
    cell.pointee.tag = UInt32(TIDE_LUA_BOOLEAN)
  }

  /// Adds text as a result.
  public func `return`(_ string: String) {
    var string = string
    string.withUTF8 { addText($0) }
  }

  /// Adds one of the arguments as a result.
  package func returnArgument(_ index: Int) {
    guard let cell = tide_call_add_result(raw) else { return }
    guard index < count else { return }
    cell.pointee.integer = Int64(index)
    cell.pointee.tag = UInt32(TIDE_LUA_ARGUMENT)
  }

  /// Adds the value in a slot as a result.
  package func `return`(_ slot: UnsafeMutablePointer<TideSlot>) {
    guard let cell = tide_call_add_result(raw) else { return }
    cell.pointee.slot = slot
    cell.pointee.tag = UInt32(TIDE_LUA_SLOT)
  }

  private func addText(_ text: UnsafeBufferPointer<UInt8>) {
    guard let cell = tide_call_add_result(raw), let copy = tide_call_add_text(raw, text.count)
    else { return }
    UnsafeMutableRawBufferPointer(start: copy, count: text.count).copyBytes(from: text)
    cell.pointee.bytes = UnsafePointer(copy)
    cell.pointee.count = UInt32(text.count)
    cell.pointee.tag = UInt32(TIDE_LUA_TEXT)
  }
}
