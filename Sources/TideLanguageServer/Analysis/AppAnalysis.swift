package import TideCheck
package import TideLua
package import TideScript
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
  private let sql: (any SQLReader)?
  /// Made when it is first needed, so that the server starts at once.
  private lazy var check = Result {
    try ScriptCheck(access: allowed, hostNames: hostNames, specs: specs, sql: sql)
  }
  /// The texts of open documents, which replace those of files.
  private var edited: [PathKey: String] = [:]
  /// The same texts, for all workspaces.
  private let texts = EditedTexts()
  /// Grows when answers may have changed.
  private(set) var generation = 0
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

  /// Takes the new text of a file that is being edited.
  package func update(_ path: String, _ text: [UInt8]) {
    let content = text.starts(with: Self.byteOrderMark) ? text.dropFirst(3) : text[...]
    let text = String(decoding: content, as: UTF8.self)
    // As when scripts are read from the disk: a first line for the shell becomes a comment.
    let script = text.hasPrefix("#") ? "--" + text : text
    if edited.updateValue(script, forKey: PathKey(path)) == nil {
      if texts.beginEditing(path, script), isRead(path) { return }
      // The file may be new, and nobody may have reported that.
      return noteChange(of: path)
    }
    texts.edit(path, script)
    dropSnapshots()
  }

  /// Whether the workspace of a file has read it, if its scripts have been read.
  private func isRead(_ path: String) -> Bool {
    guard let root = root(of: path), let snapshot = scopes[path: root]?.snapshot else {
      return true
    }
    return snapshot.contains(path)
  }

  /// Goes back to the text on the disk, because the file is no longer edited.
  package func close(_ path: String) {
    edited[path: path] = nil
    scopes[path: path] = nil
    if !texts.endEditing(path) { noteChange(of: path) }
  }

  /// Notes that a file was written, created or removed.
  package func noteChange(of path: String) {
    isApp = [:]
    texts.filesChanged()
    dropSnapshots()
  }

  private func dropSnapshots() {
    generation += 1
    for scope in scopes.values { scope.snapshot = nil }
  }

  /// The path of the document whose text stands for a file: the file may be open through a link. Nil
  /// if no document does.
  package func editedPath(of file: String) -> String? { texts.editedPath(of: file) }

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
    let scope = Scope(path, EditedWorkspace(try check.get(), texts))
    scopes[path: path] = scope
    return scope
  }

  /// How many workspaces are kept before those of single files are dropped.
  private static let scopeLimit = 16

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
}
