import TideBindings
import TideGraph

/// The properties of a shared model that hold no list.
///
/// They belong to the runtime's owner, as the model does.
final class SharedProperties {
  private unowned let shared: SharedModel
  /// By name, what each holds in place of what all know, because that cannot be read here or does
  /// not fit.
  private var held: [String: [UInt8]?] = [:]
  /// Those that the running version declares.
  private var declaredBefore: Set<String> = []
  /// Those with a value that cannot be shared.
  private var unshareable: Set<String> = []
  /// Changes when other properties are shared than before.
  private let version: Signal<Int>

  init(of shared: SharedModel) {
    self.shared = shared
    version = shared.graph.signal(0)
  }

  /// The properties that are shared, or will be.
  private var declared: [PropertyDescription] {
    (shared.model?.shape.properties ?? []).filter {
      $0.derive == nil && !$0.isReadOnly && $0.name != "sync"
    }
  }

  private func isShared(_ property: String) -> Bool {
    held[property] != nil || shared.lists[property] != nil
  }

  /// Begins to share the declared properties that are not shared so far, lists included. What they
  /// hold counts as long as nobody else has written anything.
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
    // Of a model that was there before, others may have written them already.
    for name in held.keys where shared.replica.entries[.model]?.document?[name] != nil {
      put(name)
    }
  }

  /// Has properties that were begun meanwhile be followed as well.
  func followOthers() { version.value &+= 1 }

  /// Runs after each settle in which a property has changed.
  func follow() {
    guard let model = shared.model else { return }
    _ = version.value
    let before = declaredBefore
    declaredBefore = Set(declared.map(\.name))
    for property in declared {
      guard let held = held[property.name] else { continue }
      // What a version did not have, and this one has again, is what it is for the others.
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

  /// Gives all properties the values that all know.
  func putAll() {
    for name in held.keys where shared.replica.entries[.model]?[name] != nil { put(name) }
  }

  /// Tries again to give properties the values that they could not take.
  func putHeld() {
    for (name, bytes) in held where bytes != nil { put(name) }
  }

  /// Gives a property, if it is shared, the value that all know. One that cannot be read, or does
  /// not fit, leaves the property as it is, and is not written over until that changes.
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
