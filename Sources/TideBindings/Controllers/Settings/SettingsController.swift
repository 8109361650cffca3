public import TideGraph

/// Persists a user's settings in a file.
///
/// ```swift
/// let settings = SettingsController(path: "…/settings.json", initialValues: ["theme": "dark"])
/// try context.bind("values.theme <> text", settings, field)
/// settings.appliesImmediately = false     // changes wait for save or revert
/// try settings.save()
/// ```
///
/// `values` has a value for every key that was set, and the initial values for the rest. The file,
/// which is JSON, has only the keys that were set. It holds text, numbers, booleans, lists and
/// dictionaries, and the objects of an app's scripts, which are read as objects of their classes.
/// Files of earlier versions are read, and written in the current format at the next change. While
/// `appliesImmediately` is true, as it is initially, each change is applied and written as soon as
/// it has settled. With a runtime, that holds for the first change of a turn; later ones are
/// written together at the end of the turn. While it is false, `save()` applies changes, and
/// `hasUnappliedChanges` tells whether any value differs from the one applied last.
///
/// If another run of the app has written the file meanwhile, settings that this run has not changed
/// keep the other run's values in the file. Each run shows the values that it has read at its start
/// or has set itself.
///
/// The file is replaced atomically. A broken file is reported with its line, and moved to another
/// name; an unreadable file is never overwritten. Without a path the values live as long as the
/// controller.
public final class SettingsController: Controller, TurnWorker {
  let file: SettingsFile?
  let volume: SettingsVolume?
  /// Whether the file may be written, or moved aside if it is broken.
  let isKept: Bool
  let store: SettingsValues
  let classes: (any SettingsClasses)?
  private let defaults: DictionaryObject
  var ledger = SettingsLedger()
  /// Changes when the applied state changes.
  private let applications: Signal<Int>
  private let watches: SettingsWatches
  private let noter: KeyNoter
  private var observers: [Slot] = []
  /// The error that prevents writing the file; nil if it may be written.
  var blockade: TideError?
  /// Whether changes have been written in the running turn. Later ones wait for its end.
  private var waitsForTurnEnd = false
  /// The number of writes of the file.
  package private(set) var writeCount = 0
  /// The number of bytes that were serialized, for comparison or writing.
  package private(set) var serializedBytes = 0

  package static let settingsShape = Shape(
    name: "controller.settings",
    properties: [
      PropertyDescription("values", .dictionary, isReadOnly: true),
      PropertyDescription("initialValues", .dictionary, isReadOnly: true),
      PropertyDescription("appliesImmediately", .boolean, initial: .boolean(true)),
      .derived("hasUnappliedChanges", .boolean, of: SettingsController.self) {
        .boolean(try $0.findChanges())
      },
    ], superclass: controllerShape, swiftClasses: [ObjectIdentifier(SettingsController.self)])

  /// Reads the file, if there is one. Errors are listed with the graph's errors.
  public convenience init(path: String? = nil, initialValues: [String: Value] = [:]) {
    self.init(path: path, initialValues: DictionaryObject(initialValues))
  }

  /// Reads the file, if there is one. Values that it lacks are those of `initialValues`.
  public convenience init(path: String?, initialValues: DictionaryObject) {
    self.init(path: path, initialValues: initialValues, volume: nil)
  }

  /// - Parameters:
  ///   - volume: the size limit that the file shares with others.
  ///   - classes: makes the objects of an app's classes; without it objects are stored as
  ///     dictionaries.
  ///   - isKept: whether changes are written to the file. If false, they live as long as the
  ///     controller, which behaves as if they were written.
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
    applications = Graph.current.signal(0)
    let noting = KeyNoting()
    noter = KeyNoter(noting)
    watches = SettingsWatches(Graph.current) { noting.note($0) }
    super.init(shape: Self.settingsShape)
    noting.controller = self
    put("values", .object(store))
    put("initialValues", .object(defaults))
    // Both report changed keys before their version slots change.
    store.add(noter)
    defaults.add(noter)
    let owner = ObjectHandle(self)
    var changes = 0
    graph.derive(
      slot(.state),
      by: FunctionBody {
        (owner.object as? SettingsController)?.readWhatChanges()
        changes &+= 1
        return .integer(changes)
      })
    read()
    observe(slot(.state)) { [unowned self] in settingsChanged() }
    guard let index = shape.index(of: "appliesImmediately") else { return }
    observe(slot(index)) { [unowned self] in immediacyChanged() }
  }

  deinit {
    for observer in observers { graph.release(observer) }
  }

  private func observe(_ slot: Slot, _ body: @escaping () -> Void) {
    graph.refreshListing(slot)
    observers.append(graph.makeObserver(of: slot, ObserverFunction { _, _ in body() }))
  }

  /// Records reads of everything that can change a setting.
  private func readWhatChanges() {
    graph.track(store.versionSlot)
    graph.track(defaults.versionSlot)
    graph.readListing(watches.root)
  }

  /// The path of the file; nil if values are not stored. Scripts cannot see the path, because it
  /// reveals the user who runs them.
  public var path: String? { file?.path }

  /// The settings by key. A key that was not set reads as its initial value.
  public var values: DictionaryObject { store }

  /// The values of keys that were not set.
  public var initialValues: DictionaryObject { defaults }

  /// Whether each change is written at once; true unless set.
  public var appliesImmediately: Bool {
    get { self["appliesImmediately"] == true }
    set { put("appliesImmediately", .boolean(newValue)) }
  }

  /// Whether any setting differs from its last applied value.
  public var hasUnappliedChanges: Bool { (try? findChanges()) ?? true }

  /// Like `hasUnappliedChanges`, but throws if the turn has too little time or memory to compare.
  private func findChanges() throws -> Bool {
    let isImmediate = appliesImmediately
    graph.readListing(slot(.state))
    _ = applications.value
    return try graph.untracked {
      if !isImmediate { try compareChanged() }
      return !ledger.differing.isEmpty
    }
  }

  // MARK: Applying

  /// Writes the values to the file, and returns once they are safely stored. Commits pending edits
  /// first.
  ///
  /// - Throws: the error of an edit that the model refuses; `settings` if the file cannot be
  ///   written, which then stays as it was, or if values that cannot be stored were left out;
  ///   `scriptTime` or `scriptMemory` when the running turn has too little left.
  public func save() throws {
    try commitEditing()
    defer { noteApplication() }
    try graph.untracked {
      try applyChanged()
      try write(durably: true)
    }
    if let omission = ledger.omission() { throw omission }
  }

  /// Reverts all changes since they were last applied.
  public func revert() {
    discardEditing()
    graph.untracked {
      // Changes that are written at once count as applied and are not reverted.
      var keys = ledger.differing.union(ledger.omitted)
      if !appliesImmediately { keys.formUnion(ledger.changed.filter { !$0.value.isApplied }.keys) }
      if keys.isEmpty { return }
      do throws(TideError) {
        let contents = try contents(of: keys)
        for key in keys { ledger.note(key) }
        store.revert(to: contents)
      } catch {
        var failure = error
        failure.message = "the changes are not taken back: \(failure.message)"
        BindingTable.of(graph).list(failure)
      }
    }
  }

  /// Removes all values that were set.
  public func revertToInitialValues() {
    discardEditing()
    graph.untracked { for key in store.possibleKeys { ledger.note(key) } }
    store.replace(by: SettingsReader.Contents())
  }

  private func settingsChanged() {
    let isImmediate = graph.untracked { appliesImmediately }
    let table = BindingTable.of(graph)
    ledger.settle(isApplied: isImmediate, at: isImmediate ? table.hooks.currentLocation?() : nil)
    if isImmediate { applyNowOrLater() }
  }

  private func immediacyChanged() {
    if graph.untracked({ appliesImmediately }) {
      ledger.applyDiffering()
      noteApplication()
      return applyNowOrLater()
    }
    // Changes that were to be written at once stay applied.
    do { try graph.untracked { try compareChanged() } } catch {
      BindingTable.of(graph).list(TideError(wrapping: error, graph: graph))
    }
    noteApplication()
  }

  private func applyNowOrLater() {
    let table = BindingTable.of(graph)
    if waitsForTurnEnd { return }
    if table.hasTurns {
      waitsForTurnEnd = true
      table.notifyAtTurnEnd(self)
    }
    applyChanges()
  }

  /// Writes the changes that have waited for the end of the turn.
  func turnEnded() {
    waitsForTurnEnd = false
    if isDone { return }
    applyChanges()
  }

  /// Whether there is nothing to write or report.
  private var isDone: Bool {
    if ledger.hasUnwritten { return false }
    guard graph.untracked({ appliesImmediately }) else { return true }
    return ledger.changed.isEmpty && ledger.differing.isEmpty && !ledger.omissionsChanged
  }

  private func applyChanges() {
    let location = ledger.locationOfChange
    defer { noteApplication() }
    do {
      try graph.untracked {
        if appliesImmediately { try applyChanged() }
        if ledger.hasUnwritten { try write(durably: false) }
      }
      if let omission = ledger.omission() { throw omission }
      if let listed { BindingTable.of(graph).withdraw(listed) }
      listed = nil
    } catch {
      var failure = TideError(wrapping: error, graph: graph)
      failure.location = failure.location ?? location
      // An error that repeats with every keystroke is listed once.
      if listed?.message != failure.message { listed = BindingTable.of(graph).list(failure) }
    }
  }

  /// Writes the remaining changes when the app ends, if changes are applied immediately. Returns
  /// true if the turn was too short for all of them, so that another call may complete the work.
  package func applyAtEnd() -> Bool {
    if isDone { return false }
    let before = amountLeft
    applyChanges()
    return amountLeft > 0 && amountLeft < before
  }

  /// Whether writing its changes has failed.
  package var hasUnwrittenChanges: Bool { listed != nil && !isDone }

  /// The remaining work: settings to apply, and texts to write.
  private var amountLeft: Int {
    ledger.changed.count + ledger.differing.count + (ledger.hasUnwritten ? 1 : 0)
  }

  /// The maximum size of a stored setting in bytes.
  private var longest: Int { isKept && file != nil ? volume?.bytes ?? .max : .max }
  /// Settings that exceed this size by themselves.
  private var oversized: Set<DictionaryKey> = []

  /// The listed error of a change that could not be written.
  private var listed: TideError?

  // MARK: Texts

  func note(_ key: DictionaryKey) { ledger.note(key) }

  /// Determines which settings differ from their applied state, without writing.
  private func compareChanged() throws(TideError) {
    for (key, change) in ledger.changed {
      let text = try text(of: key)
      if change.isApplied { ledger.apply(key, text) } else { ledger.compare(key, with: text) }
    }
  }

  /// Applies all settings in their current state. The file has yet to be written.
  func applyChanged() throws(TideError) {
    // Sorted, so that each run serializes objects in the same order.
    let keys: [DictionaryKey]
    do { keys = try ledger.differing.union(ledger.changed.keys).sorted(byKey: { $0 }) } catch {
      throw TideError(error)
    }
    for key in keys { ledger.apply(key, try text(of: key)) }
  }

  /// Serializes the current value of a setting and follows it; nil if nothing of it is to be
  /// stored.
  func text(of key: DictionaryKey) throws(TideError) -> String? {
    // Its index among the keys is not followed, because it changes with other keys.
    let candidate = graph.untracked { store.candidate(for: key) }
    var made: (writer: SettingsWriter, isKept: Bool)?
    let make = { [unowned self] in
      var writer = SettingsWriter(classes: classes, longest: longest)
      let isKept = store.entry(of: candidate).map { writer.write(setting: $0, of: key) } ?? false
      made = (writer, isKept)
    }
    if candidate.canChangeInside {
      watches.follow(key, by: make)
    } else {
      watches.forget(key)
    }
    if made == nil { graph.untracked(make) }
    guard let (writer, isKept) = made else { return nil }
    if let failure = writer.failure { throw TideError(failure) }
    serializedBytes += writer.text.utf8.count
    if writer.isTooLong {
      ledger.omit(key, nil)
      oversized.insert(key)
      // A unique text, which differs from any text that was applied.
      return "\0\(serializedBytes)"
    }
    oversized.remove(key)
    let location = ledger.changed[key]?.location
    ledger.omit(
      key,
      writer.omitted.map { .init(message: $0.first, count: $0.count, location: location) })
    // The copy does not have the reserved capacity of the text that grew.
    return isKept ? String(decoding: writer.text.utf8, as: UTF8.self) : nil
  }

  /// Signals that the applied state may have changed, and charges its memory.
  func noteApplication() {
    let bytes = ledger.byteCount
    let growth = bytes - store.textBytes
    store.textBytes = bytes
    if growth > 0 { BindingTable.of(graph).hooks.oweMemory?(growth) }
    graph.untracked { applications.value &+= 1 }
  }

  /// The values of settings as last applied.
  private func contents(
    of keys: Set<DictionaryKey>
  ) throws(TideError) -> [DictionaryKey: (value: Value?, tree: JSONTree?)] {
    var reader = SettingsReader(classes: classes)
    var contents: [DictionaryKey: (value: Value?, tree: JSONTree?)] = [:]
    for key in keys {
      guard let text = ledger.text(of: key) else {
        contents[key] = (nil, nil)
        continue
      }
      do throws(SettingsReader.Fault) {
        contents[key] = try reader.read(Array(text.utf8), of: key)
      } catch {
        throw error.error
      }
    }
    return contents
  }

  // MARK: The file

  private func write(durably: Bool) throws {
    if let blockade {
      ledger.rollBack()
      throw blockade
    }
    do {
      if let file, isKept {
        // Checked before the whole text is built.
        try volume?.admit(oversized.isEmpty ? ledger.length : .max / 2, at: file.path)
        let text = try joined(text(of: ledger.entries), to: file) + "\n"
        let size = text.utf8.count
        try volume?.admit(size, at: file.path)
        try file.write(text, durably: durably)
        writeCount += 1
        volume?.note(size, at: file.path)
      }
      ledger.noteWritten()
    } catch {
      // After a lack of time or memory the same write is tried again.
      if !TideError(wrapping: error, graph: graph).isPassing { ledger.rollBack() }
      throw error
    }
  }

  private func text(
    of settings: [(key: DictionaryKey, value: SettingsEntry)]
  ) throws(TideError) -> String {
    var writer = SettingsWriter(classes: classes)
    writer.write(settings: settings)
    if let failure = writer.failure { throw TideError(failure) }
    serializedBytes += writer.text.utf8.count
    return writer.text
  }

  /// The contents for the file: the values, and the settings that another run of the app has
  /// written since and this run has not changed.
  private func joined(_ text: String, to file: SettingsFile) throws(TideError) -> String {
    guard let bytes = try file.read() else { return text }
    let former = try self.text(of: ledger.formerEntries)
    // No other run has written: the file is the former text and a line break.
    if bytes.dropLast().elementsEqual(former.utf8) { return text }
    let merge = try SettingsMerge(base: former, own: text, name: file.name)
    guard let settings = try merge.settings(in: bytes, own: ledger.entries) else { return text }
    return try self.text(of: settings)
  }
}

/// Observes the keys that are set, of settings and of initial values.
private final class KeyNoter: DictionaryObserver {
  private let noting: KeyNoting

  init(_ noting: KeyNoting) {
    self.noting = noting
    super.init { _, _, _ in }
  }

  override func note(_ key: DictionaryKey, from old: Value, to new: Value) { noting.note(key) }
}

/// A weak reference to the controller.
private final class KeyNoting {
  weak var controller: SettingsController?

  func note(_ key: DictionaryKey) { controller?.note(key) }
}
