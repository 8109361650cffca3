import TideBindings
import TideGraph

/// Computes a form's `valid`.
final class ValidBody: ComputedBody {
  unowned(unsafe) private let view: View?

  init(_ form: DataObject) { view = form as? View }

  override func evaluate(_ slot: Slot) throws -> Bool {
    slot.store(.boolean((view as? FormView)?.isValid ?? true))
  }
}

/// Computes a form's `errors`, a list for scripts.
final class FormErrorsBody: ComputedBody {
  unowned(unsafe) private let view: View?

  init(_ form: DataObject) { view = form as? View }

  override func evaluate(_ slot: Slot) throws -> Bool {
    guard let form = view as? FormView else { return false }
    var errors: [Value] = []
    // A script may keep all the lists, so their memory is accounted for.
    let table = BindingTable.of(form.graph)
    for (view, message) in form.shownErrors {
      try table.hooks.noteMemory?(FormError.weight + message.utf8.count)
      let error = FormError()
      let label: String? = view[.label]
      try error.set("view", .object(view))
      try error.set("label", label.map { .string($0) } ?? .null)
      try error.set("message", .string(message))
      errors.append(.object(error))
    }
    return slot.store(
      .object(
        FrozenList(errors, reason: "a form's errors follow the error of its views")))
  }
}
