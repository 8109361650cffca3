package import TideCheck
package import TideLua
import TideSystem

/// What the checker knows about the files that are being edited, and about those around them.
///
/// ```swift
/// analysis.update("/app/app.lua", Array(text.utf8))
/// try analysis.problems(of: "/app/app.lua")     // what `tidelock check` lists
/// ```
///
/// The files of a root are one workspace, as for `tidelock check ROOT`. A file outside all roots is
/// a workspace of its own, as for `tidelock check FILE`; so is each file of a root that holds more
/// scripts than an app would.
package final class AppAnalysis {
  private let allowed: LuaAccess
  private let hostNames: [String]
  private let specs: SpecVocabulary?
  /// Made when it is first needed, so that the server starts at once.
  private lazy var check = Result {
    try ScriptCheck(access: allowed, hostNames: hostNames, specs: specs)
  }
  /// The texts of open documents, which replace those of files.
  private var edited: [PathKey: String] = [:]
  /// The folders that are workspaces.
  package var roots: [String] = [] {
    didSet {
      scopes = [:]
      isApp = [:]
    }
  }
  /// That of the request that is being answered: long searches stop when it is set.
  var cancellation: Cancellation?
  private var scopes: [PathKey: Scope] = [:]
  /// Whether a root holds few enough scripts to be one workspace.
  private var isApp: [PathKey: Bool] = [:]

  /// One workspace, with its snapshot until something changes.
  private final class Scope {
    let path: String
    let workspace: EditedWorkspace
    var snapshot: WorkspaceSnapshot?

    init(_ path: String, _ workspace: EditedWorkspace) {
      self.path = path
      self.workspace = workspace
    }
  }

  package init(access: LuaAccess = LuaAccess(), hostNames: [String] = [], specs: SpecVocabulary?) {
    allowed = access
    self.hostNames = hostNames
    self.specs = specs
  }

  // MARK: Texts

  /// Takes the new text of a file that is being edited.
  package func update(_ path: String, _ text: [UInt8]) {
    let content = text.starts(with: Self.byteOrderMark) ? text.dropFirst(3) : text[...]
    let text = String(decoding: content, as: UTF8.self)
    // As when scripts are read from the disk: a first line for the shell becomes a comment.
    let script = text.hasPrefix("#") ? "--" + text : text
    // The file may be new, and nobody may have reported that.
    if edited.updateValue(script, forKey: PathKey(path)) == nil { noteChange(of: path) }
    for scope in scopes.values { edit(path, script, in: scope) }
  }

  /// Goes back to the text on the disk, because the file is no longer edited.
  package func close(_ path: String) {
    edited[path: path] = nil
    scopes[path: path] = nil
    for scope in scopes.values { edit(path, nil, in: scope) }
    noteChange(of: path)
  }

  /// Notes that a file was written, created or removed.
  package func noteChange(of path: String) {
    isApp = [:]
    for scope in scopes.values {
      scope.workspace.filesChanged()
      scope.snapshot = nil
    }
  }

  private func edit(_ path: String, _ text: String?, in scope: Scope) {
    scope.workspace.edit(path, text)
    scope.snapshot = nil
  }

  // MARK: Answers

  /// The problems in a file; nil if it is neither being edited nor on the disk.
  package func problems(of path: String) throws -> [Problem]? {
    guard let snapshot = try snapshot(for: path) else { return nil }
    return snapshot.problems(in: path)
  }

  /// A script as the checker reads it; nil if there is no such script.
  package func bytes(of path: String) throws -> [UInt8]? {
    if let script = try script(path) { return script.bytes }
    return edited[path: path].map { Array($0.utf8) }
  }

  /// The analysis of a script; nil if it cannot be parsed.
  package func script(_ path: String) throws -> ScriptAnalysis? {
    try snapshot(for: path)?.analysis(of: path)
  }

  /// The files of all workspaces, and those that are being edited.
  package var files: [String] {
    get throws {
      var found = Set(edited.keys)
      for root in roots where self.root(of: root + "/") != nil {
        found.formUnion(try snapshot(of: root)?.files.map(PathKey.init) ?? [])
      }
      return found.sorted().map(\.path)
    }
  }

  /// The workspace that a file belongs to, with its current texts.
  package func snapshot(for path: String) throws -> WorkspaceSnapshot? {
    guard edited[path: path] != nil || Self.exists(path) else { return nil }
    // A root may have lost its last script, or be gone.
    if let root = root(of: path), let snapshot = try? snapshot(of: root), snapshot.contains(path) {
      return snapshot
    }
    return try snapshot(of: path)
  }

  /// The roots that are workspaces. Their files are checked even if nobody has them open.
  package var appRoots: [String] { roots.filter { root(of: $0 + "/") == $0 } }

  /// The innermost root around a file; nil if it has no scripts, or too many to be one workspace.
  private func root(of path: String) -> String? {
    let around = roots.filter { SystemPath.isBelow(path, $0) }
    guard let root = around.max(by: { $0.utf8.count < $1.utf8.count }) else { return nil }
    if let known = isApp[path: root] { return known ? root : nil }
    var files = RootFiles([root])
    while files.next() != nil {}
    isApp[path: root] = !files.hasMore && files.count > 0
    return isApp[path: root] == true ? root : nil
  }

  private func snapshot(of scope: String) throws -> WorkspaceSnapshot? {
    let scope = try scopes[path: scope] ?? makeScope(scope)
    if let snapshot = scope.snapshot { return snapshot }
    // Files that are not on the disk yet are known only by their texts.
    let unsaved = edited.keys.map(\.path).filter { path in
      PathKey(path) != PathKey(scope.path) && SystemPath.isBelow(path, scope.path)
        && !Self.exists(path)
    }
    let snapshot = try scope.workspace.snapshot(of: [scope.path] + unsaved.sorted())
    snapshot.isCancelled = { [unowned self] in cancellation?.isCancelled ?? false }
    scope.snapshot = snapshot
    return snapshot
  }

  private func makeScope(_ path: String) throws -> Scope {
    // Each scope keeps all scripts that its own requires, so their number is limited.
    if scopes.count >= Self.scopeLimit {
      let kept = Set(roots.map(PathKey.init))
      scopes = scopes.filter { kept.contains($0.key) }
    }
    let scope = Scope(path, EditedWorkspace(try check.get()))
    for (path, text) in edited { scope.workspace.edit(path.path, text) }
    scopes[path: path] = scope
    return scope
  }

  /// How many workspaces are kept before those of single files are dropped.
  private static let scopeLimit = 16

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
}
