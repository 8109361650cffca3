import CTideSlots
public import TideGraph
package import TideValues

/// The Swift type of a list's elements.
package struct ListElementType {
  let type: Any.Type
  /// Throws for a value of another type.
  let check: (Value) throws -> Void
}

/// An ordered, observable collection of values that reports each insertion, removal, replacement
/// and move.
///
/// ```swift
/// let fruits = ValueList(["apple", "fig"])
/// try fruits.insert("pear", at: 1)
/// fruits.values           // ["apple", "pear", "fig"]
/// ```
///
/// Positions count from 0; in scripts and paths the first element is number 1. A list holds no nil:
/// the marker `null` represents it. A computed value or an effect that reads the count or an
/// element depends on the whole list. Long lists are stored in chunks, so that an edit anywhere in
/// a list of a million elements takes about a microsecond.
///
/// `ObservableList` is the same with a Swift element type.
///
/// A list keeps its elements alive. As any ``DataObject``, it is used on the actor or thread whose
/// graph it has joined.
public class ValueList: DataObject, ListObject {
  // Nothing accesses the list during an edit, so the exclusivity check is left out. It would cost
  // as much as a short edit.
  @exclusivity(unchecked) private(set) final var storage: ChunkedArray<Value>
  private final var followers: [WeakFollower] = []
  private final var followerLimit = 8
  /// The edits that observers have not received yet; nil without observers.
  private final weak var log: EditLog?
  /// The Swift type of the elements; nil for a list without such a type.
  package final var elementType: ListElementType?
  /// Whether prior observers are being notified of an edit.
  private(set) final var isAboutToChange = false
  /// Whether the last edit set the whole contents.
  package internal(set) final var isRefilled = false

  /// Increases with every edit. It has no name; dependents of the list depend on this slot.
  package final var versionSlot: Slot { header + valueCount }
  /// The version slot, also of a list that has not joined a graph.
  private final var unjoinedVersionSlot: Slot { firstSlot + valueCount }

  /// The shape that all lists share. It has no properties.
  package static let listShape = Shape(
    name: "list", properties: [], swiftClasses: [], hiddenSlots: 1)

  /// Makes a list of some values.
  ///
  /// It joins a graph later, as objects of declared classes do. Within a turn of a runtime it joins
  /// that runtime's graph.
  public nonisolated convenience init(_ values: [Value] = []) {
    self.init(values, shape: Self.listShape, isUnjoined: tide_thread().pointee.entered == nil)
  }

  /// A list with properties of its own; the shape inherits from `listShape`.
  package init(_ values: [Value], shape: Shape, isUnjoined: Bool = false) {
    storage = ChunkedArray(values.asElements)
    if isUnjoined { super.init(unjoined: shape) } else { super.init(shape: shape) }
    _ = unjoinedVersionSlot.store(.integer(0))
  }

  deinit { ChainedRelease.release(&storage, leaving: ChunkedArray()) }

  /// Whether edits are refused, because the list follows another one.
  package var isReadOnly: Bool { false }
  /// The error message of a refused edit.
  package var refusal: String { "this list follows another one; change that one" }

  /// Brings the list up to date and records the read.
  package final func beginReading() {
    #if DEBUG
      Graph.checkAccess(to: firstSlot)
    #endif
    let slot = Graph.joinedSlot(of: unjoinedVersionSlot)
    if !slot.isUnjoined { Graph.of(slot).readListing(slot) }
  }

  /// The number of elements.
  public final var count: Int {
    beginReading()
    return storage.count
  }

  /// The element at a position, from 0; nil outside the list.
  public final subscript(position: Int) -> Value? {
    beginReading()
    guard position >= 0, position < storage.count else { return nil }
    return storage[position]
  }

  /// All elements in order.
  public final var values: [Value] {
    beginReading()
    return storage.elements(in: 0..<storage.count)
  }

  /// The position of the first element that equals a value, from 0.
  public final func index(of value: Value) -> Int? {
    beginReading()
    let wanted = value.asElement
    var position = 0
    for chunk in storage.chunks {
      if let offset = chunk.elements.firstIndex(of: wanted) { return position + offset }
      position += chunk.elements.count
    }
    return nil
  }

  /// Whether a value that the list does not show is, or may be, in an underlying list: it was
  /// filtered out, or is in another group.
  package func conceals(_ value: Value) -> Bool { graph.untracked { index(of: value) } != nil }

  /// Records that the reader depends on what the list conceals.
  package func trackConcealed() { Graph.trackRead(of: versionSlot) }

  package final var trackedCount: Int { count }
  package final func trackedElement(at index: Int) -> Value? { self[index] }

  /// Adds the memory of the elements.
  package func addHeld(to meter: inout MemoryMeter) {
    meter.add(storage.count * MemoryLayout<Value>.stride + 64)
    if let log { meter.add(log.weight) }
    for chunk in storage.chunks { for element in chunk.elements { meter.add(element) } }
  }

  // MARK: Followers

  /// Adds a follower, which is notified of each edit as it happens and acts on it after everything
  /// has settled.
  package final func add(_ follower: any ListFollower) {
    // Followers that are gone are removed now and then, not each time.
    if followers.count >= followerLimit {
      followers.removeAll { $0.follower == nil }
      followerLimit = max(8, 2 * followers.count)
    }
    followers.append(WeakFollower(follower))
  }

  package final func remove(_ follower: any ListFollower) {
    if let index = followers.lastIndex(where: { $0.follower === follower }) {
      followers.remove(at: index)
    }
  }

  final func editLog() -> EditLog {
    if let log { return log }
    let made = EditLog(self)
    log = made
    add(made)
    return made
  }

  /// Makes an edit that has been checked: changes the contents, notifies the followers, and settles
  /// the list's dependents. Returns the elements that were removed, replaced or moved.
  @discardableResult
  final func commit(_ edit: Edit) -> [Value] {
    announce(edit)
    let old = perform(edit)
    isRefilled = false
    noteForEdits(edit, old)
    noteChange()
    return old
  }

  /// Notifies prior observers. The edit has been checked, so they may not edit the list themselves.
  @inline(__always)
  final func announce(_ edit: Edit) {
    if _slowPath(unjoinedVersionSlot.pointee.access & Access.prior != 0) {
      notifyPriorObservers(of: edit)
    }
  }

  @inline(never)
  private func notifyPriorObservers(of edit: Edit) {
    isAboutToChange = true
    defer { isAboutToChange = false }
    BindingTable.of(graph).willEdit(self, edit.kind)
  }

  /// Changes the contents and notifies the followers, without settling.
  @discardableResult
  final func perform(_ edit: Edit) -> [Value] {
    if !isUnjoined, let journal = Graph.journal(of: firstSlot) { keep(in: journal) }
    let old = storage.apply(edit)
    for weak in followers { weak.follower?.list(self, did: edit, to: old) }
    return old
  }

  /// A list that follows others is not recorded, because it follows their rollback.
  private func keep(in journal: Journal) {
    if isReadOnly { return }
    journal.keep(self) {
      let kept = storage
      return { [unowned self] in
        let elements = kept.elements(in: 0..<kept.count)
        // A rollback must succeed even when the turn has no time left.
        do { try set(elements) } catch { restore(elements) }
      }
    }
  }

  /// Reports an edit of a list that follows no other list, because users may be editing its
  /// elements.
  final func noteForEdits(_ edit: Edit, _ old: [Value]) {
    if isUnjoined { return }
    BindingTable.of(graph).editedRecords?.list(did: edit, to: old)
  }

  final func noteChange() {
    let slot = unjoinedVersionSlot
    let version = Int.load(slot) &+ 1
    if Int.store(version, in: slot), !slot.isUnjoined {
      Graph.of(slot).noteEvent(at: slot)
      slot.noteChange()
    }
  }

  /// An object, because a copy of a weak reference is not cheap.
  private final class WeakFollower {
    private(set) weak var follower: (any ListFollower)?

    init(_ follower: any ListFollower) { self.follower = follower }
  }
}

/// Something that follows a list's edits: an observer or a derived list.
package protocol ListFollower: AnyObject {
  /// Called during an edit, with the elements that it removed, replaced or moved. Nothing may be
  /// read or written yet.
  func list(_ list: ValueList, did edit: ValueList.Edit, to old: [Value])
}

extension Value {
  /// The value as lists hold it, in which a marker stands for nil.
  var asElement: Value {
    if case .null = self { Marker.null.value } else { self }
  }
}

extension [Value] {
  var asElements: [Value] {
    for value in self { if case .null = value { return map { $0.asElement } } }
    return self
  }
}

extension ValueList: ValueSequence {
  package static func make(_ values: [Value]) -> AnyObject { ValueList(values) }
}

extension ValueList: DescribedObject {
  /// `list { "fig", "pear", 3 }`; only the beginning of a long list.
  package var describedText: String {
    let shown = graph.untracked { (0..<min(storage.count, 20)).map { storage[$0] } }
    let elements = shown.map { element in
      switch element {
      case .string(let text): TransformCall.excerpt(text)
      case .bytes(let bytes): TransformCall.excerpt(bytes)
      // The name alone: an object's properties may lead back to this list.
      case .object(let object as DataObject): object.shape.name
      default: element.literal
      }
    }
    let rest = storage.count > 20 ? ", … (\(storage.count) in all)" : ""
    return elements.isEmpty ? "list {}" : "list { \(elements.joined(separator: ", "))\(rest) }"
  }
}

/// An ordered collection of values for paths and scripts. Reads of it are recorded.
package protocol ListObject: DataObject, ElementSource {
  var trackedCount: Int { get }
  /// The element at an index, from 0; nil beyond the end.
  func trackedElement(at index: Int) -> Value?
}

extension ListObject {
  /// All elements in order.
  package var trackedElements: [Value] {
    if let list = self as? ValueList { return list.values }
    return (0..<trackedCount).compactMap { trackedElement(at: $0) }
  }
}
