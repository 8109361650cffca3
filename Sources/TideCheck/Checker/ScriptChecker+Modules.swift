import TideBindings
import TideScript
import TideSystem

// Models that are declared and never used or declared twice, and modules that cannot be found.
extension ScriptChecker {
  func checkModelUse() {
    if app.usesAllModels || app.unknownModels == .computed { return }
    let declared = Dictionary(grouping: app.models, by: \.name)
    for model in script.symbols.models where !model.isTaken && !model.isActive {
      let others = declared[model.name] ?? []
      let isNamed =
        others.contains { $0.isTaken } || app.mentionedModels.contains(model.name)
        || app.words[model.name] ?? 0 > others.count
      if isNamed { continue }
      report(
        .unusedModel, "nothing names the model \"\(model.name)\"; bind it, or take it out",
        at: model.offset, .warning)
    }
  }

  /// Reports a model that another module declares as well, at the declaration that fails when the
  /// app runs.
  func checkRepeatedModels() {
    for model in index.repeatedModels[ObjectIdentifier(script)] ?? [] {
      let message =
        "the model \"\(model.name)\" is declared at \(model.earlier) already, by another module; "
        + "use models.\(model.name), or declare it in one of them"
      let lines = script.source.lines
      let line = lines.location(of: model.offset).line
      let offset = lines.text(of: line).map {
        lines.offset(line: line, column: 1) + CulpritFinder.offset(in: $0, of: message)
      }
      report(.duplicate, message, at: offset ?? model.offset)
    }
    checkModelsDeclaredTwice()
  }

  /// Reports a model that the script's main body declares twice: the later fields replace the
  /// values of the former ones.
  private func checkModelsDeclaredTwice() {
    if script.isSpec || mentions != nil { return }
    var declared: [String: Int] = [:]
    for model in script.symbols.models where model.isCertain {
      guard let first = declared[model.name] else {
        declared[model.name] = model.offset
        continue
      }
      let line = script.source.location(of: first).line
      report(
        .duplicate,
        "the model \"\(model.name)\" is declared at line \(line) already, and is the same object; "
          + "give this one another name", at: model.offset, .warning)
    }
  }

  /// Reports a module that ends without a result, if another script uses the result.
  private func checkForgottenResult() {
    guard !script.isSpec, script.failure == nil, mentions == nil,
      LuaFunctionBody.results(of: script.statements).isEmpty,
      case .local(let locals, _)? = script.statements.first(where: { statement in
        if case .local(let locals, _) = statement {
          locals.contains(where: \.isExtended)
        } else {
          false
        }
      }), let table = locals.first(where: \.isExtended),
      index.scripts.contains(where: { usesResult(ofScript: script, in: $0) })
    else { return }
    let bytes = script.source.bytes
    let last = bytes.lastIndex { $0 > 0x20 } ?? 0
    report(
      .module,
      "another script requires this one for its result, and it returns nothing; write "
        + "return \(table.name) at its end", at: last)
  }

  /// Whether another script keeps the result of requiring a module in a variable that it reads.
  private func usesResult(ofScript module: Script, in other: Script) -> Bool {
    guard other !== module else { return false }
    return other.statements.contains { statement in
      guard case .local(let locals, let values) = statement else { return false }
      return zip(locals, values).contains { local, value in
        local.isRead && inference.context.modules[ObjectIdentifier(value)] === module
      }
    }
  }

  /// Reports the `require` with which a module comes to require itself.
  private func checkCircles() {
    for circle in index.requiredInCircles[ObjectIdentifier(script)] ?? [] {
      report(
        .module,
        "\"\(circle.name)\" requires this module itself, so that neither can be loaded; require it "
          + "in a function, or move what both need into a module of its own", at: circle.offset)
    }
  }

  func checkRequires() {
    checkForgottenResult()
    checkCircles()
    for missing in index.missingModules(of: script) {
      let parts = missing.name.split(separator: ".", omittingEmptySubsequences: false)
      let stem = SystemPath.joined(missing.home, parts.joined(separator: "/"))
      report(
        .module,
        "there is no module \"\(missing.name)\": neither \(stem).lua nor \(stem)/init.lua can be "
          + "read" + NearestModule.hint(for: missing.name, in: missing.home),
        at: missing.offset)
    }
  }
}
