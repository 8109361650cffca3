import CTideLua
import TideBindings
import TideGraph
import TideLua

/// A script's function that a derived list calls with its rows.
///
/// The graph tracks its reads of a row, as for a computed property.
final class RowFunction {
  private let function: LuaFunction
  private let home: Home

  init(_ function: LuaFunction, in runtime: Runtime) {
    self.function = function
    home = runtime.home
  }

  /// The function's result for a row.
  func value(of row: Value) throws -> Value {
    try call { runtime in
      guard var argument = TideValue(unboxed: row) else {
        return try runtime.value(from: function.call([runtime.luaValue(row)]).first ?? .nil)
      }
      let result = try function.call(with: &argument)
      return try runtime.value(from: result.value())
    } ?? .null
  }

  /// Whether the function's result for a row is truthy.
  func holds(for row: Value) throws -> Bool {
    try call { runtime in
      guard var argument = TideValue(unboxed: row) else {
        return try function.call([runtime.luaValue(row)]).first?.isTruthy ?? false
      }
      let result = try function.call(with: &argument)
      return try result.value().isTruthy
    } ?? false
  }

  /// Whether the function orders one row before another.
  func isOrdered(_ first: Value, before second: Value) throws -> Bool {
    guard let left = TideValue(unboxed: first), let right = TideValue(unboxed: second) else {
      return try call { runtime in
        let arguments = [try runtime.luaValue(first), try runtime.luaValue(second)]
        return try function.call(arguments).first?.isTruthy ?? false
      } ?? false
    }
    return try call { _ in try function.holds(left, right) } ?? false
  }

  /// Calls into the script. Returns nil if its runtime has been released.
  @inline(__always)
  private func call<Result>(_ body: (Runtime) throws -> Result) throws -> Result? {
    try home.with { runtime in try runtime.derive { try body(runtime) } }
  }
}
