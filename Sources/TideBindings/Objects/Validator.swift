import CTideSlots
import TideGraph

/// A declared property's judge, kept among the graph's bodies.
final class Validator<Content: PropertyValue>: Body {
  private let judge: (Content) -> Verdict<Content>

  init(_ judge: @escaping (Content) -> Verdict<Content>) { self.judge = judge }

  /// Writes what the judge allows, and settles.
  static func write(_ content: Content, to slot: Slot) throws {
    let admitted = try judged(content, for: slot)
    if slot.pointee.access & Access.prior != 0 { tellPriors(of: slot, admitted) }
    if Graph.noting(slot, { Content.store(admitted, in: slot) }) { Graph.noteChange(of: slot) }
  }

  private static func tellPriors(of slot: Slot, _ content: Content) {
    Nursery.withScratch { scratch in
      Content.store(content, in: scratch)
      BindingTable.of(.of(slot)).willChange(slot, to: scratch.load())
    }
  }

  /// Judges a value that does not come from Swift.
  static func judge(_ value: Value, for slot: Slot) throws -> Value {
    try Nursery.withScratch(value) { scratch in
      Content.store(try judged(Content.load(scratch), for: slot), in: scratch)
      return scratch.load()
    }
  }

  private static func judged(_ content: Content, for slot: Slot) throws -> Content {
    guard let validator = slot.attachedBody as? Validator<Content> else { return content }
    switch Graph.untracked(at: slot, { validator.judge(content) }) {
    case .accept: return content
    case .replace(let other): return other
    case .refuse(let message): throw TideError(.refused, message)
    }
  }
}
