import TideLua

/// A script file that the app has loaded.
struct Module {
  let path: String
  var value: LuaValue
  /// True while its body runs, so that a loop of `require` is found.
  var isLoading: Bool
}
