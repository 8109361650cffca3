extension Catalogue {
  /// The functions of Lua's library, ours and the stock ones, in the same chunks.
  static var library: [Section] {
    functions.enumerated().map { index, function in
      Section(
        id: "S\(index + 1)", title: "Lua's library: \(function.name)",
        figures: [Figure(measure: "operation", title: "ns")],
        rows: [
          Row(subject: .tidelock, program: ours, argument: "library \(function.name)"),
          Row(subject: .stock, program: ours, argument: "stock \(function.name)"),
        ],
        goals: [.atMost(.tidelock, "operation", function.limit, of: .stock)],
        gates: function.instructions.map { [Gate(subject: .tidelock, limit: $0)] } ?? [])
    } + [
      Section(
        id: "open", title: "an interpreter with the whole sandbox, opened and closed",
        figures: [Figure(measure: "operation", title: "ns")],
        rows: [Row(subject: .tidelock, program: ours, argument: "open")],
        goals: [Goal(subject: .tidelock, measure: "operation", limit: 60000)])
    ]
  }

  private struct Function {
    let name: String
    /// The most that ours may take, as a part of the stock function's time.
    var limit = 1.1
    /// The same in instructions of one use.
    var instructions: Double?
  }

  private static let functions = [
    Function(name: "find text"),
    Function(name: "find text far"),
    Function(name: "find pattern", instructions: 3450),
    Function(name: "find anchored"),
    Function(name: "find far"),
    Function(name: "match whole"),
    Function(name: "match captures", instructions: 2650),
    Function(name: "match date"),
    Function(name: "match lazily"),
    Function(name: "gmatch words", instructions: 1420),
    Function(name: "gmatch pairs"),
    Function(name: "gsub string"),
    Function(name: "gsub template", instructions: 11250),
    Function(name: "gsub function"),
    Function(name: "gsub table"),
    Function(name: "gsub trim"),
    Function(name: "gsub none"),
    Function(name: "rep"),
    Function(name: "rep between"),
    Function(name: "upper"),
    Function(name: "reverse"),
    Function(name: "format text"),
    Function(name: "format integer"),
    Function(name: "format number"),
    Function(name: "format mixed", instructions: 4250),
    Function(name: "pack"),
    Function(name: "concat 100", instructions: 32500),
    Function(name: "concat 10000"),
    Function(name: "concat numbers"),
    Function(name: "insert end", instructions: 695),
    Function(name: "insert front", limit: 1.4, instructions: 7000),
    Function(name: "remove end"),
    Function(name: "remove front"),
    Function(name: "move 100"),
    Function(name: "sort numbers"),
    Function(name: "sort strings"),
    Function(name: "sort numbers by function", instructions: 895_000),
    Function(name: "sort strings by function"),
    Function(name: "sort sorted"),
    Function(name: "unpack"),
    Function(name: "unpack 100"),
    Function(name: "table.pack"),
    Function(name: "utf8.len"),
    Function(name: "utf8.codes"),
    Function(name: "utf8.char"),
    Function(name: "utf8.codepoint"),
    Function(name: "utf8.offset"),
  ]
}
