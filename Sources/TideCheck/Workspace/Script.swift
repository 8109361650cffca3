import TideBindings
import TideScript

/// One script that is checked: its text, its tree, and what it declares.
final class Script {
  let source: LuaSource
  let statements: [LuaStatement]
  /// Whether the test runner runs it.
  let isSpec: Bool
  /// Whether it is for editors alone and never runs, as what `tidelock types` writes.
  let isDefinitions: Bool
  let index: Int
  var symbols = SymbolTable()
  /// What it requires and nobody can find.
  var missingModules: [(name: String, stem: String, offset: Int)] = []

  init(_ source: LuaSource, _ statements: [LuaStatement], index: Int, isSpec: Bool) {
    self.source = source
    self.statements = statements
    isDefinitions = source.bytes.starts(with: "---@meta".utf8)
    self.index = index
    self.isSpec = isSpec
  }
}
