import TideSystem
package import TideBindings
import TideGraph
import TideLua
import TideScript
import TideViews

extension Session {
  /// Runs `:name argument`.
  func runCommand(_ text: String) -> ChunkResult {
    do { return try result(ofCommand: text) } catch { return .failed(failure(error)) }
  }

  private func result(ofCommand text: String) throws -> ChunkResult {
    if text.isEmpty { return .values([]) }
    guard let (command, argument) = MetaCommand.find(in: text) else {
      let name = text.dropFirst().prefix { !$0.isWhitespace }
      let hint = NearestName.hint(for: String(name), in: MetaCommand.all.map(\.name))
      throw TideError(.metaCommand, "there is no command :\(name)\(hint); :help lists them")
    }
    if command.isCut(argument) {
      throw TideError(.metaCommand, "write \(command.heading)")
    }
    if isAttached, command.isAtPrompt {
      throw TideError(
        .metaCommand, ":\(command.name) is done by the prompt, and not within the app")
    }
    return try command.run(self, argument)
  }

  // MARK: Inspection

  func listModels() throws -> ChunkResult {
    let models = runtime.graph.untracked { runtime.models }
    let lines = try runtime.graph.untracked {
      try models.names.compactMap { name in
        try models[name].map { model -> String in
          let value = try printer.text(of: runtime.luaValue(.object(model)))
          return "\(name.escapingControls) = \(value)"
        }
      }
    }
    return .values(lines.isEmpty ? ["There are no models."] : lines)
  }

  func listViews() throws -> ChunkResult {
    guard let scene = runtime.scene else { return .values(["No view is shown."]) }
    var lines: [String] = []
    var stack: [(view: View, depth: Int)] = [(scene.root ?? scene.window, 0)]
    runtime.graph.untracked {
      while let (view, depth) = stack.popLast(), lines.count < 1000 {
        var line = String(repeating: "  ", count: depth) + view.viewClass.name
        if let id = view[.id] { line += " #\(id)" }
        if let text = text(shownBy: view) { line += " \(text)" }
        if view[.focused] { line += " (focused)" }
        if view[.hidden] { line += " (hidden)" }
        // Escaped, so that each view takes one line whatever its id and text contain.
        lines.append(line.escapingControls)
        for subview in view.subviews.reversed() { stack.append((subview, depth + 1)) }
      }
    }
    return .values(lines)
  }

  func text(shownBy view: View) -> String? {
    for name in ["title", "text"] where view.shape.index(of: name) != nil {
      if view.shape.index(of: "secure") != nil, view[.secure] { return nil }
      if let text = view[name].text, !text.isEmpty {
        return TransformCall.quoted(String(text.prefix(40)))
      }
    }
    return nil
  }

  func listBindings(_ path: String) throws -> ChunkResult {
    let bindings: [Binding]
    if path.isEmpty {
      bindings = runtime.bindings.bindings(of: nil, property: nil)
    } else {
      let end = try resolve(path)
      bindings =
        end.path.steps.isEmpty
        ? runtime.bindings.bindings(of: end.object, property: nil)
        : try runtime.bindings.bindings(of: end.object, at: end.path)
    }
    if bindings.isEmpty { return .values(["There are no bindings."]) }
    return .values(bindings.prefix(500).map { $0.description.escapingControls })
  }

  func listDependencies(_ path: String) throws -> ChunkResult {
    let end = try resolve(path)
    guard let slot = try slot(of: end) else {
      throw TideError(.metaCommand, "\"\(path)\" names no property; write model.property")
    }
    let graph = runtime.graph
    let sources = named(from: slot) { graph.dependencies(of: $0).map(graph.source) }
    let targets = named(from: slot) { graph.dependents(of: $0).map(graph.target) }
    return .values(
      ["\(graph.name(of: slot)) depends on"] + indented(sources) + ["and on it depend"]
        + indented(targets))
  }

  /// The nearest named nodes in one direction: properties, observers and effects. Skips internal
  /// nodes of paths and bindings.
  private func named(from start: Slot, _ next: (Slot) -> [Slot]) -> [String] {
    let graph = runtime.graph
    var names: [String] = []
    var seen: Set<Slot> = [start]
    var waiting = next(start)
    while let slot = waiting.popLast(), seen.count < 10_000 {
      guard seen.insert(slot).inserted else { continue }
      let further = slot.blockHeader == nil ? next(slot) : []
      if further.isEmpty {
        let name = graph.name(of: slot)
        if !names.contains(name) { names.append(name) }
      } else {
        waiting += further
      }
    }
    return names
  }

  private func indented(_ names: [String]) -> [String] {
    names.isEmpty ? ["  nothing"] : names.prefix(200).map { "  " + $0.escapingControls }
  }

  func explain(_ path: String) throws -> ChunkResult {
    let causes = try causes(of: path)
    if causes.isEmpty { return .values(["Nothing is known of how it came about."]) }
    return .values(causes.map { "\($0)".escapingControls })
  }

  /// The causes of a property's value; the property is given as a path.
  package func causes(of path: String) throws -> [Cause] {
    let end = try resolve(path)
    if end.path.steps.isEmpty { throw Self.propertyIsMissing(in: path, end.object) }
    return try runtime.why(end.object, end.path.description)
  }

  /// The error for an object's name without a property; lists the object's properties.
  private static func propertyIsMissing(in path: String, _ object: DataObject) -> TideError {
    let names = object.shape.properties.map { "\(path).\($0.name)" }
    let most = 30
    let listed = names.prefix(most).joined(separator: ", ")
    let rest = names.count > most ? " and \(names.count - most) more" : ""
    return TideError(
      .metaCommand,
      names.isEmpty
        ? "\"\(path)\" has no properties of which it could be asked why"
        : "\"\(path)\" is an object; ask why of one of its properties: \(listed)\(rest)")
  }

  func listErrors() throws -> ChunkResult {
    var texts = runtime.errors.map { Diagnostic($0).text() }
    if let rejected = runtime.errorLog.rejectedReload {
      texts.append("not reloaded: \(Diagnostic(rejected).text())")
    }
    return .values(texts.isEmpty ? ["There are no errors."] : texts)
  }

  func showMemory() throws -> ChunkResult {
    .values([
      "\(Self.bytes(runtime.memoryUsed)) in use by scripts, \(runtime.bindings.liveBindings) bindings"
    ])
  }

  private static func bytes(_ count: Int) -> String {
    if count >= 1 << 20 { return "\((count * 10 >> 20) / 10).\((count * 10 >> 20) % 10) MiB" }
    return "\((count + 512) >> 10) KiB"
  }

  // MARK: Changing

  func set(_ text: String) throws -> ChunkResult {
    let path = String(text.prefix { !$0.isWhitespace })
    let code = text.dropFirst(path.count).drop(while: \.isWhitespace)
    if code.isEmpty { throw TideError(.metaCommand, "write :set path value") }
    let end = try resolve(path)
    guard let last = end.path.steps.last?.propertyName,
      let object = try owner(of: end), object.shape.index(of: last) != nil
    else { throw TideError(.metaCommand, "\"\(path)\" names no property; write model.property") }
    let chunk = try compile("return \(code)", isComplete: true)
    let value = try runtime.value(from: try chunk.map(call)?.first ?? .nil)
    let old = runtime.graph.untracked { object[last] }
    try object.set(last, value)
    let written = runtime.graph.untracked { object[last] }
    note(Undo(path: path, object: object, property: last, old: old, written: written))
    return .values([])
  }

  /// Restores the value before the last `:set`, unless the property has been written since.
  func undo() throws -> ChunkResult {
    guard let last = takeUndo() else {
      throw TideError(.metaCommand, "there is nothing to take back")
    }
    guard let object = last.object else {
      throw TideError(.metaCommand, "the object of \"\(last.path)\" is gone; nothing was changed")
    }
    let current = runtime.graph.untracked { object[last.property] }
    if current != last.written {
      let shown = try printer.text(of: runtime.luaValue(current))
      throw TideError(
        .metaCommand,
        "\"\(last.path)\" has been written since, and is \(shown); nothing was changed. "
          + ":undo once more takes back the :set before")
    }
    try object.set(last.property, last.old)
    return .values(["\(last.path) is as it was."])
  }

  /// Ends the app, also from an attached prompt.
  func stopApp(_ code: String) throws -> ChunkResult {
    guard let number = Int32(code.isEmpty ? "0" : code), (0...255).contains(number) else {
      throw TideError(.metaCommand, "\"\(code)\" is no exit code; write :stop, or :stop 1")
    }
    runtime.exit(number)
    return .values([])
  }

  func reload(_ module: String) throws -> ChunkResult {
    guard let onReload else {
      throw TideError(.metaCommand, "the program in which this session runs reloads no scripts")
    }
    return told(try onReload(module.isEmpty ? nil : module))
  }

  func reset() throws -> ChunkResult {
    if let onReset { return told(try onReset()) }
    // As with `:reload`, only the host can restart what it shows and has bound.
    if isAttached {
      throw TideError(.metaCommand, "the program in which this session runs starts no app anew")
    }
    try runtime.reset()
    return .values(["reset"])
  }

  private func told(_ line: String) -> ChunkResult { .values(line.isEmpty ? [] : [line]) }

  // MARK: Chunks

  func time(_ code: String) throws -> ChunkResult {
    guard let chunk = try compile(code, isComplete: true) else { return .values([]) }
    let clock = ContinuousClock()
    let start = clock.now
    let values = try call(chunk)
    let time = Self.text(of: start.duration(to: clock.now))
    return .values(values.map { printer.text(of: $0) } + [time])
  }

  /// Profiles a chunk; without one, starts or ends profiling of the app.
  func profile(_ code: String) throws -> ChunkResult {
    if let measuring, code.isEmpty {
      self.measuring = nil
      return .values([measuring.end().table()])
    }
    if code.isEmpty {
      measuring = try ProfileSession(runtime)
      return .values(["measuring; :profile again ends it and tells where the time went"])
    }
    guard let chunk = try compile(code, isComplete: true) else { return .values([]) }
    let measuring = try ProfileSession(runtime)
    let values = try call(chunk)
    runtime.settle()
    return .values(values.map { printer.text(of: $0) } + [measuring.end().table()])
  }

  func load(_ file: String) throws -> ChunkResult {
    let chunk = try chunk(ofFile: file, ScriptFile.read(file))
    return .values(try call(chunk).map { printer.text(of: $0) })
  }

  func save(_ file: String) throws -> ChunkResult {
    .values([try ChunkFile.save(chunks.texts, to: file)])
  }

  /// Runs a text after editing; the editor starts with the last chunk.
  func edit() throws -> ChunkResult {
    run(try ChunkFile.edit(chunks.last ?? ""), isComplete: true)
  }
}
