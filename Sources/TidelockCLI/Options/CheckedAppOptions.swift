import ArgumentParser
import TideCheck
import TideLua
import TideScript
import TideTest
#if Store
  import TideStore
#endif

/// What checked apps use in addition to their scripts.
struct CheckedAppOptions: ParsableArguments {
  @Option(
    name: .customLong("globals"),
    help: ArgumentHelp(
      "Variables that the program which runs the scripts gives them (may be repeated).",
      valueName: "name,name"))
  var globals: [String] = []

  @Option(
    name: .customLong("allow"),
    help: ArgumentHelp(
      "What the app will be allowed to reach, as for run (may be repeated).",
      valueName: Allowance.forms),
    transform: Allowance.init)
  var allowances: [Allowance] = []

  var access: LuaAccess { allowances.access }
  var hostNames: [String] { globals.flatMap { $0.split(separator: ",").map(String.init) } }

  func makeCheck() throws -> ScriptCheck {
    try ScriptCheck(access: access, hostNames: hostNames, specs: .tidelock, sql: Self.sql)
  }

  /// Reads the SQL in scripts; nil in builds without databases.
  static var sql: (any SQLReader)? {
    #if Store
      LiteralSQL()
    #else
      nil
    #endif
  }
}
