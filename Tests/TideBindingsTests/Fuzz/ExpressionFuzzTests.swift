import Fuzzing
import Testing

@testable import TideBindings

/// Generated and mutated texts: none traps, an error has a column within its text, and what was
/// parsed is printed so that it parses to the same again.
@Suite struct ExpressionFuzzTests {
  static let seeds = [
    "name -> text | capitalized", "fruit.name <> @superview.dataObject.items[12].name | trim",
    "a !~> @superviewWithRestorationID['my ] id'].@sum.price | !plural(one, \"ma\\\"ny\", -0x1p4, nil)",
    "größe <-! 名前.@subviews[0] | format(\"%.2f €\") | default(nil, true, 1e5)", "@cell <~! x",
  ]

  /// What is wrong with how a text is parsed, every way; nil while all is well.
  static func fault(_ text: String) -> String? {
    check(text) { try BindingExpression($0) }
      ?? check(text) { try ViewExpression($0) } ?? check(text) { try Path($0) }
      ?? check(text) { try Calls($0) }
  }

  private struct Calls: Equatable, CustomStringConvertible {
    let calls: [TransformCall]
    init(_ text: String) throws { calls = try TransformCall.sequence(text) }
    var description: String { calls.map(\.description).joined(separator: " | ") }
  }

  private static func check<Parsed: Equatable & CustomStringConvertible>(
    _ text: String, _ parse: (String) throws -> Parsed
  ) -> String? {
    do {
      let parsed = try parse(text)
      guard let again = try? parse(parsed.description) else {
        return "\(text) is printed as \(parsed), which does not parse"
      }
      // Numbers that are no numbers equal themselves here.
      return again == parsed ? nil : "\(text) is printed as \(parsed), which is \(again)"
    } catch let error as TideError {
      return check(error.message, of: text)
    } catch {
      return "\(text) throws \(error)"
    }
  }

  /// The column is in the line that is named, and the caret below that location.
  private static func check(_ message: String, of text: String) -> String? {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    guard message.hasPrefix("column ") || message.hasPrefix("line "), lines.count >= 3,
      lines.last?.last == "^"
    else { return "\(text): the error has no location: \(message)" }
    let head = message.prefix { $0 != ":" }
    let numbers = head.split { !$0.isNumber }.compactMap { Int($0) }
    guard let column = numbers.last, column >= 1 else { return "\(text): no column in \(message)" }
    let line = numbers.count == 2 ? numbers[0] : 1
    let all = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    guard line <= all.count, column <= all[line - 1].count + 1 else {
      return "\(text): \(head) is outside of it"
    }
    // Not in characters: a lone accent joins the blank before it.
    let caret = lines[lines.count - 1].unicodeScalars.count - 1
    let excerpt = lines[lines.count - 2].unicodeScalars.count
    return caret <= excerpt ? nil : "\(text): the caret is beyond the text: \(message)"
  }

  @Test func `an expression cut at every character never traps`() {
    for seed in Self.seeds {
      for index in seed.indices {
        #expect(Self.fault(String(seed[..<index])) == nil)
        #expect(Self.fault(String(seed[index...])) == nil)
      }
    }
  }

  @Test func `what was found before is well`() {
    for (file, input) in FuzzRun.found(by: "expressions") {
      let fault = Self.fault(String(decoding: input, as: UTF8.self))
      #expect(fault == nil, "\(file)")
    }
  }

  @Test func `generated and mutated texts are parsed soundly`() {
    var random = SeededGenerator("expression fuzz")
    var run = FuzzRun("expressions", stepsInSuite: 20_000)
    while run.goesOn() {
      var bytes: [UInt8]
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        bytes = random.bytes(Int.random(in: 0..<40, using: &random))
      case 1...3: bytes = Array(Self.seeds.randomElement(using: &random).map { $0.utf8 } ?? "".utf8)
      default:
        var grammar = ExpressionGrammar(random)
        bytes = Array(grammar.binding().utf8)
        random = grammar.random
      }
      if Bool.random(using: &random) { Self.mutate(&bytes, &random) }
      run.note(bytes)
      guard let fault = Self.fault(String(decoding: bytes, as: UTF8.self)) else { continue }
      let short = ByteSource.shortened(bytes) {
        Self.fault(String(decoding: $0, as: UTF8.self)) != nil
      }
      Issue.record("\(Self.fault(String(decoding: short, as: UTF8.self)) ?? fault)")
      _ = run.save(short)
      return
    }
  }

  private static let alphabet = Array("ab1 .@[](){}'\"|!<>-~,\\\n\t%\u{0}é".utf8)

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes.remove(at: index)
      case 1: bytes[index] = alphabet[Int.random(in: alphabet.indices, using: &random)]
      case 2: bytes.insert(alphabet[Int.random(in: alphabet.indices, using: &random)], at: index)
      case 3: bytes.removeSubrange(index...)
      case 4: bytes += bytes[index...]
      default: bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
    }
  }
}

/// Makes texts by the rules of the grammar, spaces, odd names and odd numbers included.
private struct ExpressionGrammar {
  var random: SeededGenerator

  init(_ random: SeededGenerator) { self.random = random }

  private mutating func pick(_ choices: [String]) -> String {
    choices[Int.random(in: choices.indices, using: &random)]
  }

  private mutating func some(_ range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &random)
  }
  private mutating func space() -> String { pick(["", "", " ", "  ", "\n", "\t", "\r\n"]) }

  mutating func binding() -> String {
    let arrow = pick(Arrow.allCases.map(\.rawValue))
    var text = [space(), path(), space(), arrow, space(), path(), space()].joined()
    for _ in 0..<some(0...3) { text += ["|", space(), transform(), space()].joined() }
    return text
  }

  mutating func path() -> String {
    (0..<some(1...5)).map { _ in step() }.joined(separator: pick([".", ".", " . "]))
  }

  private mutating func name() -> String {
    pick([
      "a", "name", "_x1", "größe", "名前", "dataObject", "superview", "window", "nil", "true", "e5",
    ])
  }

  private mutating func step() -> String {
    switch some(0...5) {
    case 0: "@" + pick(CollectionOperator.allCases.map(\.rawValue))
    case 1: "@" + pick(["superview", "rootview", "cell"])
    case 2:
      "@" + pick(["superviewWithTag", "subviewWithTag", "subviews"])
        + "[\(space())\(pick(["0", "12", "-3", "9223372036854775807", "007"]))\(space())]"
    case 3:
      "@" + pick(["superviewWithID", "subviewWithRestorationID", "superviewWithClass"])
        + "[\(pick(["a", "UILabel", "'my ] id'", "\"q\\\"x\"", " two words ", "ü", "a'b", "'\\n'"]))]"
    case 4: "\(name())[\(pick(["1", "2", "0", "99999999999999999999"]))]"
    default: name()
    }
  }

  private mutating func transform() -> String {
    var text = pick(["", "", "!", "! "]) + name()
    guard some(0...1) == 1 else { return text }
    let literals = (0..<some(0...4)).map { _ in literal() }
    text += space() + "(" + literals.joined(separator: pick([",", ", "])) + ")"
    return text
  }

  private mutating func literal() -> String {
    pick([
      "1", "-2", "+3", "0.5", ".5", "5.", "1e5", "-1E-7", "0x10", "0x.8p2", "-0", "-0.0", "1e999",
      "-1e999", "9223372036854775808", "-9223372036854775808", "0x7fffffffffffffff", "1e308",
      "5e-324",
      "true", "false", "nil", "bare", "'text'", "\"text\"", "'it\\'s'", "\"\\\\\"", "'\\q\\n\\t'",
      "''",
      "'true'", "\"1\"", "'ü\u{0}'",
    ])
  }
}
