import TideBindings
import TideGraph

/// The values that the script declared for properties which the user or a handler may change.
///
/// If a new version of the script declares the same value, the user's change is kept; if it
/// declares another value, that value applies.
struct DeclaredState {
  /// Whether the view has been in a scene.
  private(set) var isNoted = false
  private(set) var isHidden = false
  /// The values of the view's `declaredProperties`.
  private var values: [Value] = []

  mutating func note(_ view: View) {
    isNoted = true
    isHidden = view.flag(.hidden)
    let properties = view.declaredProperties
    if !properties.isEmpty { values = properties.map { view.peek($0, as: Value.self) } }
  }

  /// Records one property again.
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
  /// Records that the script has declared a property again.
  package final func noteDeclared(anew name: String) { declared.note(name, of: self) }

  /// Whether the script declares the same value of a property as for the view that this one
  /// replaces.
  final func declares(_ property: ViewProperty, as old: View) -> Bool {
    guard let index = declaredProperties.firstIndex(of: property),
      let oldIndex = old.declaredProperties.firstIndex(of: property),
      let value = declared.value(at: index), let oldValue = old.declared.value(at: oldIndex)
    else { return false }
    return value == oldValue
  }
}
