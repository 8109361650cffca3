extension Catalogue {
  /// An object of nine properties, strings of eleven bytes, every driver linked with the same
  /// static Lua and running the same chunks.
  static var lua: [Section] {
    operations.map { operation in
      Section(
        id: operation.id, title: "Lua: \(operation.title)",
        figures: [Figure(measure: "operation", title: "ns")],
        rows: luaRows(operation.workload),
        goals: [
          .atMost(operation.subject, "operation", operation.limit, of: .plainLua)
        ],
        iterations: (1000, 6000))
    } + userTypes + [
      endToEnd, expressions, signals("A1", "chain", "100 computed values in a row, one effect", 3),
      signals("A2", "fan-out", "one property, 100 effects", 3),
      signals("A3", "diamond", "one property, 100 computed values, their sum, one effect", 3),
      signals("A4", "transformers", "100 bindings in a row through a script's transformer", 8),
      Section(
        id: "L9", title: "Lua: memory for an exposed object",
        figures: [Figure(measure: "bytes", title: "bytes")],
        rows: luaRows("bytes"),
        // 64, and 16 for its entry in the map that makes an object always the same Lua value.
        goals: [Goal(subject: .tidelock, measure: "bytes", limit: 80)]),
      Section(
        id: "L10", title: "Lua: call an asynchronous host function and wait for it",
        figures: [Figure(measure: "operation", title: "ns")],
        rows: waits.map { Row(subject: $0.value, program: ours, argument: $0.key) },
        goals: Goal.limits([.tidelock, .suspending], "operation", 1500)),
      loops,
    ]
  }

  /// A loop goes over the rows that the list had when it began. That costs nothing where nobody
  /// changes the list: each step takes as long as one that reads the list as it is then.
  private static var loops: Section {
    func rows(_ kind: String, _ held: Subject, _ live: Subject) -> [Row] {
      [
        Row(subject: held, program: ours, argument: "loop \(kind)"),
        Row(subject: live, program: ours, argument: "loop \(kind) live"),
      ]
    }
    return Section(
      id: "L16", title: "Lua: loop over the 1000 rows of a list that does not change",
      figures: [Figure(measure: "element", title: "ns a row")],
      rows: rows("list", .list, .liveList) + rows("selection", .selection, .liveSelection),
      goals: [
        .atMost(.list, "element", 1.05, of: .liveList),
        .atMost(.selection, "element", 1.05, of: .liveSelection),
      ], iterations: (10, 60))
  }

  /// Classes that are described by closures, and calls with typed values.
  private static var userTypes: [Section] {
    func section(
      _ id: String, _ title: String, _ subject: Subject, _ argument: String, _ plain: String,
      atMost limit: Double
    ) -> Section {
      Section(
        id: id, title: "Lua: \(title)", figures: [Figure(measure: "operation", title: "ns")],
        rows: [
          Row(subject: subject, program: ours, argument: argument),
          Row(subject: .plainLua, program: "PlainLua", argument: "plain \(plain)"),
        ],
        goals: [.atMost(subject, "operation", limit, of: .plainLua)], iterations: (1000, 6000))
    }
    return [
      section(
        "L13", "read a number of a user type", .userType, "user read number", "read number",
        atMost: 1.5),
      section(
        "L14", "write a number of a user type", .userType, "user write number", "write number",
        atMost: 1.5),
      section(
        "L15", "the host calls a function with typed values", .typedCall, "call typed",
        "call number", atMost: 3),
    ]
  }

  /// A script sets a property of a model; a transformer of the script's makes another string of it,
  /// which a label shows.
  private static var endToEnd: Section {
    Section(
      id: "L11", title: "Lua: from a script's write through its transformer to a view's property",
      figures: [Figure(measure: "operation", title: "ns")],
      rows: [Row(subject: .endToEnd, program: ours, argument: "end to end")],
      goals: [Goal(subject: .endToEnd, measure: "operation", limit: 350)],
      iterations: (1000, 6000))
  }

  /// What script authors would otherwise take.
  private static func signals(
    _ id: String, _ workload: String, _ title: String, _ times: Double
  ) -> Section {
    Section(
      id: id, title: "Lua: \(title)", figures: [Figure(measure: "edge", title: "ns an edge")],
      rows: [
        Row(subject: .tidelock, program: ours, argument: "signals \(workload)"),
        Row(subject: .alien, program: "PlainLua", argument: "alien \(workload)"),
      ],
      goals: [.faster(.tidelock, "edge", times, than: .alien)])
  }

  private static var expressions: Section {
    Section(
      id: "L12", title: "Lua: make a binding of an expression, 20,000 of them",
      figures: Figure.list(["make": "ns a binding", "bytes": "bytes a binding"]),
      rows: [Row(subject: .tidelock, program: ours, argument: "bind")],
      goals: Goal.limits(.tidelock, ["make": 2000, "bytes": 250]))
  }

  private static let waits: KeyValuePairs<String, Subject> = [
    "wait": .tidelock, "wait, suspending": .suspending, "suspend alone": .suspensionAlone,
  ]

  private struct Operation {
    let id, workload, title: String
    /// The most that ours may take, as a part of the plain C API's time.
    let limit: Double
    /// Of the plain C API, a method is a function of the host's.
    var subject: Subject { workload == "method" ? .hostObject : .tidelock }
  }

  private static let operations = [
    Operation(id: "L1", workload: "read number", title: "read a number", limit: 0.95),
    Operation(id: "L2", workload: "write number", title: "write a number", limit: 1),
    Operation(id: "L3", workload: "read string", title: "read a string", limit: 0.75),
    Operation(id: "L4", workload: "write string", title: "write a string", limit: 1),
    Operation(id: "L5", workload: "method", title: "call a method", limit: 0.95),
    Operation(
      id: "L6", workload: "write heard", title: "write a number with one Lua listener", limit: 1.1),
    Operation(
      id: "L7", workload: "call number", title: "the host calls a function with a number",
      limit: 1.15),
    Operation(
      id: "L8", workload: "call string", title: "the host calls a function with a string",
      limit: 2),
  ]

  private static func luaRows(_ workload: String) -> [Row] {
    var rows = [
      Row(subject: .tidelock, program: ours, argument: workload),
      Row(subject: .plainLua, program: "PlainLua", argument: "plain \(workload)"),
    ]
    // To a call from the host it makes no difference what the objects are, but its part of the time
    // budget does: the first row's calls share a turn, as the transformers of one settle do.
    if workload.hasPrefix("call") {
      rows.insert(
        Row(subject: .ownTurn, program: ours, argument: "\(workload), own turn"), at: 1)
    } else {
      if workload != "bytes" {
        rows.insert(
          Row(subject: .hostObject, program: ours, argument: "host \(workload)"), at: 1)
      }
      rows.append(Row(subject: .proxy, program: "PlainLua", argument: "proxy \(workload)"))
    }
    if !workload.hasPrefix("call"), workload != "write heard" {
      rows.append(Row(subject: .table, program: "PlainLua", argument: "table \(workload)"))
    }
    return rows
  }
}
