import TideBindings
import TideScript
import TideSystem

/// The state of a workspace at one moment: its scripts, the apps that they form, and their
/// problems.
///
/// A file is checked on the first request, and only once.
package final class WorkspaceSnapshot {
  /// The requested files, by the paths that were given, each once.
  package let files: [String]
  /// Whether the current request was cancelled. It may be set before each request.
  package var isCancelled: () -> Bool = { false }
  private let check: ScriptCheck
  let finder: ScriptFinder
  private let unions: SymbolUnions
  let work: Workspace
  /// By the files' real paths.
  private var outcomes: [PathKey: Workspace.Outcome] = [:]
  private var apps: [Int: AppIndex] = [:]
  private var analyses: [ObjectIdentifier: ScriptAnalysis] = [:]
  private var found: [PathKey: [Problem]] = [:]

  init(
    _ paths: [String], _ check: ScriptCheck, _ reader: ScriptReader, _ texts: EditedTexts,
    _ unions: SymbolUnions
  ) throws {
    self.unions = unions
    self.check = check
    let finder = texts.finder
    self.finder = finder
    var work = Workspace(names: check.names, reader: reader, finder: finder, texts: texts)
    var files: [String] = []
    var seen: Set<PathKey> = []
    let found = try finder.found(at: paths) { texts.text(of: $0) != nil }
    // A file that is found through a link may also be requested by its own path.
    let followed = Set(
      found.filter { $0.leftFolder == nil }.map { PathKey(finder.identity(of: $0.path)) })
    reader.readAhead(
      found.filter { $0.leftFolder == nil }.map { file in
        let identity = finder.identity(of: file.path)
        return (file.path, identity, texts.text(of: identity))
      })
    for file in found {
      let identity = finder.identity(of: file.path)
      if file.leftFolder != nil, followed.contains(PathKey(identity)) { continue }
      guard seen.insert(PathKey(identity)).inserted else { continue }
      files.append(file.path)
      outcomes[path: identity] =
        if let folder = file.leftFolder {
          .failed(Workspace.unfollowed(file.path, leaving: folder))
        } else {
          work.add(file.path)
        }
    }
    work.addRelated()
    self.files = files
    self.work = work
    reader.keep(only: work.identities)
  }

  /// The problems in one of the requested files.
  package func problems(in file: String) -> [Problem] {
    let identity = finder.identity(of: file)
    if let known = found[path: identity] { return known }
    let problems: [Problem]
    switch outcomes[path: identity] {
    case .failed(let problem)?: problems = [problem]
    case .read(let index)?:
      let script = work.scripts[index]
      problems = script.failure.map { [$0] } ?? check.check(script, of: app(of: index))
    case nil: problems = []
    }
    found[path: identity] = problems
    return problems
  }

  /// The requested files, with the problems in each.
  package var checkedFiles: [ScriptCheck.File] {
    files.map { ScriptCheck.File(path: $0, problems: problems(in: $0)) }
  }

  /// A requested script; nil if it cannot be read.
  func script(of file: String) -> Script? {
    guard case .read(let index)? = outcomes[path: finder.identity(of: file)] else { return nil }
    return work.scripts[index]
  }

  /// The analysis of a file for an editor; nil if the file cannot be parsed.
  package func analysis(of file: String) -> ScriptAnalysis? {
    guard case .read(let index)? = outcomes[path: finder.identity(of: file)] else { return nil }
    return analysis(of: work.scripts[index], app(of: index))
  }

  private func analysis(of script: Script, _ app: AppIndex) -> ScriptAnalysis {
    let key = ObjectIdentifier(script)
    if let known = analyses[key] { return known }
    let made = ScriptAnalysis(
      script, of: app, check, isCancelled: { [unowned self] in isCancelled() },
      others: { [unowned self] other in analysis(of: other, app) })
    analyses[key] = made
    return made
  }

  /// The requested files, and those that they require.
  package var readFiles: [String] {
    Set((files + work.scripts.map(\.source.path)).map(PathKey.init)).sorted().map(\.path)
  }

  /// Whether a file has no syntax error.
  package func isWellFormed(_ file: String) -> Bool {
    guard case .read(let index)? = outcomes[path: finder.identity(of: file)] else { return false }
    return work.scripts[index].failure == nil
  }

  /// A script of an app that is about to run.
  package struct AppScript {
    package let path: String
    package let bytes: [UInt8]
    /// Whether it shows a view.
    package let showsView: Bool
    /// Whether another script of the app requires it.
    package let isRequired: Bool
  }

  /// The scripts of the app to which a file belongs, without specs; empty if one has a syntax
  /// error.
  package func appScripts(of file: String) -> [AppScript] {
    guard let analysis = analysis(of: file), analysis.app.isWhole else { return [] }
    let required = Set(work.modules.values.map { ObjectIdentifier($0) })
    return analysis.app.scripts.filter { !$0.isSpec }.map { script in
      AppScript(
        path: script.source.path, bytes: script.source.bytes,
        showsView: analysis.analysis(of: script).shownView != nil,
        isRequired: required.contains(ObjectIdentifier(script)))
    }
  }

  /// Whether a file was requested.
  package func contains(_ file: String) -> Bool { outcomes[path: finder.identity(of: file)] != nil }

  func app(of index: Int) -> AppIndex {
    let leader = work.leader(of: index)
    if let known = apps[leader] { return known }
    let made = work.makeIndex(
      ofAppOf: index, joinedBy: unions.union(for: work.scripts[leader].source.path))
    apps[leader] = made
    return made
  }
}
