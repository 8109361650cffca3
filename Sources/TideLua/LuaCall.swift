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
/// Arguments are read when asked for; the getters that throw do so in Lua's own words ("bad
/// argument #1 to 'add' (number expected, got nil)").
public struct LuaCall: ~Copyable {
  package let raw: UnsafeMutablePointer<TideCall>
  // Unowned, because whoever made the running call keeps it.
  /// The state that calls the function, for making values in its body. Do not capture it there:
  /// what a state's own function keeps alive keeps the state alive.
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

  /// How many arguments there are.
  public var count: Int { Int(raw.pointee.count) }

  /// The line that called: its chunk's name and number.
  public var location: LuaLocation? { location(level: 1) }

  /// The line of a caller: 1 calls this function, 2 calls that one, and so on.
  public func location(level: Int) -> LuaLocation? {
    var line: Int32 = 0
    return LuaLocation(tide_call_location(raw, Int32(clamping: level), &line), line)
  }

  /// What the caller calls this function, or else the name it was made with.
  public var name: String? {
    tide_call_name(raw).map { String(cString: $0) } ?? function?.name
  }

  /// Whether the running coroutine can wait here.
  public var canSuspend: Bool { tide_call_can_suspend(raw) }

  /// Makes the coroutine wait when this function returns, giving the values to whoever resumes it.
  /// What it is resumed with is then this function's results.
  ///
  /// - Throws: `LuaError` of kind `runtime` where no coroutine can wait; see `canSuspend`.
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

  /// The argument, nil when it is missing.
  ///
  /// - Throws: `LuaError` of kind `memory` or `depth` when the value cannot be taken over.
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

  /// Whether the argument counts as true, as in a condition: a missing one does not.
  public func boolean(_ index: Int) -> Bool { tide_call_boolean(raw, Int32(index)) }

  /// The argument as a number; text that reads as one will do, as with stock functions.
  ///
  /// - Throws: "bad argument #1 to 'f' (number expected, got table)".
  public func number(_ index: Int) throws(LuaError) -> Double {
    var number = 0.0
    guard tide_call_read_number(raw, Int32(index), &number) else {
      throw wrongType(index, "number")
    }
    return number
  }

  /// The argument as an integer; a number without a fraction will do, and text that reads as one.
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

  /// The text of the argument, repaired where it is not UTF-8.
  ///
  /// - Throws: "bad argument #1 to 'f' (string expected, got nil)", and `LuaError` of kind `memory`
  ///   or `time` when the turn has none left for a repair.
  public func string(_ index: Int) throws(LuaError) -> String {
    guard let string = try stringIfAny(index) else { throw wrongType(index, "string") }
    return string
  }

  /// The text of the argument, repaired where it is not UTF-8, or nil when it is no string.
  ///
  /// - Throws: `LuaError` of kind `memory` or `time` when the turn has none left for a repair.
  package func stringIfAny(_ index: Int) throws(LuaError) -> String? {
    guard let bytes = text(index) else { return nil }
    return try String(repairingInTurn: bytes)
  }

  /// How many bytes the text of the argument has, before any of them is read; nil when it is no
  /// string.
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

  /// The data object, or nil when the argument is none or its object is gone.
  public func object(_ index: Int) -> LuaObject? {
    tide_call_read_object(raw, Int32(index)).map { LuaObject($0) }
  }

  /// The Swift object behind a userdata, if it is of that class and still there.
  public func userdata<Object: AnyObject>(_ index: Int, as type: Object.Type) -> Object? {
    LuaUserdata.object(behind: tide_call_read_userdata(raw, Int32(index))) as? Object
  }

  /// The Swift object behind a userdata.
  ///
  /// - Throws: `LuaError` in Lua's words when the argument is none of that class, or when its
  ///   object was only lent and is gone: "calling 'deposit' on bad self (the Account is gone)".
  public func instance<Object: AnyObject>(
    _ index: Int, of type: Object.Type
  ) throws(LuaError) -> Object {
    if let found = tide_call_read_userdata(raw, Int32(index)) {
      let object = Unmanaged<AnyObject>.fromOpaque(found).takeUnretainedValue()
      // The class itself is common and takes no cast.
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

  /// The word for what the argument is: Lua's type, or the class of a data object.
  public func typeName(_ index: Int) -> String {
    String(cString: tide_call_type_name(raw, Int32(index)))
  }

  /// The error of an argument that will not do.
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

  /// The error of an argument of the wrong kind: "table expected, got nil".
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
      // A reference that nobody else holds is dropped now but freed when Lua is next entered.
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

  /// Adds the value that a slot holds.
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
