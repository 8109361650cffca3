import TideBindings
import TideGraph

/// The properties of a shared model that hold no list.
///
/// They belong to the runtime's owner, as the model does.
final class SharedProperties {
  private unowned let shared: SharedModel
  /// The names of the shared properties. Each has the bytes of its local value if that differs from
  /// the shared value, because the shared value cannot be read here or does not fit.
  private var held: [String: [UInt8]?] = [:]
  /// Properties that the running script version declares.
  private var declaredBefore: Set<String> = []
  /// Properties whose value cannot be shared.
  private var unshareable: Set<String> = []
  /// Changes with the set of shared properties.
  private let version: Signal<Int>

  init(of shared: SharedModel) {
    self.shared = shared
    version = shared.graph.signal(0)
  }

  /// The properties to share.
  private var declared: [PropertyDescription] {
    (shared.model?.shape.properties ?? []).filter {
      $0.derive == nil && !$0.isReadOnly && $0.name != "sync"
    }
  }

  private func isShared(_ property: String) -> Bool {
    held[property] != nil || shared.lists[property] != nil
  }

  /// Starts to share declared properties that are not shared yet, including lists. Their values are
  /// defaults until a runtime writes others.
  func begin() {
    guard let model = shared.model else { return }
    for property in declared where !isShared(property.name) {
      if case .object(is ValueList) = model[property.name] {
        let list = SharedList(property.name, of: shared)
        shared.lists[property.name] = list
        list.begin()
        continue
      }
      held.updateValue(nil, forKey: property.name)
      do throws(TideError) {
        let bytes = try shared.values.bytes(of: model[property.name])
        shared.replica.set(.model, property.name, bytes, isDefault: true)
      } catch {
        unshareable.insert(property.name)
        shared.noteUnsent(model[property.name], error)
      }
    }
    // Others may already have written the properties of an existing model.
    for name in held.keys where shared.replica.entries[.model]?.document?[name] != nil {
      put(name)
    }
  }

  /// Makes the effect follow newly shared properties as well.
  func followOthers() { version.value &+= 1 }

  /// Runs after each settle in which a property has changed.
  func follow() {
    guard let model = shared.model else { return }
    _ = version.value
    let before = declaredBefore
    declaredBefore = Set(declared.map(\.name))
    for property in declared {
      guard let held = held[property.name] else { continue }
      // A property that a reload brings back gets its shared value.
      if !before.contains(property.name) { put(property.name) }
      let value = model[property.name]
      do throws(TideError) {
        let bytes = try shared.values.bytes(of: value)
        unshareable.remove(property.name)
        if bytes == held ?? shared.replica.entries[.model]?[property.name] { continue }
        self.held.updateValue(nil, forKey: property.name)
        shared.set(.model, property.name, bytes, of: .object(model))
      } catch {
        if unshareable.insert(property.name).inserted { shared.noteUnsent(value, error) }
      }
    }
    shared.sendLater()
  }

  /// Sets all properties to their shared values.
  func putAll() {
    for name in held.keys where shared.replica.entries[.model]?[name] != nil { put(name) }
  }

  /// Retries shared values that properties could not take.
  func putHeld() {
    for (name, bytes) in held where bytes != nil { put(name) }
  }

  /// Sets a shared property to its shared value. If that cannot be read, or does not fit, the
  /// property stays as it is. The shared value is then not overwritten until the property changes.
  func put(_ property: String) {
    guard held[property] != nil, let model = shared.model,
      let index = model.shape.index(of: property),
      let known = shared.replica.entries[.model]?[property]
    else { return }
    var bytes: [UInt8]?
    do {
      if let value = try shared.values.value(in: known),
        try shared.values.bytes(of: model[property]) != known
      {
        _ = try model.write(index, value, byHost: true)
      }
    } catch { shared.list(error) }
    if let own = try? shared.values.bytes(of: model[property]), own != known { bytes = own }
    held.updateValue(bytes, forKey: property)
  }
}
