import FoundationEssentials
import TideValues

/// The state shared by the encoders of one value.
final class EncodingContext {
  let userInfo: [CodingUserInfoKey: any Sendable]
  private let maximumDepth: Int

  init(_ options: LuaCodingOptions) {
    userInfo = options.userInfo
    maximumDepth = options.depth
  }

  typealias Path = () -> CodingPath?

  func invalid(_ value: Any, _ why: String, _ path: Path) -> EncodingError {
    .invalidValue(value, EncodingError.Context(codingPath: path().keys, debugDescription: why))
  }

  @inline(__always)
  func integer(_ value: some FixedWidthInteger, _ path: Path) throws -> EncodedValue {
    guard let integer = Int(exactly: value) else {
      throw invalid(value, "\(value) does not fit a Lua integer", path)
    }
    return .integer(integer)
  }

  /// Encodes a value of the generic type of a container.
  ///
  /// Frequent types are recognized by comparing metatypes, which is cheap, and reinterpreted with a
  /// bit cast between identical types.
  func encode<Value: Encodable>(
    _ value: Value, depth: Int, _ path: Path
  ) throws -> EncodedValue {
    func same<Known>(_ type: Known.Type) -> Known { unsafeBitCast(value, to: type) }
    let type = Value.self
    if type == String.self { return .text(same(String.self)) }
    if type == Int.self { return .integer(same(Int.self)) }
    if type == Double.self { return .number(same(Double.self)) }
    if type == Bool.self { return .boolean(same(Bool.self)) }
    return try encodeOther(value, depth: depth, path)
  }

  @inline(never)
  private func encodeOther<Value: Encodable>(
    _ value: Value, depth: Int, _ path: Path
  ) throws -> EncodedValue {
    func same<Known>(_ type: Known.Type) -> Known { unsafeBitCast(value, to: type) }
    let type = Value.self
    if type == Float.self { return .number(Double(same(Float.self))) }
    if type == [UInt8].self { return .bytes(same([UInt8].self)) }
    if type == Data.self { return .bytes(Array(same(Data.self))) }
    if type == Date.self { return .number(same(Date.self).timeIntervalSince1970) }
    if type == URL.self { return .text(same(URL.self).absoluteString) }
    if type == Decimal.self { return try decimal(same(Decimal.self), path) }
    guard depth < maximumDepth else { throw invalid(value, "the value is too deep", path) }
    let encoder = TableEncoder(self, path(), depth: depth + 1)
    if !CollectionKinds.isEncodedHere(type) {
      try value.encode(to: encoder)
    } else if let dictionary = value as? any TextKeyedEncodable {
      try dictionary.encode(to: encoder)
    } else if let array = value as? any EncodableArray {
      try array.encode(to: encoder)
    }
    return encoder.single ?? .table(encoder)
  }

  private func decimal(_ value: Decimal, _ path: Path) throws -> EncodedValue {
    do {
      if let scalar = EncodedValue(scalar: try value.toValue()) { return scalar }
    } catch let error as ValueMismatch { throw invalid(value, error.description, path) }
    throw invalid(value, "\(value) does not fit a Lua number", path)
  }

  func write(_ value: EncodedValue, in state: LuaState) throws -> LuaValue {
    var tape = OutgoingTape()
    value.lay(on: &tape)
    return try tape.write(in: state)
  }
}
