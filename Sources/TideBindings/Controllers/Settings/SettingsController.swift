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
/// earlier versions are read, and written in today's form at the next change. While
/// `appliesImmediately` is true, as it is initially, each change is applied and written as soon as
/// it has settled. With a runtime, that holds for the first change of a turn; later ones are
/// written together at the turn's end. While it is false, `save()` applies changes, and
/// `hasUnappliedChanges` says whether any value differs from the one applied last.
///
/// Where another run of the app has written the file since, what this one has not changed stays as
/// that one has it; each shows what it has read at its start and set itself.
///
/// The file is replaced in one step. One that is broken is reported with its line, and kept under
/// another name; one that cannot be read is never overwritten. Without a path the values live as
/// long as the controller.
public final class SettingsController: Controller, TurnWorker {
  let file: SettingsFile?
  let volume: SettingsVolume?
  /// Whether the file is ever written, or moved where it is broken.
  let isKept: Bool
  let store: SettingsValues
  let classes: (any SettingsClasses)?
  private let defaults: DictionaryObject
  var ledger = SettingsLedger()
  /// Changes when what was applied does.
  private let applications: Signal<Int>
  private let watches: SettingsWatches
  private let noter: KeyNoter
  private var observers: [Slot] = []
  /// Why the file must not be written; nil when it may.
  var blockade: TideError?
  /// Whether changes have been written in the turn that runs: those that follow wait for its end.
  private var waitsForTurnEnd = false
  /// How often the file was written.
  package private(set) var writeCount = 0
  /// How many bytes of settings were made to text, to be compared or written.
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
  ///   - classes: makes the objects of an app's classes; without it objects are kept as
  ///   dictionaries. - isKept: whether changes are written to the file; without that they live as
  ///   long as the
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
    applications = Graph.current.signal(0)
    let noting = KeyNoting()
    noter = KeyNoter(noting)
    watches = SettingsWatches(Graph.current) { noting.note($0) }
    super.init(shape: Self.settingsShape)
    noting.controller = self
    put("values", .object(store))
    put("initialValues", .object(defaults))
    // Both tell their keys before anything that is followed changes.
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

  /// Records that whatever changes a setting is read.
  private func readWhatChanges() {
    graph.track(store.versionSlot)
    graph.track(defaults.versionSlot)
    graph.readListing(watches.root)
  }

  /// Where the values are kept; nil where they are not. Scripts are not told, as it says who runs
  /// them.
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

  /// Whether something differs from what was applied last.
  public var hasUnappliedChanges: Bool { (try? findChanges()) ?? true }

  /// The same; throws where the turn has no time or memory to find that out.
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

  /// Writes the values to the file, and returns when they are safe there. Commits what is being
  /// edited before.
  ///
  /// - Throws: the error of an edit that the model refuses; `settings` where the file cannot be
  ///   written, which is then as it was, or where values that no file can hold were left out of it;
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

  /// Takes back all changes since the last time that they were applied.
  public func revert() {
    discardEditing()
    graph.untracked {
      // What is written at once is no change that could be taken back.
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

  /// Forgets all that was set.
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
    // What was to be written at once stays applied, whatever follows.
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

  /// Writes what has waited for the end of the turn.
  func turnEnded() {
    waitsForTurnEnd = false
    if isDone { return }
    applyChanges()
  }

  /// Whether there is nothing to be written or told.
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
      // The same again and again, with every key that is typed, is told once.
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

  /// How much is left to be applied and written.
  private var amountLeft: Int {
    ledger.changed.count + ledger.differing.count + (ledger.hasUnwritten ? 1 : 0)
  }

  /// The most bytes that one may take to be kept.
  private var longest: Int { isKept && file != nil ? volume?.bytes ?? .max : .max }
  /// Settings that are longer than that alone.
  private var oversized: Set<DictionaryKey> = []

  /// What was listed because a change could not be written.
  private var listed: TideError?

  // MARK: Texts

  func note(_ key: DictionaryKey) { ledger.note(key) }

  /// Finds out which settings differ from what was applied; nothing is written.
  private func compareChanged() throws(TideError) {
    for (key, change) in ledger.changed {
      let text = try text(of: key)
      if change.isApplied { ledger.apply(key, text) } else { ledger.compare(key, with: text) }
    }
  }

  /// Applies all settings as they are; the file is yet to be written.
  func applyChanged() throws(TideError) {
    // In order, so that objects are asked for their classes in the same one in each run.
    let keys: [DictionaryKey]
    do { keys = try ledger.differing.union(ledger.changed.keys).sorted(byKey: { $0 }) } catch {
      throw TideError(error)
    }
    for key in keys { ledger.apply(key, try text(of: key)) }
  }

  /// The text of a setting as it is now, and follows it; nil where nothing of it is to be kept.
  func text(of key: DictionaryKey) throws(TideError) -> String? {
    // Its index among the others is not followed, as it changes with each of them.
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
      // No other text is this, so that it differs from whatever was applied.
      return "\0\(serializedBytes)"
    }
    oversized.remove(key)
    let location = ledger.changed[key]?.location
    ledger.omit(
      key,
      writer.omitted.map { .init(message: $0.first, count: $0.count, location: location) })
    // What a growing text has taken in reserve is given back.
    return isKept ? String(decoding: writer.text.utf8, as: UTF8.self) : nil
  }

  /// What was applied may be another than before.
  func noteApplication() {
    let bytes = ledger.byteCount
    let growth = bytes - store.textBytes
    store.textBytes = bytes
    if growth > 0 { BindingTable.of(graph).hooks.oweMemory?(growth) }
    graph.untracked { applications.value &+= 1 }
  }

  /// The values of settings as they were applied.
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
        // Before all of it is made to one text.
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
      // For want of time or memory it is tried again as it is.
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

  /// What the file is to hold: the values, and those settings that another run of the app has
  /// written since and this one has not changed.
  private func joined(_ text: String, to file: SettingsFile) throws(TideError) -> String {
    guard let bytes = try file.read() else { return text }
    let former = try self.text(of: ledger.formerEntries)
    // Nobody else has written: the file ends in a line break.
    if bytes.dropLast().elementsEqual(former.utf8) { return text }
    let merge = try SettingsMerge(base: former, own: text, name: file.name)
    guard let settings = try merge.settings(in: bytes, own: ledger.entries) else { return text }
    return try self.text(of: settings)
  }
}

/// Hears of the keys of settings and of initial values that are set.
private final class KeyNoter: DictionaryObserver {
  private let noting: KeyNoting

  init(_ noting: KeyNoting) {
    self.noting = noting
    super.init { _, _, _ in }
  }

  override func note(_ key: DictionaryKey, from old: Value, to new: Value) { noting.note(key) }
}

/// Leads to a controller that may be gone.
private final class KeyNoting {
  weak var controller: SettingsController?

  func note(_ key: DictionaryKey) { controller?.note(key) }
}
