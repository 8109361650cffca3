import CTideLua
import TideValues

/// An encoded value, before it is written to Lua.
enum EncodedValue {
  case `nil`
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case bytes([UInt8])
  case table(TableEncoder)
}

/// A key of an encoded table.
enum EncodedKey {
  case text(String)
  case integer(Int)

  init(_ key: some CodingKey) {
    self = key.intValue.map { .integer($0) } ?? .text(key.stringValue)
  }
}

extension EncodedValue {
  /// Encodes a scalar; nil for an object.
  init?(scalar value: Value) {
    switch value {
    case .null: self = .nil
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let integer): self = .integer(integer)
    case .number(let number): self = .number(number)
    case .string(let string): self = .text(string)
    case .bytes(let bytes): self = .bytes(bytes)
    case .object: return nil
    }
  }

  /// Writes the value to a tape in the format of `tide_tape_write`.
  func lay(on tape: inout OutgoingTape) {
    switch self {
    case .nil: tape.cells.append(TideValue(tag: TIDE_LUA_NIL))
    case .boolean(let flag):
      var cell = TideValue(tag: TIDE_LUA_BOOLEAN)
      cell.integer = flag ? 1 : 0
      tape.cells.append(cell)
    case .integer(let integer): tape.add(integer)
    case .number(let number):
      var cell = TideValue(tag: TIDE_LUA_NUMBER)
      cell.number = number
      tape.cells.append(cell)
    case .text(let text): tape.add(text.utf8)
    case .bytes(let bytes): tape.add(bytes)
    case .table(let table): table.lay(on: &tape)
    }
  }

  /// Whether it is written as nil.
  var isNil: Bool {
    switch self {
    case .nil: true
    case .table(let table): table.single?.isNil ?? false
    default: false
    }
  }
}

/// A tape from which Lua creates a value.
struct OutgoingTape {
  var cells: ContiguousArray<TideValue> = []
  private var text: ContiguousArray<UInt8> = []

  mutating func add(_ integer: Int) {
    var cell = TideValue(tag: TIDE_LUA_INTEGER)
    cell.integer = Int64(integer)
    cells.append(cell)
  }

  mutating func add(_ utf8: some Collection<UInt8>) {
    var cell = TideValue(tag: TIDE_LUA_TEXT)
    cell.integer = Int64(text.count)
    cell.count = UInt32(clamping: utf8.count)
    cells.append(cell)
    text.append(contentsOf: utf8)
  }

  /// Begins a table whose contents follow until `end`.
  mutating func begin(fields: Int, elements: Int) -> Int {
    cells.append(
      tide_tape_header(UInt32(clamping: fields), UInt32(clamping: elements), 0))
    return cells.count
  }

  mutating func end(_ start: Int) {
    cells[start - 1].count = UInt32(clamping: cells.count - start)
  }

  mutating func write(in state: LuaState) throws(LuaError) -> LuaValue {
    var frame = TideFrame()
    let status = cells.withUnsafeMutableBufferPointer { cells in
      text.withUnsafeMutableBufferPointer { text in
        var tape = TideTape()
        tape.cells = cells.baseAddress
        tape.count = cells.count
        tape.text = text.baseAddress.map {
          UnsafeMutableRawPointer($0).assumingMemoryBound(to: CChar.self)
        }
        tape.textCount = text.count
        return tide_tape_write(state.raw, &tape, &frame)
      }
    }
    return try state.one(status, &frame)
  }
}
