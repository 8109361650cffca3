import TideBindings
import TideGraph
import TideLua
import TideSystem

/// A data object that follows a file: its text, its modification time, and whether it exists.
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
  private var reading: FileReading?
  private var known: FileInformation?
  private var isStale = false

  init(_ path: String, in runtime: Runtime) {
    self.path = path
    home = runtime.home
    changes = FolderChanges(runtime.loop)
    super.init(shape: Self.fileShape)
  }

  /// Starts following the file. It ends with the context.
  func begin(in runtime: Runtime) {
    changes.onChange = { [weak self] in self?.look() }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    changes.watch([folder.isEmpty ? "/" : folder])
    // For file systems that report no changes.
    beat = runtime.loop.after(1, repeating: true) { [weak self] in self?.look() }
    runtime.context.own { [self] in stop() }
    look()
  }

  private func stop() {
    changes.watch([])
    beat?.cancel()
    work?.cancel()
    reading?.cancel()
  }

  private func look() {
    guard let runtime = home.runtime else { return }
    if work != nil || reading != nil {
      isStale = true
      return
    }
    let place: ScriptPlace
    do { place = try runtime.place(of: path, for: .reading) } catch {
      return show(nil, nil, TideError(script: error))
    }
    let known = known
    work = runtime.loop.work({ () -> Result<FileInformation?, SystemError> in
      do throws(SystemError) {
        return .success(try FileAccess.information(of: place.name, in: place.folder))
      } catch {
        return .failure(error)
      }
    }) { [weak self] result in
      guard let self else { return }
      work = nil
      switch result {
      case .success(let found?) where found != known: read(found, place)
      case .success(let found): take(found, nil, nil)
      case .failure(let error): take(known, nil, TideError(sourceError: error, path))
      }
    }
  }

  private func read(_ found: FileInformation, _ place: ScriptPlace) {
    guard let runtime = home.runtime else { return }
    let reservation = MemoryReservation(runtime.memory.account)
    let reading = FileReading(place, path, reservation) { [weak self] result in
      guard let self, let runtime = home.runtime else { return }
      self.reading = nil
      do {
        let bytes = try result.get()
        // Charges the copy that the property holds.
        do { try runtime.charge(bytes.count) } catch { throw TideError.noRoom(for: "its text") }
        take(found, bytes, nil)
      } catch {
        take(known, nil, TideError(script: error))
      }
    }
    self.reading = reading
    reading.begin(in: runtime)
  }

  private func take(_ found: FileInformation?, _ bytes: [UInt8]?, _ error: TideError?) {
    show(found, bytes, error)
    if isStale {
      isStale = false
      look()
    }
  }

  /// Shows the file's state, or that of its stub in a spec.
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

/// The resolved location of a file or folder that a script has named: its parent folder, which is
/// held open, and its name.
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
  /// Resolves a script's path.
  ///
  /// - Throws: `notAllowed`; `source` if part of the path is missing.
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
