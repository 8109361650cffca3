import TideBindings
import TideLua
import TideScript
import TideViews

// Host functions for `ui` and for assertions about bindings.
extension SpecRuntime {
  func addDriving(to host: LuaTable) throws {
    let functions: KeyValuePairs<String, (borrowing LuaCall) throws -> Void> = [
      "beginApp": { [unowned self] call in
        let (chunk, file) = try beginApp(call.string(0))
        call.return(.function(chunk))
        call.return(.string(file))
      },
      "mount": { [unowned self] call in
        guard let view = call.object(0)?.dataObject as? View else {
          throw TideError(
            .wrongType,
            "ui.mount takes a view or the name of an app's file, not \(try shown(call.value(0)))")
        }
        let returns = parts.contains { $0.mark.scene === runtime.scene }
        try screen.mount(view, size(call, 1), showsFormerAgain: returns)
      },
      "finish": { [unowned self] call in
        runtime.finish()
        if let size = try size(call, 0) { screen.resize(size) }
        try screen.draw()
      },
      "draw": { [unowned self] _ in try screen.draw() },
      "isShowing": { [unowned self] call in call.return(screen.isShowing) },
      "beginSession": { [unowned self] call in
        let arguments = try call.isNil(2) ? [] : call.table(2).sequence().compactMap(\.text)
        let session = try beginSession(
          of: call.string(0), call.string(1), arguments, size(call, 3))
        call.return(.table(try acts(of: session)))
      },
    ]
    let table = try runtime.lua.table()
    try add(functions, to: table)
    try add(acts(on: { [unowned self] in screen }), to: table)
    try host.rawSet("ui", .table(table))
  }

  /// - Parameter session: the other person who acts; nil for the spec's own screen.
  private func add(
    _ functions: KeyValuePairs<String, (borrowing LuaCall) throws -> Void>, to table: LuaTable,
    of session: SpecSession? = nil
  ) throws {
    for (name, body) in functions {
      let function = try runtime.function(named: "ui." + name) {
        [unowned self, weak session] call in
        guard recording != nil, let act = act(name, call, session) else {
          try body(call)
          try catchUp()
          if Self.endsMaking(name) { recording?.endMaking() }
          return
        }
        try recorded(act, of: session?.name) {
          try body(call)
          try catchUp()
        }
      }
      try table.rawSet(.string(name), .function(function))
    }
  }

  /// The actions of another person, on the screen of a session.
  private func acts(of session: SpecSession) throws -> LuaTable {
    let table = try runtime.lua.table()
    let present = { [unowned self, weak session] in try self.present(session) }
    try add(acts(on: { try present().screen }), to: table, of: session)
    try add(
      [
        "value": { call in
          if let text = try present().value(of: call.string(0)) { call.return(.string(text)) }
        },
        "errors": { [unowned self] call in
          let lines = try present().errors.map { LuaValue.string(line($0)) }
          call.return(.table(try runtime.lua.table(lines)))
        },
        "close": { [unowned self] _ in try close(present()) },
      ], to: table, of: session)
    return table
  }

  /// The actions of a person on a screen.
  private func acts(
    on screen: @escaping () throws -> SpecScreen
  ) -> KeyValuePairs<String, (borrowing LuaCall) throws -> Void> {
    [
      "tap": { [unowned self] call in
        let screen = try screen()
        try screen.tap(view(call, "tap", on: screen), modifiers(call, 1, "tap"))
      },
      "doubleClick": { [unowned self] call in
        let screen = try screen()
        try screen.tap(
          view(call, "doubleClick", on: screen), modifiers(call, 1, "doubleClick"), times: 2)
      },
      "drag": { [unowned self] call in
        let screen = try screen()
        let view = try view(call, "drag", on: screen)
        if case .some = try? call.value(1).number {
          let rows = try call.isNil(2) ? 0 : call.integer(2)
          return try screen.drag(
            view, to: .offset(columns: call.integer(1), rows: rows), modifiers(call, 3, "drag"))
        }
        let target = try self.view(call, "drag", on: screen, at: 1)
        try screen.drag(view, to: .view(target), modifiers(call, 2, "drag"))
      },
      "wheel": { [unowned self] call in
        let screen = try screen()
        let columns = try call.isNil(2) ? 0 : call.integer(2)
        call.return(
          try screen.turnWheel(
            over: view(call, "wheel", on: screen), rows: call.integer(1), columns: columns))
      },
      "paste": { [unowned self] call in
        let screen = try screen()
        try screen.paste(call.string(1), into: view(call, "paste", on: screen))
      },
      "hover": { [unowned self] call in
        let screen = try screen()
        try screen.hover(over: call.isNil(0) ? nil : view(call, "hover", on: screen))
      },
      "contextMenu": { [unowned self] call in
        let screen = try screen()
        try screen.openContextMenu(
          of: view(call, "contextMenu", on: screen), taking: call.isNil(1) ? nil : call.string(1))
      },
      "focus": { [unowned self] call in
        let screen = try screen()
        try screen.focus(view(call, "focus", on: screen))
      },
      "type": { [unowned self] call in
        let screen = try screen()
        try screen.type(call.string(1), into: view(call, "type", on: screen))
      },
      "press": { call in call.return(try screen().press(call.string(0))) },
      "select": { [unowned self] call in
        let screen = try screen()
        try screen.select(
          call.integer(1), of: view(call, "select", on: screen), modifiers(call, 2, "select"))
      },
      "snapshot": { [unowned self] call in
        let screen = try screen()
        let size = try size(call, 1)
        if call.isNil(0) { return call.return(try screen.snapshot(size)) }
        let view = try view(call, "snapshot", on: screen)
        call.return(view.snapshot(size: size) { screen.runtime.configure($0) })
      },
    ]
  }

  func addInquiries(to host: LuaTable) throws {
    let functions: KeyValuePairs<String, (borrowing LuaCall) throws -> Void> = [
      "runs": { [unowned self] call in
        let (count, name) = try runtime.takeRuns(of: call.value(0))
        call.return(.integer(count))
        call.return(.string(name))
      },
      "isBound": { [unowned self] call in
        call.return(try runtime.isBound(object(call), call.string(1)))
      },
      "bindingsOf": { [unowned self] call in
        let lines = runtime.describeBindings(try object(call)).map { LuaValue.string($0) }
        call.return(.table(try runtime.lua.table(lines)))
      },
      "read": { [unowned self] call in
        call.return(try runtime.read(object(call), call.string(1)))
      },
      "causes": { [unowned self] call in
        let lines = try runtime.why(object(call), call.string(1)).map {
          LuaValue.string("\($0)")
        }
        call.return(.table(try runtime.lua.table(lines)))
      },
      "linesOf": { [unowned self] call in
        // A chunk's name may be any path, and the file may be gone; then nothing is returned.
        let file = try call.string(0)
        guard knows(file), let text = try? SpecFile.read(file).source else { return }
        let lines = text.split(omittingEmptySubsequences: false) {
          $0 == "\n" || $0 == "\r\n" || $0 == "\r"
        }
        let (first, count) = (max(1, try call.integer(1)), max(0, try call.integer(2)))
        let some = lines.dropFirst(first - 1).prefix(count)
        call.return(.string(some.joined(separator: "\n")))
      },
      "errorLines": { [unowned self] call in
        try catchUp()
        var lines = runtime.errors.map { LuaValue.string(line($0)) }
        for session in sessions {
          lines += session.errors.map { .string("\(session.name): \(line($0))") }
        }
        call.return(.table(try runtime.lua.table(lines)))
      },
      "settle": { [unowned self] call in
        runtime.settle()
        call.return(runtime.loop.drain(limit: 1))
      },
      "listMissing": { [unowned self] _ in runtime.resolveNames(listing: true) },
      "listed": { [unowned self] call in
        let known = call.isNil(0) ? 0 : max(0, try call.integer(0))
        // The first word tells `settles` the kind of error.
        let lines = listed.dropFirst(known).map { error in
          LuaValue.string((error.code == .cycle ? "cycle " : "other ") + "\(error)")
        }
        call.return(.table(try runtime.lua.table(Array(lines))))
      },
      "cycles": { [unowned self] call in
        // A cycle that is already listed is not listed again when it recurs.
        let table = runtime.bindings
        call.return(table.cyclesFound)
        call.return(.string(table.latestCycle.map { "\($0)" } ?? ""))
      },
      "checkObject": { [unowned self] call in _ = try object(call) },
      "checkWays": { [unowned self] call in try runtime.checkWays(through: call.value(0)) },
      "carry": { [unowned self] call in
        call.return(
          try runtime.carry(
            call.value(0), through: call.value(1), isReverse: call.boolean(2)))
      },
      "hint": { call in
        let names = try call.table(1).sequence().compactMap(\.text).sorted()
        call.return(.string(NearestName.hint(for: try call.string(0), in: names)))
      },
      "isView": { call in call.return(call.object(0)?.dataObject is View) },
      "testNumber": { [unowned self] call in call.return(testNumber) },
      "testName": { [unowned self] call in call.return(testName) },
      "snapshotOf": { [unowned self] call in
        if let text = snapshots?[try call.string(0)] { call.return(.string(text)) }
      },
      "takeSnapshot": { [unowned self] call in
        let (name, text) = (try call.string(0), try call.string(1))
        try quota?.keepSnapshot(text, as: name)
        try snapshots?.put(text, as: name)
      },
      "wholeText": { [unowned self] call in
        call.return(.string(try runtime.wholeText(of: call.value(0))))
      },
      "snapshotProblem": { [unowned self] call in
        if let problem = snapshots?.problem { call.return(.string(problem)) }
      },
      "snapshotFile": { [unowned self] call in call.return(snapshots?.file ?? "") },
    ]
    for (name, body) in functions {
      try host.rawSet(.string(name), .function(runtime.function(named: name, body)))
    }
  }

  /// An error on one line, with its location and its binding's path. Locations in the runner's own
  /// files are omitted.
  private func line(_ error: TideError) -> String {
    let location = error.location.flatMap { EmbeddedSource.isEmbedded($0.file) ? nil : $0 }
    let place = location.map { "\($0): " } ?? ""
    let route = error.path.map { " (\($0))" } ?? ""
    return "\(place)\(error.message)\(route)"
  }

  private func object(_ call: borrowing LuaCall) throws -> DataObject {
    guard let object = call.object(0)?.dataObject else {
      throw TideError(
        .wrongType, "a data object or view is expected, not \(try shown(call.value(0)))")
    }
    return object
  }

  private func view(
    _ call: borrowing LuaCall, _ word: String, on screen: SpecScreen, at index: Int = 0
  ) throws -> View {
    if let view = call.object(index)?.dataObject as? View {
      if screen === self.screen { return view }
      throw TideError(
        .wrongType, "\(word) of a session takes the id of a view, not a view of the spec's own app")
    }
    if let id = try call.stringIfAny(index) { return try screen.view(id) }
    throw TideError(
      .wrongType, "ui.\(word) takes a view or its id, not \(try shown(call.value(index)))")
  }

  /// Parses the held modifier keys, such as `"Shift"` or `"Ctrl-Shift"`.
  private func modifiers(
    _ call: borrowing LuaCall, _ index: Int, _ word: String
  ) throws -> Key.Modifiers {
    if call.isNil(index) { return [] }
    let known = ["Shift": Key.Modifiers.shift, "Ctrl": .control, "Alt": .alt]
    var held: Key.Modifiers = []
    let text = try call.stringIfAny(index)
    for name in (text ?? "").split(separator: "-", omittingEmptySubsequences: false) {
      guard let modifier = known[String(name)] else {
        throw TideError(
          .badArgument,
          "ui.\(word) takes the keys that are held, as \"Shift\", \"Ctrl\" or \"Ctrl-Shift\", not "
            + "\(shown(try call.value(index)))"
            + NearestName.hint(for: String(name), in: known.keys.sorted()))
      }
      held.insert(modifier)
    }
    return held
  }

  /// A value in an error message about an unexpected argument.
  private func shown(_ value: LuaValue) -> String {
    value.object?.dataObject.map { "the data object \($0.label)" } ?? value.preview
  }

  private func size(_ call: borrowing LuaCall, _ index: Int) throws -> Size? {
    if call.isNil(index) { return nil }
    let text = try call.stringIfAny(index) ?? ""
    if let size = Size(screen: text) { return size }
    throw TideError(
      .badArgument, "a size is columns x rows, as \"80x24\", not \(try call.value(index).preview)")
  }
}
