import Fuzzing
import TideGraph

@testable import TideBindings

extension BindingModel {
  /// One side of a binding.
  struct End {
    enum Kind {
      case plain
      case items(CollectionOperator)
      case parts(CollectionOperator)
    }

    var property: PropertyKey
    /// How often `next` is followed first.
    var steps = 0
    var kind = Kind.plain

    var object: Int { property.object }

    var isPlain: Bool {
      if case .plain = kind { steps == 0 } else { false }
    }

    /// The letter that it depends on; less than all of them where that is none.
    var level: Int {
      if case .items = kind { -1 } else { property.letter }
    }

    var path: String {
      let start = String(repeating: "next.", count: steps)
      let letter = BindingWorld.letters[property.letter]
      switch kind {
      case .plain: return start + letter
      case .items(let summary): return "\(start)items.@\(summary.rawValue)"
      case .parts(let summary): return "\(start)parts.@\(summary.rawValue).\(letter)"
      }
    }

    /// Whether it is a list, whose length is what counts.
    var isList: Bool {
      switch kind {
      case .items(.unionOfObjects), .items(.distinctUnionOfObjects), .parts(.unionOfObjects),
        .parts(.distinctUnionOfObjects):
        true
      default: false
      }
    }
  }

  /// A binding that may be made: where from, where to, and through what.
  struct Plan {
    let source: End
    let target: End
    let arrow: Arrow
    let context: Int
    let isEnabled: Bool
    private let steps: [Step]

    /// A transformer as the expression names it, and what it does.
    private struct Step {
      var text: String
      var forward: (Int) -> Int
      var backward: ((Int) -> Int)?
    }

    var goesRight: Bool { arrow.goesRight }
    var isTwoWay: Bool { arrow.isTwoWay }
    var copiesAtFirst: Bool { arrow.copiesAtFirst }
    var isIdentity: Bool { steps.isEmpty }

    init(_ bytes: inout ByteSource, _ first: Int, _ second: Int, context: Int) {
      self.context = context
      arrow = bytes.pick(Arrow.allCases)
      isEnabled = bytes.number(below: 6) != 0
      let summaries: [CollectionOperator] = [
        .count, .sum, .min, .max, .unionOfObjects, .distinctUnionOfObjects,
      ]
      var source = End(property: PropertyKey(object: first, letter: bytes.number(below: 3)))
      var target = End(property: PropertyKey(object: second, letter: bytes.number(below: 3)))
      if arrow.isTwoWay {
        target.property.letter = source.property.letter
      } else {
        source.steps = [0, 0, 0, 1, 2][bytes.number(below: 5)]
        switch bytes.number(below: 5) {
        case 0: source.kind = .items(bytes.pick(summaries))
        case 1: source.kind = .parts(bytes.pick(summaries))
        default: break
        }
        if bytes.number(below: 6) == 0 {
          target.steps = 1 + bytes.number(below: 2)
          target.property.letter = 3
        } else if source.level >= target.property.letter {
          target.property.letter = min(2, source.level + 1)
        }
      }
      self.source = source
      self.target = target
      // Of a right-to-left arrow the reverses are used, unless it applies them forward.
      let needsReverse = arrow.goesLeft && !arrow.appliesForwardLeftward
      var steps: [Step] = []
      if source.isList {
        // Nothing leads back to a list; and from right to left the reverse is what is written.
        steps = [Step(text: needsReverse ? "!length" : "length", forward: { $0 }, backward: { $0 })]
      }
      for _ in 0..<bytes.number(below: 3) {
        steps.append(Self.step(&bytes, isReversible: needsReverse))
      }
      // Written in the order in which a value passes them, but for a reversed way.
      self.steps = source.isList && needsReverse ? [steps[0]] : steps
    }

    private static func step(_ bytes: inout ByteSource, isReversible: Bool) -> Step {
      let amount = 1 + bytes.number(below: 3)
      switch bytes.number(below: isReversible ? 3 : 4) {
      case 0:
        return Step(text: "offset(\(amount))", forward: { $0 + amount }, backward: { $0 - amount })
      case 1:
        return Step(text: "!offset(\(amount))", forward: { $0 - amount }, backward: { $0 + amount })
      case 2: return Step(text: "scale(-1)", forward: { -$0 }, backward: { -$0 })
      default: return Step(text: "twice", forward: { $0 * 2 }, backward: nil)
      }
    }

    var text: String {
      let left = goesRight ? source.path : target.path
      let right = goesRight ? target.path : source.path
      return steps.reduce("\(left) \(arrow.rawValue) \(right)") { "\($0) | \($1.text)" }
    }

    /// The way from the source to the target.
    func forward(_ value: Value) -> Value {
      goesRight || arrow.appliesForwardLeftward ? applied(value) : takenBack(value)
    }

    /// The way back of a two-way binding.
    func backward(_ value: Value) -> Value { takenBack(value) }

    private func applied(_ value: Value) -> Value {
      guard case .integer(let number) = value else { return nil }
      return .integer(steps.reduce(number) { $1.forward($0) })
    }

    private func takenBack(_ value: Value) -> Value {
      guard case .integer(let number) = value else { return nil }
      return .integer(steps.reversed().reduce(number) { $1.backward?($0) ?? $0 })
    }
  }
}
