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
  }

  func checkRequires() {
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
