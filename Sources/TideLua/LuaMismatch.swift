/// Why a Lua value does not fit a Swift type.
///
/// A function that takes typed arguments reports it in Lua's words, "bad argument #2 to 'resize'
/// (number expected, got string)"; a call with typed results as "bad result #1 (…)".
public struct LuaMismatch: Error, Equatable, CustomStringConvertible {
  private enum Reason: Equatable {
    case expected(String)
    case unsuitable(String)
  }

  private let reason: Reason
  // What there is instead, for an error that leaves without its value.
  private let found: String

  private init(_ reason: Reason, found: String) {
    self.reason = reason
    self.found = found
  }

  /// The value is of another kind than `type`, which is Lua's word for what would do: `"number"`.
  public static func expected(_ type: String, got value: LuaValue) -> LuaMismatch {
    LuaMismatch(.expected(type), found: value.typeName)
  }

  /// The value is of the right kind and will not do all the same: `"number is out of range"`.
  public static func unsuitable(_ why: String) -> LuaMismatch {
    LuaMismatch(.unsuitable(why), found: "")
  }

  public var description: String { description(of: found) }

  /// The reason, where the value is called something else: "no value" of a missing argument.
  func description(of found: String) -> String {
    switch reason {
    case .expected(let type) where type == found: "this \(type) has been disposed of"
    case .expected(let type): "\(type) expected, got \(found)"
    case .unsuitable(let why): why
    }
  }
}
