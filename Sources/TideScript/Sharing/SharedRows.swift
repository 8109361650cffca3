import TideBindings
import TideGraph

/// The elements of a list as bytes. An object is encoded again when something in it has changed: where one
/// row of many has, the others are only looked at.
///
///     properties of an object ──▶ version ──▶ who reads the elements
final class SharedRows {
  private let graph: Graph
  private let encode: (Value) throws -> [UInt8]
  private var objects: [ObjectIdentifier: Encoded] = [:]

  /// An object's bytes.
  private final class Encoded {
    /// Kept, so that no other object comes to have its identity.
    let object: Value
    /// Nil where it cannot be shared.
    private(set) var bytes: [UInt8]?
    /// The turn had no time or memory left for it.
    private(set) var isUnfinished = false
    private var version: ComputedSignal<Int>?
    private var count = 0

    init(_ object: Value, _ graph: Graph, _ encode: @escaping (Value) throws -> [UInt8]) {
      self.object = object
      version = graph.computed { [unowned self] in
        read(encode)
        count += 1
        return count
      }
    }

    private func read(_ encode: (Value) throws -> [UInt8]) {
      isUnfinished = false
      do { bytes = try encode(object) } catch {
        bytes = nil
        isUnfinished = (error as? TideError)?.code != .settings
      }
    }

    /// Makes whoever reads the bytes depend on what is in the object.
    func refresh(_ encode: (Value) throws -> [UInt8]) {
      _ = version?.value
      if isUnfinished { read(encode) }
    }
  }

  init(_ graph: Graph, _ encode: @escaping (Value) throws -> [UInt8]) {
    self.graph = graph
    self.encode = encode
  }

  /// What a list holds now.
  func elements(of list: ValueList) -> [SharedList.Element] {
    let values = list.trackedElements
    var present: Set<ObjectIdentifier> = []
    let elements = values.map { value -> SharedList.Element in
      guard case .object(let object) = value else {
        return SharedList.Element(value: value, bytes: try? encode(value))
      }
      let identity = ObjectIdentifier(object)
      let encoded = objects[identity] ?? Encoded(value, graph, encode)
      objects[identity] = encoded
      encoded.refresh(encode)
      present.insert(identity)
      return SharedList.Element(value: value, bytes: encoded.bytes)
    }
    if objects.count > present.count { objects = objects.filter { present.contains($0.key) } }
    return elements
  }
}
