import CTideSlots
public import TideGraph
package import TideValues

/// The Swift type of a list's elements.
package struct ListElementType {
  let type: Any.Type
  /// Throws for a value that is none of them.
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
/// Positions count from 0, as all do in Swift; in scripts and paths the first element is number 1.
/// A list holds no nil: the marker `null` stands for it. Reading the count or an element inside a
/// computed value or an effect depends on the whole list. Long lists are cut into chunks, so that
/// an edit anywhere in one of a million costs about a microsecond.
///
/// `ObservableList` is the same thing with a Swift element type.
///
/// A list keeps its elements alive. As any ``DataObject``, it is used on the actor or thread whose
/// graph it has joined.
public class ValueList: DataObject, ListObject {
  // Nothing that an edit calls reads or writes the list before the edit is done, so the check that
  // this is so, which costs as much as a short edit, is left out.
  @exclusivity(unchecked) private(set) final var storage: ChunkedArray<Value>
  private final var followers: [WeakFollower] = []
  private final var followerLimit = 8
  /// What its observers have yet to be told of, as long as there are any.
  private final weak var log: EditLog?
  /// What its elements are in Swift; nil for a list without such a type.
  package final var elementType: ListElementType?
  /// While those are told who want to know before an edit.
  private(set) final var isAboutToChange = false
  /// Whether the last edit gave all elements anew.
  package internal(set) final var isRefilled = false

  /// Grows with every edit: what depends on the list depends on this slot, which has no name.
  package final var versionSlot: Slot { header + valueCount }
  /// The same, of a list that may belong to nobody.
  private final var unjoinedVersionSlot: Slot { firstSlot + valueCount }

  /// What all lists have in common: no properties.
  package static let listShape = Shape(
    name: "list", properties: [], swiftClasses: [], hiddenSlots: 1)

  /// Makes a list of some objects.
  ///
  /// It joins a graph later, as objects of declared classes do; in a turn of a runtime it belongs
  /// to that one's.
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
  /// What to do instead.
  package var refusal: String { "this list follows another one; change that one" }

  /// Brings the list up to date and records the read.
  package final func beginReading() {
    #if DEBUG
      Graph.checkAccess(to: firstSlot)
    #endif
    let slot = Graph.joinedSlot(of: unjoinedVersionSlot)
    if !slot.isUnjoined { Graph.of(slot).readListing(slot) }
  }

  /// How many objects it has.
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

  /// Whether a value that the list does not show is in the list that it comes from, or may be: it
  /// was filtered out, or is in another group.
  package func conceals(_ value: Value) -> Bool { graph.untracked { index(of: value) } != nil }

  /// Records that the reader depends on what the list conceals.
  package func trackConcealed() { Graph.trackRead(of: versionSlot) }

  package final var trackedCount: Int { count }
  package final func trackedElement(at index: Int) -> Value? { self[index] }

  /// Adds what the elements take.
  package func addHeld(to meter: inout MemoryMeter) {
    meter.add(storage.count * MemoryLayout<Value>.stride + 64)
    if let log { meter.add(log.weight) }
    for chunk in storage.chunks { for element in chunk.elements { meter.add(element) } }
  }

  // MARK: Followers

  /// Something that is told of each edit when it happens, to act on it when all has settled.
  package final func add(_ follower: any ListFollower) {
    // Those that are gone are looked for now and then, not each time.
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

  /// Does an edit that has been checked: changes the contents, notes it for the followers, and
  /// settles what depends on the list. Gives what was removed, replaced or moved.
  @discardableResult
  final func commit(_ edit: Edit) -> [Value] {
    announce(edit)
    let old = perform(edit)
    isRefilled = false
    noteChange()
    return old
  }

  /// Tells those who want to know before an edit. It has been checked, so that they may not edit
  /// the list themselves.
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

  /// Changes the contents and tells the followers, without settling.
  @discardableResult
  final func perform(_ edit: Edit) -> [Value] {
    if !isUnjoined, let journal = Graph.journal(of: firstSlot) { keep(in: journal) }
    let old = storage.apply(edit)
    for weak in followers { weak.follower?.list(self, did: edit, to: old) }
    return old
  }

  /// What follows other lists follows them back.
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
  /// Notes an edit and what it removed, replaced or moved; the list is in the middle of it, so
  /// nothing may be read or written yet.
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
  /// `list { "fig", "pear", 3 }`, of long lists the beginning.
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

/// An ordered collection of values, as paths and scripts see it; reading it is recorded.
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
