import CTideSlots
import TideGraph

/// The validator of a declared property, attached to the property's slot.
final class Validator<Content: TideConvertible>: Body {
  private let judge: (Content) -> Verdict<Content>

  init(_ judge: @escaping (Content) -> Verdict<Content>) { self.judge = judge }

  /// Writes the value that the validator allows, and settles.
  static func write(_ content: Content, to slot: Slot) throws {
    let admitted = try judged(content, for: slot)
    if slot.pointee.access & Access.prior != 0 { notifyPriorObservers(of: slot, admitted) }
    if Graph.noting(slot, { Content.store(admitted, in: slot) }) { slot.noteChange() }
  }

  private static func notifyPriorObservers(of slot: Slot, _ content: Content) {
    Nursery.withScratch { scratch in
      Content.store(content, in: scratch)
      BindingTable.of(.of(slot)).willChange(slot, to: scratch.load())
    }
  }

  /// Validates a value that does not come from Swift, and returns it in the form that is stored.
  static func judge(_ value: Value, for slot: Slot) throws -> Value {
    if Content.isRestricted {
      let content = try Content.held(value)
      switch verdict(on: content, for: slot) {
      case .accept: if case .object = value { return content.held } else { return value }
      case .replace(let other): return other.held
      case .refuse(let message): throw TideError(.refused, message)
      }
    }
    return try Nursery.withScratch(value) { scratch in
      Content.store(try judged(Content.load(scratch), for: slot), in: scratch)
      return scratch.load()
    }
  }

  private static func judged(_ content: Content, for slot: Slot) throws -> Content {
    switch verdict(on: content, for: slot) {
    case .accept: return content
    case .replace(let other): return other
    case .refuse(let message): throw TideError(.refused, message)
    }
  }

  private static func verdict(on content: Content, for slot: Slot) -> Verdict<Content> {
    guard let validator = slot.attachedBody as? Validator<Content> else { return .accept }
    return Graph.untracked(at: slot) { validator.judge(content) }
  }
}
