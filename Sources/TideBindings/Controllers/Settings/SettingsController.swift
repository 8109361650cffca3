public import TideGraph

/// Keeps what a person has chosen from one run to the next, in a file.
///
/// ```swift
/// let settings = SettingsController(path: "…/settings.json", initialValues: ["theme": "dark"])
/// try context.bind("values.theme <> text", settings, field)
/// settings.appliesImmediately = false     // changes wait for save or revert
/// try settings.save()
/// ```
///
/// `values` has a value for every key that was set, and the initial values for the rest; only what
/// was set is in the file, which is JSON. It holds text, numbers, booleans, lists and dictionaries.
/// While `appliesImmediately` is true, which it is at first, each change is written when it has
/// settled; else `hasUnappliedChanges` tells of changes that are not in the file.
///
/// The file is replaced in one step. One that is broken is reported with its line, and kept under
/// another name; one that cannot be read is never overwritten. Without a path the values live as
/// long as the controller.
public final class SettingsController: Controller {
  private let file: SettingsFile?
  private let volume: SettingsVolume?
  private let store: SettingsValues
  private let defaults: DictionaryObject
  /// What the file holds, as text.
  private let applied: Signal<String>
  private var observers: [Slot] = []
  /// Why the file must not be written; nil when it may.
  private var blockade: TideError?

  package static let settingsShape = Shape(
    name: "controller.settings",
    properties: [
      PropertyDescription("values", .dictionary, isReadOnly: true),
      PropertyDescription("initialValues", .dictionary, isReadOnly: true),
      PropertyDescription("appliesImmediately", .boolean, initial: .boolean(true)),
      .derived("hasUnappliedChanges", .boolean, of: SettingsController.self) {
        .boolean($0.hasChanges)
      },
    ], superclass: controllerShape, swiftClasses: [ObjectIdentifier(SettingsController.self)])

  /// Reads the file, if there is one. What is wrong with it is listed with the graph's errors.
  public convenience init(path: String? = nil, initialValues: [String: Value] = [:]) {
    self.init(path: path, initialValues: DictionaryObject(initialValues))
  }

  public convenience init(path: String?, initialValues: DictionaryObject) {
    self.init(path: path, initialValues: initialValues, volume: nil)
  }

  /// - Parameter volume: what the file may take beside others.
  package init(path: String?, initialValues: DictionaryObject, volume: SettingsVolume?) {
    file = path.map { SettingsFile(path: $0) }
    self.volume = volume
    defaults = initialValues
    store = SettingsValues(defaults)
    applied = Graph.current.signal("{}")
    super.init(shape: Self.settingsShape)
    put("values", .object(store))
    put("initialValues", .object(defaults))
    let owner = ObjectHandle(self)
    graph.derive(
      slot(.state),
      by: FunctionBody {
        .string(try (owner.object as? SettingsController)?.written().text ?? "{}")
      })
    read()
    observe(slot(.state))
    if let index = shape.index(of: "appliesImmediately") { observe(slot(index)) }
  }

  deinit {
    for observer in observers { graph.release(observer) }
  }

  private func observe(_ slot: Slot) {
    graph.refreshListing(slot)
    let body = ObserverFunction { [unowned self] _, _ in applyIfImmediate() }
    observers.append(graph.makeObserver(of: slot, body))
  }

  /// Where the values are kept; nil where they are not. Scripts are not told, as it says who runs them.
  public var path: String? { file?.path }

  /// What was set, by key; a key that was not reads as its initial value.
  public var values: DictionaryObject { store }

  /// What keys read as that were not set.
  public var initialValues: DictionaryObject { defaults }

  /// Whether each change is written at once; true unless set.
  public var appliesImmediately: Bool {
    get { self["appliesImmediately"] == true }
    set { put("appliesImmediately", .boolean(newValue)) }
  }

  /// Whether something differs from what the file holds.
  public var hasUnappliedChanges: Bool { hasChanges }

  private var hasChanges: Bool {
    let state = slot(.state)
    graph.refreshListing(state)
    Graph.trackRead(of: state)
    return state.load() != .string(applied.value)
  }

  // MARK: Applying

  /// Writes the values to the file, and returns when they are safe there. Commits what is being
  /// edited before.
  ///
  /// Throws what cannot be written; the file is then as it was.
  public func save() throws {
    try commitEditing()
    try apply(durably: true)
  }

  /// Takes back all changes since the last time that they were written.
  public func revert() {
    discardEditing()
    let text = graph.untracked { applied.value }
    guard
      case .object(let saved as DictionaryObject)? = try? JSONReader.read(
        Array(text.utf8), file: "settings")
    else { return }
    store.replace(by: saved)
  }

  /// Forgets all that was set.
  public func revertToInitialValues() {
    discardEditing()
    store.replace(by: DictionaryObject())
  }

  private func applyIfImmediate() {
    guard graph.untracked({ appliesImmediately && hasChanges }) else { return }
    do {
      try apply(durably: false)
      if let listed { BindingTable.of(graph).withdraw(listed) }
      listed = nil
    } catch {
      let failure = TideError(wrapping: error, graph: graph)
      // The same again and again, with every key that is typed, is told once.
      if listed?.message != failure.message { listed = BindingTable.of(graph).list(failure) }
    }
  }

  /// What was listed because a change could not be written.
  private var listed: TideError?

  private func apply(durably: Bool) throws {
    if let blockade { throw blockade }
    let writer = try writtenNow()
    if let file {
      let size = writer.text.utf8.count + 1
      try volume?.admit(size, at: file.path)
      try file.write(writer.text + "\n", durably: durably)
      volume?.note(size, at: file.path)
    }
    applied.value = writer.text
    if let omission = writer.omissions.first { throw omission }
  }

  /// The values as the file is to hold them, recorded.
  private func written() throws(TideError) -> JSONWriter {
    var writer = JSONWriter()
    writer.write(entries: store.kept)
    if let failure = writer.failure { throw TideError(failure) }
    return writer
  }

  /// The same, of which nothing is recorded.
  private func writtenNow() throws(TideError) -> JSONWriter {
    do {
      return try graph.untracked { try written() }
    } catch {
      throw TideError(wrapping: error, graph: graph)
    }
  }

  // MARK: Reading

  private func read() {
    guard let file else { return }
    do throws(TideError) {
      guard let bytes = try file.read() else { return }
      let value = try JSONReader.read(bytes, file: file.name)
      guard case .object(let saved as DictionaryObject) = value else {
        throw TideError(
          .settings, "expected an object in braces, found \(value.typeName) \(value.preview)",
          location: SourceLocation(file: file.name, line: 1, column: 1))
      }
      store.replace(by: saved)
      applied.value = try writtenNow().text
    } catch {
      report(error, file)
    }
  }

  private func report(_ error: TideError, _ file: SettingsFile) {
    var error = error
    error.cause = error.cause ?? UnderlyingFile(path: file.path)
    if error.location != nil {
      do throws(TideError) {
        let name = try file.keepAside()
        volume?.forget()
        error.message = "the settings are broken: \(error.message); they are kept in \(name)"
      } catch let other {
        error.message = "the settings are broken: \(error.message). \(other.message)"
        blockade = other
      }
    } else {
      blockade = error
    }
    BindingTable.of(graph).list(error)
  }
}
