import TideBindings
import TideLua
import TideSystem

/// A stub's result of running a program.
struct ProgramAnswer {
  var output: [UInt8] = []
  var errors: [UInt8] = []
  var ending = ProgramEnding(code: 0)
  /// In seconds of the virtual clock.
  var delay = 0.0

  /// - Parameter given: text, a table, or a function that returns one of these.
  init(_ given: LuaValue, _ request: ProgramRequest, _ input: [UInt8]?) throws {
    var given = given
    if case .function(let function) = given, let state = function.state {
      let arguments = try state.table(request.arguments.dropFirst().map { .string($0) })
      given =
        try function.call([
          .table(arguments), input.map { Runtime.luaText($0) } ?? .nil,
        ]).first ?? .nil
    }
    switch given {
    case .string(let text): output = Array(text.utf8)
    case .bytes(let bytes): output = bytes
    case .nil: break
    case .table(let table):
      let options = try CallOptions(
        table, of: "a program's stub", ["output", "error", "code", "delay"])
      output = Array((try options.text("output") ?? "").utf8)
      errors = Array((try options.text("error") ?? "").utf8)
      ending = ProgramEnding(code: try options.integer("code") ?? 0)
      delay = try options.seconds("delay", orNone: true) ?? 0
    default:
      throw TideError(
        .badArgument,
        "a program's stub gives text or { output =, error =, code =, delay = }, not "
          + given.preview)
    }
  }
}
