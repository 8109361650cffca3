import CTideLua
import FoundationEssentials
import TideValues

/// A script's value with all nested values, in a flat form for decoding.
final class Tape {
  // Constants, to avoid access checks.
  private let cells: UnsafeMutablePointer<TideValue>
  private let text: UnsafeMutablePointer<CChar>?
  private let repairsText: Bool
  let userInfo: [CodingUserInfoKey: any Sendable]

  init(of value: LuaValue, with options: LuaCodingOptions) throws(LuaError) {
    var raw = TideTape()
    raw.depth = UInt32(options.depth)
    do {
      if case .table(let table) = value {
        try raw.read(table, atMost: options.maximumCount)
      } else {
        try raw.put(value)
      }
    } catch {
      tide_tape_free(&raw)
      throw error
    }
    // A complete tape has at least one cell.
    guard let cells = raw.cells else { throw .memory }
    self.cells = cells
    text = raw.text
    repairsText = options.repairsText
    userInfo = options.userInfo
  }

  deinit {
    var raw = TideTape()
    raw.cells = cells
    raw.text = text
    tide_tape_free(&raw)
  }
}

extension TideTape {
  fileprivate mutating func read(_ table: LuaTable, atMost limit: Int) throws(LuaError) {
    let state = try table.open()
    var frame = TideFrame()
    let status = tide_tape_read(state.raw, table.id, UInt32(clamping: limit), &self, &frame)
    try state.none(status, &frame)
  }

  fileprivate mutating func put(_ value: LuaValue) throws(LuaError) {
    var cell = TideValue(withoutText: value, of: nil)
    let isPut: Bool
    if let bytes = value.utf8 {
      isPut = bytes.withUnsafeBufferPointer { bytes in
        cell = TideValue(text: bytes.cString, count: bytes.count)
        return tide_tape_put(&self, &cell)
      }
    } else {
      isPut = tide_tape_put(&self, &cell)
    }
    guard isPut else { throw .memory }
  }
}

// MARK: Cells

extension Tape {
  @inline(__always)
  func cell(_ index: Int) -> UnsafeMutablePointer<TideValue> { cells + index }

  func tag(_ index: Int) -> Int { Int(cell(index).pointee.tag) }

  func isNil(_ index: Int) -> Bool { tag(index) == TIDE_LUA_NIL }

  /// The cell after a value.
  @inline(__always)
  func next(_ index: Int) -> Int {
    let cell = cell(index)
    return cell.pointee.tag == UInt32(TIDE_LUA_FIELDS)
      ? index + 1 + Int(cell.pointee.count) : index + 1
  }

  func fieldCount(_ table: Int) -> Int { Int(tide_tape_fields(cell(table))) }
  func elementCount(_ table: Int) -> Int { Int(tide_tape_elements(cell(table))) }

  func text(_ index: Int) -> UnsafeRawBufferPointer {
    let cell = cell(index)
    guard let text else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(
      start: text + Int(cell.pointee.integer), count: Int(cell.pointee.count))
  }

  /// The length of a string in bytes; 0 for other values.
  func textCount(_ index: Int) -> Int {
    tag(index) == TIDE_LUA_TEXT ? Int(cell(index).pointee.count) : 0
  }

  /// Lua's name for the type of the value.
  func typeName(_ index: Int) -> String {
    switch tag(index) {
    case TIDE_LUA_NIL: "nil"
    case TIDE_LUA_BOOLEAN: "boolean"
    case TIDE_LUA_INTEGER, TIDE_LUA_NUMBER: "number"
    case TIDE_LUA_TEXT: "string"
    case TIDE_LUA_FUNCTION: "function"
    case TIDE_LUA_THREAD: "thread"
    case TIDE_LUA_OBJECT, TIDE_LUA_USERDATA: "userdata"
    default: "table"
    }
  }
}

// MARK: Scalars

extension Tape {
  /// The value of a scalar cell; nil for tables, functions and objects.
  func scalar(_ index: Int) -> Value? {
    let cell = cell(index).pointee
    switch Int(cell.tag) {
    case TIDE_LUA_NIL: return .null
    case TIDE_LUA_BOOLEAN: return .boolean(cell.integer != 0)
    case TIDE_LUA_INTEGER: return .integer(Int(cell.integer))
    case TIDE_LUA_NUMBER: return .number(cell.number)
    case TIDE_LUA_TEXT:
      let text = text(index)
      return String(exactly: text).map { .string($0) } ?? .bytes(Array(text))
    default: return nil
    }
  }
}

extension Tape {
  typealias Path = () -> CodingPath?

  func mismatch(_ type: Any.Type, _ expected: String, _ index: Int, _ path: Path) -> DecodingError {
    let tag = tag(index)
    switch tag {
    case TIDE_LUA_CYCLE: return corrupted("the table contains itself", path)
    case TIDE_LUA_TOO_DEEP: return corrupted("the table is too deep", path)
    default: break
    }
    let context = DecodingError.Context(
      codingPath: path().keys, debugDescription: "\(expected) expected, got \(typeName(index))")
    return tag == TIDE_LUA_NIL ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func corrupted(_ text: String, _ path: Path) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: path().keys, debugDescription: text))
  }

  @inline(__always)
  func boolean(_ index: Int, _ path: Path) throws -> Bool {
    guard tag(index) == TIDE_LUA_BOOLEAN else { throw mismatch(Bool.self, "boolean", index, path) }
    return cell(index).pointee.integer != 0
  }

  @inline(__always)
  func integer<Number: FixedWidthInteger>(
    _ index: Int, _ type: Number.Type, _ path: Path
  ) throws -> Number {
    let cell = cell(index)
    switch Int(cell.pointee.tag) {
    case TIDE_LUA_INTEGER:
      if let number = Number(exactly: cell.pointee.integer) { return number }
      throw corrupted("\(cell.pointee.integer) does not fit \(type)", path)
    case TIDE_LUA_NUMBER:
      if let number = Number(exactly: cell.pointee.number) { return number }
      throw corrupted("\(cell.pointee.number) does not fit \(type)", path)
    default: throw mismatch(type, "number", index, path)
    }
  }

  @inline(__always)
  func double(_ index: Int, _ path: Path) throws -> Double {
    let cell = cell(index)
    switch Int(cell.pointee.tag) {
    case TIDE_LUA_NUMBER: return cell.pointee.number
    case TIDE_LUA_INTEGER:
      if let number = Double(exactly: cell.pointee.integer) { return number }
      throw corrupted("\(cell.pointee.integer) does not fit Double", path)
    default: throw mismatch(Double.self, "number", index, path)
    }
  }

  func float(_ index: Int, _ path: Path) throws -> Float {
    let number = try double(index, path)
    let rounded = Float(number)
    if !rounded.isFinite && number.isFinite {
      throw corrupted("\(number) does not fit Float", path)
    }
    return rounded
  }

  @inline(__always)
  func string(_ index: Int, _ path: Path) throws -> String {
    guard tag(index) == TIDE_LUA_TEXT else { throw mismatch(String.self, "string", index, path) }
    let text = text(index)
    if repairsText { return try String(repairingInTurn: UnsafeRawBufferPointer(text)) }
    if let string = String(exactly: text) { return string }
    throw corrupted("the text is not UTF-8", path)
  }
}

// MARK: Generic types

extension Tape {
  /// Decodes a value of the generic type of a container.
  ///
  /// Frequent types are recognized by comparing metatypes, which is cheap, and returned with a bit
  /// cast between identical types.
  func decode<Value: Decodable>(
    _ type: Value.Type, at index: Int, _ path: Path
  ) throws -> Value {
    func same<Known>(_ known: Known) -> Value { unsafeBitCast(known, to: Value.self) }
    if type == String.self { return same(try string(index, path)) }
    if type == Int.self { return same(try integer(index, Int.self, path)) }
    if type == Double.self { return same(try double(index, path)) }
    if type == Bool.self { return same(try boolean(index, path)) }
    return try decodeOther(type, at: index, path)
  }

  @inline(never)
  private func decodeOther<Value: Decodable>(
    _ type: Value.Type, at index: Int, _ path: Path
  ) throws -> Value {
    func same<Known>(_ known: Known) -> Value { unsafeBitCast(known, to: Value.self) }
    switch tag(index) {
    case TIDE_LUA_FIELDS:
      if let value = try collection(type, at: index, path) { return value }
    case TIDE_LUA_TEXT:
      if type == [UInt8].self { return same(Array(text(index))) }
      if type == Data.self { return same(Data(text(index))) }
      if type == URL.self { return same(try url(index, path)) }
      if type == Decimal.self { throw mismatch(type, "number", index, path) }
    default:
      if type == Float.self { return same(try float(index, path)) }
      if type == Date.self {
        return same(Date(timeIntervalSince1970: try double(index, path)))
      }
      if type == Decimal.self { return same(try decimal(index, path)) }
      if type == URL.self || type == Data.self { throw mismatch(type, "string", index, path) }
    }
    return try Value(from: TapeDecoder(tape: self, index: index, path: path()))
  }

  /// Decodes collections that the standard library would decode element by element.
  private func collection<Value>(
    _ type: Value.Type, at index: Int, _ path: Path
  ) throws -> Value? {
    switch CollectionKinds.kind(of: type) {
    case .other: nil
    case .array(let array): try array.decode(from: self, at: index, path()) as? Value
    case .textKeyed(let dictionary):
      try dictionary.decode(from: self, at: index, path()) as? Value
    case .integerKeyed(let dictionary):
      try dictionary.decode(from: self, at: index, path()) as? Value
    }
  }

  private func decimal(_ index: Int, _ path: Path) throws -> Decimal {
    guard let value = scalar(index) else { throw mismatch(Decimal.self, "number", index, path) }
    if case .null = value { throw mismatch(Decimal.self, "number", index, path) }
    do { return try Decimal.from(value) } catch let error as ValueMismatch {
      throw corrupted(error.description, path)
    }
  }

  private func url(_ index: Int, _ path: Path) throws -> URL {
    let string = try string(index, path)
    guard let url = URL(string: string) else {
      throw corrupted("cannot read '\(string)' as a URL", path)
    }
    return url
  }

  /// Requires a table; throws for nil and other values.
  func requireTable(_ index: Int, _ expected: Any.Type, _ path: CodingPath?) throws {
    guard tag(index) == TIDE_LUA_FIELDS else {
      throw mismatch(expected, "table", index) { path }
    }
  }

  /// Requires a sequence without other fields.
  func requireSequence(_ index: Int, _ path: CodingPath?) throws {
    try requireTable(index, [Any].self, path)
    guard fieldCount(index) > 0 else { return }
    throw DecodingError.typeMismatch(
      [Any].self,
      DecodingError.Context(
        codingPath: path.keys,
        debugDescription: "sequence expected, got a table with key \(written(keyAt: index + 1))"))
  }
}
