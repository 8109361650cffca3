package import TideCheck
package import TideLua
package import TideScript
import TideSystem

/// The checker's knowledge about the edited files and the files around them.
///
/// ```swift
/// analysis.update("/app/app.lua", Array(text.utf8))
/// try analysis.problems(of: "/app/app.lua")     // what `tidelock check` lists
/// ```
///
/// The files of a root form one workspace, as with `tidelock check ROOT`. A file outside of all
/// roots is its own workspace, as with `tidelock check FILE`; so is each file of a root with more
/// scripts than an app would have.
package final class AppAnalysis {
  private let allowed: LuaAccess
  private let hostNames: [String]
  private let specs: SpecVocabulary?
  private let sql: (any SQLReader)?
  /// Created on first use, so that the server starts quickly.
  private lazy var check = Result {
    try ScriptCheck(access: allowed, hostNames: hostNames, specs: specs, sql: sql)
  }
  /// The texts of open documents, which override the files' contents.
  private var edited: [PathKey: String] = [:]
  /// The same texts, shared by all workspaces.
  private let texts = EditedTexts()
  /// Incremented when answers may have changed.
  private(set) var generation = 0
  /// The root folders of the client's workspace.
  package var roots: [String] = [] {
    didSet {
      scopes = [:]
      isApp = [:]
    }
  }
  /// The cancellation of the current request; stops long searches.
  var cancellation: Cancellation?
  private var scopes: [PathKey: Scope] = [:]
  /// Whether a root has few enough scripts to form one workspace.
  private var isApp: [PathKey: Bool] = [:]

  /// A workspace with its cached snapshot.
  private final class Scope {
    let path: String
    let workspace: EditedWorkspace
    var snapshot: WorkspaceSnapshot?

    init(_ path: String, _ workspace: EditedWorkspace) {
      self.path = path
      self.workspace = workspace
    }
  }

  package init(
    access: LuaAccess = LuaAccess(), hostNames: [String] = [], specs: SpecVocabulary?,
    sql: (any SQLReader)? = nil
  ) {
    self.sql = sql
    allowed = access
    self.hostNames = hostNames
    self.specs = specs
  }

  // MARK: Texts

  /// Updates the text of a file being edited.
  package func update(_ path: String, _ text: [UInt8]) {
    let content = text.starts(with: Self.byteOrderMark) ? text.dropFirst(3) : text[...]
    let text = String(decoding: content, as: UTF8.self)
    // As when scripts are read from disk, a `#!` line becomes a comment.
    let script = text.hasPrefix("#") ? "--" + text : text
    if edited.updateValue(script, forKey: PathKey(path)) == nil {
      if texts.beginEditing(path, script), isRead(path) { return }
      // The file may be new, without a notification about it.
      return noteChange(of: path)
    }
    texts.edit(path, script)
    dropSnapshots()
  }

  /// Whether the workspace has read the file; true if it has no snapshot yet.
  private func isRead(_ path: String) -> Bool {
    guard let root = root(of: path), let snapshot = scopes[path: root]?.snapshot else {
      return true
    }
    return snapshot.contains(path)
  }

  /// Returns to the text on disk, because the file is no longer being edited.
  package func close(_ path: String) {
    edited[path: path] = nil
    scopes[path: path] = nil
    if !texts.endEditing(path) { noteChange(of: path) }
  }

  /// Invalidates snapshots after a file was written, created or removed.
  package func noteChange(of path: String) {
    isApp = [:]
    texts.filesChanged()
    dropSnapshots()
  }

  private func dropSnapshots() {
    generation += 1
    for scope in scopes.values { scope.snapshot = nil }
  }

  /// The path of the open document for a file, which may have been opened through a symbolic link;
  /// nil if the file is not open.
  package func editedPath(of file: String) -> String? { texts.editedPath(of: file) }

  // MARK: Answers

  /// The problems in a file; nil if it is neither being edited nor on disk.
  package func problems(of path: String) throws -> [Problem]? {
    guard let snapshot = try snapshot(for: path) else { return nil }
    return snapshot.problems(in: path)
  }

  /// A script's text as read by the checker; nil if there is no such script.
  package func bytes(of path: String) throws -> [UInt8]? {
    if let script = try script(path) { return script.bytes }
    return edited[path: path].map { Array($0.utf8) }
  }

  /// The analysis of a script; nil if it cannot be parsed.
  package func script(_ path: String) throws -> ScriptAnalysis? {
    try snapshot(for: path)?.analysis(of: path)
  }

  /// The files of all workspaces, and those being edited.
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
    // A root may have lost its last script, or no longer exist.
    if let root = root(of: path), let snapshot = try? snapshot(of: root), snapshot.contains(path) {
      return snapshot
    }
    return try snapshot(of: path)
  }

  /// The roots that form workspaces. Their files are checked even if they are not open.
  package var appRoots: [String] { roots.filter { root(of: $0 + "/") == $0 } }

  /// The innermost root that contains a file; nil if it has no scripts, or too many to form one
  /// workspace.
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
    // Files not on disk yet are known only by their texts.
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
    // Each scope retains the scripts that its own scripts require, so the number of scopes is
    // limited.
    if scopes.count >= Self.scopeLimit {
      let kept = Set(roots.map(PathKey.init))
      scopes = scopes.filter { kept.contains($0.key) }
    }
    let scope = Scope(path, EditedWorkspace(try check.get(), texts))
    scopes[path: path] = scope
    return scope
  }

  /// The number of workspaces beyond which those of single files are dropped.
  private static let scopeLimit = 16

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
}
