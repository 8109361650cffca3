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
/// was set is in the file, which is JSON. It holds text, numbers, booleans, lists and dictionaries,
/// and the objects of an app's scripts, which come back as objects of their classes. Files of
/// earlier versions are read, and written in today's form at the next change.
/// While `appliesImmediately` is true, which it is at first, each change is written when it has
/// settled; else `hasUnappliedChanges` tells of changes that are not in the file.
///
/// Where another run of the app has written the file since, what this one has not changed stays as
/// that one has it; each shows what it has read at its start and set itself.
///
/// The file is replaced in one step. One that is broken is reported with its line, and kept under
/// another name; one that cannot be read is never overwritten. Without a path the values live as
/// long as the controller.
public final class SettingsController: Controller {
  private let file: SettingsFile?
  private let volume: SettingsVolume?
  /// Whether the file is ever written, or moved where it is broken.
  private let isKept: Bool
  private let store: SettingsValues
  private let classes: (any SettingsClasses)?
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

  /// Reads the file, if there is one; what it does not say is as in `initialValues`.
  public convenience init(path: String?, initialValues: DictionaryObject) {
    self.init(path: path, initialValues: initialValues, volume: nil)
  }

  /// - Parameters:
  ///   - volume: what the file may take beside others.
  ///   - classes: makes the objects of an app's classes; without it objects are kept as dictionaries.
  ///   - isKept: whether changes are written to the file; without that they live as long as the
  ///     controller, which behaves as if they were.
  package init(
    path: String?, initialValues: DictionaryObject, volume: SettingsVolume?,
    classes: (any SettingsClasses)? = nil, isKept: Bool = true
  ) {
    self.isKept = isKept
    file = path.map { SettingsFile(path: $0) }
    self.volume = volume
    self.classes = classes
    defaults = initialValues
    store = SettingsValues(defaults, classes: classes)
    applied = Graph.current.signal(Self.empty)
    super.init(shape: Self.settingsShape)
    put("values", .object(store))
    put("initialValues", .object(defaults))
    let owner = ObjectHandle(self)
    graph.derive(
      slot(.state),
      by: FunctionBody {
        .string(try (owner.object as? SettingsController)?.written().state ?? Self.empty)
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
    graph.readListing(state)
    guard case .string(let text) = state.load() else { return true }
    // Byte by byte, since Swift's texts are equal where one composes what the other decomposes.
    return !SettingsWriter.text(of: text).elementsEqual(applied.value.utf8)
  }

  /// A file in which nothing is set.
  private static var empty: String {
    var writer = SettingsWriter()
    writer.write(settings: [])
    return writer.text
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
    var reader = SettingsReader(classes: classes)
    do {
      store.replace(by: try reader.contents(of: Array(text.utf8), file: "settings"))
    } catch {
      var failure = error.error
      failure.message = "the changes are not taken back: \(failure.message)"
      BindingTable.of(graph).list(failure)
    }
  }

  /// Forgets all that was set.
  public func revertToInitialValues() {
    discardEditing()
    store.replace(by: SettingsReader.Contents())
  }

  private func applyIfImmediate() {
    guard graph.untracked({ appliesImmediately }) else { return }
    do {
      if graph.untracked({ hasChanges }) {
        try apply(durably: false)
      } else if let omission = try writtenNow().omission {
        // The file is as it was: what has been set cannot be kept.
        throw omission
      }
      if let listed { BindingTable.of(graph).withdraw(listed) }
      listed = nil
    } catch {
      let failure = TideError(wrapping: error, graph: graph)
      // The same again and again, with every key that is typed, is told once.
      if listed?.message != failure.message { listed = BindingTable.of(graph).list(failure) }
    }
  }

  /// Writes at the end of the app what has changed, where changes are written at once.
  package func applyAtEnd() { applyIfImmediate() }

  /// What was listed because a change could not be written.
  private var listed: TideError?

  private func apply(durably: Bool) throws {
    if let blockade { throw blockade }
    let writer = try writtenNow()
    if let file, isKept {
      let text = try joined(writer.text, to: file) + "\n"
      let size = text.utf8.count
      try volume?.admit(size, at: file.path)
      try file.write(text, durably: durably)
      volume?.note(size, at: file.path)
    }
    applied.value = writer.text
    if let omission = writer.omission { throw omission }
  }

  /// What the file is to hold: the values, and those settings that another run of the app has written
  /// since and this one has not changed.
  private func joined(_ text: String, to file: SettingsFile) throws(TideError) -> String {
    guard let bytes = try file.read() else { return text }
    let former = graph.untracked { applied.value }
    // Nobody else has written: the file ends in a line break.
    if bytes.dropLast().elementsEqual(former.utf8) { return text }
    let entries: [(key: DictionaryKey, value: SettingsEntry)]
    do {
      entries = try graph.untracked { try store.kept() }
    } catch {
      if let failure = error as? WorkError { throw TideError(failure) }
      throw TideError(wrapping: error, graph: graph)
    }
    let merge = try SettingsMerge(base: former, own: text, name: file.name)
    guard let settings = try merge.settings(in: bytes, own: entries) else { return text }
    var writer = SettingsWriter(classes: classes)
    graph.untracked { writer.write(settings: settings) }
    if let failure = writer.failure { throw TideError(failure) }
    return writer.text
  }

  /// The values as the file is to hold them, recorded.
  private func written() throws(TideError) -> SettingsWriter {
    var writer = SettingsWriter(classes: classes)
    do throws(WorkError) { writer.write(settings: try store.kept()) } catch {
      throw TideError(error)
    }
    if let failure = writer.failure { throw TideError(failure) }
    return writer
  }

  /// The same, of which nothing is recorded.
  private func writtenNow() throws(TideError) -> SettingsWriter {
    do {
      return try graph.untracked { try written() }
    } catch {
      throw TideError(wrapping: error, graph: graph)
    }
  }

  // MARK: Reading

  private func read() {
    guard let file else { return }
    do throws(SettingsReader.Fault) {
      var reader = SettingsReader(classes: classes)
      guard let bytes = try contents(of: file) else { return }
      store.replace(by: try reader.contents(of: bytes, file: file.name))
      do { applied.value = try writtenNow().text } catch { throw .unreadable(error) }
    } catch {
      report(error, file)
    }
  }

  private func contents(of file: SettingsFile) throws(SettingsReader.Fault) -> [UInt8]? {
    do { return try file.read() } catch { throw .unreadable(error) }
  }

  /// The app has another class: reads what has waited for it.
  package func classesChanged() {
    if store.unread.isEmpty { return }
    graph.batch {
      do throws(TideError) {
        let hadChanges = graph.untracked { hasChanges }
        try store.readUnread()
        // What was read is no change.
        if !hadChanges { applied.value = try writtenNow().text }
      } catch {
        BindingTable.of(graph).list(error)
      }
    }
  }

  /// Lists what is in the file and cannot be read, because the app does not have its classes.
  package func listUnread() {
    guard let unread = try? store.unread.sorted(byKey: \.key) else { return }
    for (key, tree) in unread where !store.holds(key) {
      let names = SettingsReader.classNames(in: tree).sorted().map { "\"\($0)\"" }
      BindingTable.of(graph).list(
        TideError(
          .settings,
          "the setting \"\(key.excerpt)\" holds objects of classes of which the app does not declare "
            + "all: \(names.joined(separator: ", ")); it reads as its initial value, and stays in the "
            + "file as it is"))
    }
  }

  private func report(_ fault: SettingsReader.Fault, _ file: SettingsFile) {
    var error = fault.error
    if case .broken = fault, !isKept {
      error.cause = error.cause ?? UnderlyingFile(path: file.path)
      error.message = "the settings are broken: \(error.message)"
    } else if case .broken = fault {
      error.cause = error.cause ?? UnderlyingFile(path: file.path)
      do throws(TideError) {
        let name = try file.keepAside()
        volume?.forget()
        error.message = "the settings are broken: \(error.message); they are kept in \(name)"
      } catch let other {
        error.message = "the settings are broken: \(error.message). \(other.message)"
        blockade = other
      }
    } else {
      // The file may be sound, and what is in it must not be lost: it is neither moved nor written.
      if error.code != .settings {
        error.message =
          "the settings in \(file.name) cannot be read now, and stay as they are: \(error.message)"
      }
      error.cause = error.cause ?? UnderlyingFile(path: file.path)
      blockade = error
    }
    BindingTable.of(graph).list(error)
  }
}
