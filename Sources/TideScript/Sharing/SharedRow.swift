import TideBindings
import TideGraph

/// A row of a shared list, and its local element.
///
/// It belongs to the runtime's owner, as the list does.
final class SharedRow {
  let id: String
  /// The order key.
  var order: String
  /// Nil if the row cannot be read here.
  private(set) var value: Value?
  private unowned let list: SharedList
  private var entry: ContextEntry?
  /// Bytes of local fields that differ from the shared ones, because those cannot be read or do not
  /// fit.
  private var held: [String: [UInt8]] = [:]
  /// Whether the turn ran out of time or memory before the row was read.
  private(set) var isUnfinished = false

  var key: SharingKey { .row(list: list.property, id: id) }

  /// - Parameter value: nil for a row of another runtime, whose value ``read()`` makes.
  init(_ id: String, order: String, value: Value?, in list: SharedList) {
    self.id = id
    self.order = order
    self.value = value
    self.list = list
  }

  deinit { end() }

  /// Follows changes of the element, if that is an object.
  func follow() {
    guard entry == nil, case .object? = value else { return }
    entry = list.shared.context.effect { [unowned self] in send() }
  }

  func end() {
    entry?.cancel()
    entry = nil
  }

  /// Writes fields of the element that differ from the shared ones.
  private func send() {
    guard let value else { return }
    do throws(TideError) {
      for field in try list.shared.values.fields(of: value) { write(field, of: value) }
      list.shared.sendLater()
    } catch {
      list.shared.noteUnsent(value, error)
    }
  }

  private func write(_ field: SharedDocument.Field, of value: Value) {
    guard let entry = list.shared.replica.entries[key], entry.exists else { return }
    if field.bytes == held[field.name] ?? entry[field.name] { return }
    held[field.name] = nil
    list.shared.set(key, field.name, field.bytes, of: value)
  }

  /// Makes the element from the shared fields.
  func read() {
    guard let known = list.shared.replica.entries[key] else { return }
    end()
    isUnfinished = false
    held = [:]
    do throws(TideError) { value = try list.shared.values.element(known) } catch {
      value = nil
      isUnfinished = error.isOfBudget
      if isUnfinished { list.shared.showLater() } else { list.shared.list(error) }
    }
    holdWhatDiffers(known)
    follow()
  }

  /// Applies fields that others have changed.
  ///
  /// - Returns: whether the row has another element now.
  func apply(_ fields: Set<String>) -> Bool {
    guard let known = list.shared.replica.entries[key] else { return false }
    if let place = known[SharedDocument.order] { order = OrderKeys.read(place) }
    let others = fields.subtracting([SharedDocument.order])
    if others.isEmpty { return false }
    guard case .object(let object as ScriptObject)? = value,
      !others.contains(SharedDocument.kind) || list.shared.values.isKind(known, of: object)
    else {
      let before = value
      read()
      return value != before
    }
    for name in others {
      guard let index = object.shape.index(of: name), let bytes = known[name],
        // Others may not write properties that scripts may not write.
        object.shape.propertiesByIndex[index].derive == nil,
        !object.shape.propertiesByIndex[index].isReadOnly
      else { continue }
      do {
        guard let new = try list.shared.values.value(in: bytes) else { continue }
        _ = try object.write(index, new, byHost: true)
      } catch { list.shared.list(error) }
    }
    holdWhatDiffers(known)
    return false
  }

  private func holdWhatDiffers(_ known: SharedReplica.Entry) {
    guard let value, let fields = try? list.shared.values.fields(of: value) else { return }
    for field in fields {
      held[field.name] = field.bytes == known[field.name] ? nil : field.bytes
    }
  }
}

extension TideError {
  /// Whether the turn's budget was exhausted, so that a later turn may succeed.
  var isOfBudget: Bool { code != .settings && (code == .scriptTime || code == .scriptMemory) }
}

/// Finds rows by their current value. Each row matches at most one element.
struct FormerRows {
  private var ofObjects: [ObjectIdentifier: [SharedRow]] = [:]
  private var ofValues: [[UInt8]: [SharedRow]] = [:]
  private let values: SharedValues

  init(_ rows: [SharedRow], _ values: SharedValues) {
    self.values = values
    for row in rows.reversed() {
      guard let value = row.value else { continue }
      if case .object(let object) = value {
        ofObjects[ObjectIdentifier(object), default: []].append(row)
      } else {
        ofValues[bytes(of: value), default: []].append(row)
      }
    }
  }

  mutating func take(_ element: Value) -> SharedRow? {
    if case .object(let object) = element {
      return ofObjects[ObjectIdentifier(object)]?.popLast()
    }
    return ofValues[bytes(of: element)]?.popLast()
  }

  private func bytes(of value: Value) -> [UInt8] { (try? values.bytes(of: value)) ?? [] }

  /// The rows that match no element.
  var rest: [SharedRow] { ofObjects.values.flatMap { $0 } + ofValues.values.flatMap { $0 } }
}
