import TideBindings
import TideGraph

/// What the script declared of a view's properties that a person or a handler may change.
///
/// When another version of the script declares the same, the change stays; when it declares
/// something else, that is what counts.
struct DeclaredState {
  /// The view has been in a scene.
  private(set) var isNoted = false
  private(set) var isHidden = false
  /// Of the view's `declaredProperties`.
  private var values: [Value] = []

  mutating func note(_ view: View) {
    isNoted = true
    isHidden = view.flag(.hidden)
    let properties = view.declaredProperties
    if !properties.isEmpty { values = properties.map { view.peek($0, as: Value.self) } }
  }

  /// Notes one property again.
  fileprivate mutating func note(_ name: String, of view: View) {
    guard isNoted else { return }
    if name == ViewProperty.hidden.name { isHidden = view.flag(.hidden) }
    let properties = view.declaredProperties
    guard let index = properties.firstIndex(where: { $0.name == name }) else { return }
    values[index] = view.peek(properties[index], as: Value.self)
  }

  fileprivate func value(at index: Int) -> Value? {
    values.indices.contains(index) ? values[index] : nil
  }
}

extension View {
  /// Notes that the script declares a property anew.
  package final func noteDeclared(anew name: String) { declared.note(name, of: self) }

  /// Whether the script declares the same of a property as it did for the view that this one
  /// replaces.
  final func declares(_ property: ViewProperty, as old: View) -> Bool {
    guard let index = declaredProperties.firstIndex(of: property),
      let oldIndex = old.declaredProperties.firstIndex(of: property),
      let value = declared.value(at: index), let oldValue = old.declared.value(at: oldIndex)
    else { return false }
    return value == oldValue
  }
}
