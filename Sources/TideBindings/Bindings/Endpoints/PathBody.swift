package import TideGraph

/// Computes the source of a binding, which may be unresolved.
class SourceBody: ComputedBody {
  final var isResolved = true
  /// Whether a switch to another object counts as a change even if the value is equal. A draft at
  /// the other end belongs to the object for which it was entered.
  final var followsHolder = false
  /// Identifies the object whose property was read last or could not be read; 0 for none.
  var holderMark: Int { 0 }
  /// The object whose property is read at the end of the path, if known.
  var holder: DataObject? { nil }
  /// Called when the object at the start of the path is gone.
  final var onEnd: (() -> Void)?
}

/// Computes the value at the end of a path, and follows it when objects on the way are replaced.
final class PathBody: SourceBody {
  private let start: ObjectHandle
  private let steps: [PathStep]
  /// The property to write at the end of the path. If set, the computed value is the object to
  /// write to.
  private let written: String?
  /// The revision of the list that the path's operator produces. An edit of that list counts as a
  /// change of the value.
  private var revision = 0
  /// Identifies the object whose property was read last or could not be read.
  private var lastHolder = 0
  private var memory: PathMemory?
  private let held: CountedText?

  init(
    _ steps: some Sequence<PathStep>, from root: DataObject, toWrite written: String? = nil
  ) {
    start = ObjectHandle(root)
    self.written = written
    self.steps = Array(steps)
    held = BindingTable.of(root.graph).hold(self.steps.nameBytes)
    super.init()
  }

  // Written out, because the compiler warns about the synthesized one.
  @available(*, unavailable)
  override init() { preconditionFailure("a path starts from an object") }

  override func evaluate(_ slot: Slot) throws -> Bool {
    guard let root = start.object else {
      isResolved = false
      return slot.store(.null)
    }
    if let written {
      return slot.store(try PathReader.holder(of: steps[...], named: written, from: root))
    }
    let result: PathReader.Result
    do {
      result = try PathReader.read(steps[...], from: root, keeping: &memory)
    } catch {
      if (error as? any PassingFailure)?.isPassing != true {
        lastHolder = root.graph.untracked { PathReader.reached(steps[...], from: root) }
      }
      throw error
    }
    let was = (isResolved, revision)
    isResolved = result.isResolved
    revision = result.revision
    let isOfAnother = followsHolder && result.holder != lastHolder
    lastHolder = result.holder
    let changed = slot.store(result.value)
    return changed || isOfAnother || was != (isResolved, revision)
  }

  override var holderMark: Int { lastHolder }

  override var holder: DataObject? {
    guard written == nil, let root = start.object else { return nil }
    let way = steps.dropLast()
    if way.isEmpty { return root }
    // A collection step gives no object, and evaluating it would read the whole list.
    for case .collection in way { return nil }
    let value = root.graph.untracked { try? PathReader.read(way, from: root).value }
    guard case .object(let holder)? = value else { return nil }
    return holder as? DataObject
  }

  /// Whether it follows this path, or writes to its end.
  func follows(_ path: Path, from object: DataObject) -> Bool {
    start.object === object && steps + (written.map { [.property($0)] } ?? []) == path.steps
  }

  override func sourceEnded(_ slot: Slot) {
    if start.object == nil { onEnd?() }
  }
}

/// A body that follows a path.
package protocol PathReadingBody: AnyObject {
  /// The path in source notation.
  var pathText: String { get }
}

extension PathBody: PathReadingBody {
  package var pathText: String {
    Path(steps: steps + (written.map { [.property($0)] } ?? [])).description
  }
}

/// Computes the value of a function, such as a Lua function given instead of a path.
package final class FunctionBody: ComputedBody {
  private let body: () throws -> Value

  package init(_ body: @escaping () throws -> Value) { self.body = body }

  package override func evaluate(_ slot: Slot) throws -> Bool { slot.store(try body()) }
}
