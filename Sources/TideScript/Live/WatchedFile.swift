import TideBindings
import TideGraph
import TideLua
import TideSystem

/// A data object that follows a file: what it holds, when it was changed, and whether it is there.
final class WatchedFile: LiveObject {
  static let fileShape = Shape(
    name: "file",
    properties: [
      PropertyDescription("text", .string, isReadOnly: true),
      PropertyDescription("modified", .number, isReadOnly: true),
      PropertyDescription("exists", .boolean, initial: .boolean(false), isReadOnly: true),
      PropertyDescription("error", .string, isReadOnly: true),
    ], swiftClasses: [])

  private enum Index: Int {
    case text, modified, exists, error
  }

  private let home: Home
  private let path: String
  private let changes: FolderChanges
  private var beat: LoopTimer?
  private var work: LoopWork?
  private var known: FileInformation?
  private var isStale = false

  init(_ path: String, in runtime: Runtime) {
    self.path = path
    home = runtime.home
    changes = FolderChanges(runtime.loop)
    super.init(shape: Self.fileShape)
  }

  /// Begins to follow it; ends with the context.
  func begin(in runtime: Runtime) {
    changes.onChange = { [weak self] in self?.look() }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    changes.watch([folder.isEmpty ? "/" : folder])
    // Where nothing reports changes.
    beat = runtime.loop.after(1, repeating: true) { [weak self] in self?.look() }
    runtime.context.own { [self] in stop() }
    look()
  }

  private func stop() {
    changes.watch([])
    beat?.cancel()
    work?.cancel()
  }

  private func look() {
    guard let runtime = home.runtime else { return }
    if work != nil {
      isStale = true
      return
    }
    let place: ScriptPlace
    do { place = try runtime.place(of: path, for: .reading) } catch {
      return show(nil, nil, TideError(script: error))
    }
    let (known, most) = (known, runtime.mostSourceBytes)
    work = runtime.loop.work({ () -> Result<(FileInformation?, [UInt8]?), SystemError> in
      do throws(SystemError) {
        let found = try FileAccess.information(of: place.name, in: place.folder)
        guard let found, found != known else { return .success((found, nil)) }
        return .success(
          (found, try FileAccess.read(place.name, in: place.folder, most: most)))
      } catch {
        return .failure(error)
      }
    }) { [weak self] in self?.take($0) }
  }

  private func take(_ result: Result<(FileInformation?, [UInt8]?), SystemError>) {
    work = nil
    switch result {
    case .success((let found, let bytes)): show(found, bytes, nil)
    case .failure(let error): show(known, nil, TideError(sourceError: error, path))
    }
    if isStale {
      isStale = false
      look()
    }
  }

  /// Shows what was found, or what stands in its place in a spec.
  func show(_ found: FileInformation?, _ bytes: [UInt8]?, _ error: TideError?) {
    known = error == nil ? found : nil
    home.runWithinBudget {
      graph.batch {
        put(.error, error.map { .string($0.message) } ?? .null)
        if error != nil { return }
        put(.exists, .boolean(found != nil))
        put(.modified, found.map { .number($0.modified) } ?? .null)
        if let bytes {
          put(.text, bytes.withUnsafeBytes { Value(text: $0) })
        } else if found == nil {
          put(.text, .null)
        }
      }
    }
  }

  private func put(_ index: Index, _ value: Value) { put(index.rawValue, value) }
}

/// A file or folder that a script has named: the folder that it is in, which is held open, and its
/// name there.
package final class ScriptPlace: Sendable {
  package let folder: Int32
  package let name: String

  fileprivate init(folder: Int32, name: String) {
    self.folder = folder
    self.name = name
  }

  deinit { close(folder) }
}

extension Runtime {
  /// Where a script's path leads.
  ///
  /// - Throws: `notAllowed`, or `source` where something is missing on the way.
  func place(
    of path: String, for use: LuaState.FileUse, followsLink: Bool = true
  ) throws -> ScriptPlace {
    switch lua.locate(path, for: use, followsLink: followsLink) {
    case .found(let folder, let name): return ScriptPlace(folder: folder, name: name)
    case .refused(let reason): throw TideError(.notAllowed, reason)
    case .failed(let number):
      throw TideError(.source, "\"\(path.inMessage)\": \(SystemText.of(number))")
    }
  }
}
