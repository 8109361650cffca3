/// Replaces names that a script declares by short ones.
///
/// A name is declared by `function`, `const` or `let`, or as a parameter. It is replaced everywhere
/// at once, so it does not matter in how many functions it is declared; one that is also the name of
/// a property, or stands in a template, stays as it is, unless it is among `own`. None may be that
/// of something the browser has. Nothing is declared by `const` afterwards: one word for all
/// compresses better, as one declaration does for those that follow each other.
struct ScriptNames {
  private var words: [ArraySlice<UInt8>] = []
  private var declared: Set<ArraySlice<UInt8>> = []
  private var uses: [ArraySlice<UInt8>: Int] = [:]
  private var kept = Self.state
  private var inTemplates: Set<ArraySlice<UInt8>> = []

  /// - Parameter script: without comments, and without spaces that separate nothing.
  init(_ script: [UInt8]) {
    words = Self.words(script)
    // The parentheses, brackets and braces that are open.
    var open: [Int] = []
    for (index, word) in words.enumerated() {
      if let bracket = word.first, word.count == 1 {
        if "([{".utf8.contains(bracket) { open.append(index) }
        if ")]}".utf8.contains(bracket), let start = open.popLast(), bracket == UInt8(ascii: ")"),
          areParameters(start, index)
        {
          declareParameters(start, index)
        }
      }
      if word.first == UInt8(ascii: "`") { keepNames(in: word) }
      guard Self.isName(word) else { continue }
      uses[word, default: 0] += 1
      let before = index > 1 ? words[index - 1] : []
      let after = index + 1 < words.count ? words[index + 1] : []
      if before == [UInt8(ascii: " ")], Self.declarations.contains(words[index - 2]) {
        declared.insert(word)
      }
      let isInBraces = open.last.map { words[$0].first == UInt8(ascii: "{") } ?? true
      if isProperty(index, before, after, isInBraces) { kept.insert(word) }
    }
  }

  /// Names that stay, because tests of pages read them in the browser.
  private static let state = Set(
    [
      "unacknowledged", "ahead", "lastNumber", "isReady", "faults", "socket", "views", "cell",
      "notice",
    ].map { ArraySlice($0.utf8) })

  /// Names of properties that the page's script alone gives and reads: no element, event or message
  /// has them, and no text names them.
  static let own: Set<String> = [
    "acknowledged", "attempts", "base", "before", "caption", "className", "content", "control",
    "convert", "count", "cursor", "depth", "detach", "edits", "element", "follows", "former",
    "frame", "generation", "hasEnded", "hasNewText", "hasTyped", "headings", "held", "high",
    "holds", "index", "insert", "isAtEnd", "isComposing", "isField", "isLost", "isMeasured",
    "isNamed", "isOff", "isPressing", "isRefused", "lastHeard", "later", "least", "line", "look",
    "lostTimer",
    "make", "most", "name", "nameControl", "nodes", "number", "opener", "operations", "paper",
    "orderTabs", "parent", "perLine", "placeCells", "prefix", "properties", "property", "real",
    "refresh", "removed", "row", "said", "sends", "sent", "shown", "slot", "suffix", "takes",
    "terms", "tideView", "toldFocus", "touching", "track", "typed", "unit", "update", "view",
  ]
  private static let declarations = ["function", "const", "let"].map { ArraySlice($0.utf8) }

  /// Names and numbers, texts whole, and all else by the character.
  private static func words(_ script: [UInt8]) -> [ArraySlice<UInt8>] {
    var words: [ArraySlice<UInt8>] = []
    var rest = script[...]
    while let byte = rest.popFirst() {
      let start = rest.startIndex - 1
      let last = words.last?.last
      if ScriptText.isOfWord(byte) {
        rest = rest.drop(while: ScriptText.isOfWord)
      } else if ScriptText.quotes.contains(byte)
        || (byte == UInt8(ascii: "/") && last.map(ScriptText.beforeExpression.contains) ?? true)
      {
        _ = ScriptText.takeText(byte, &rest)
      }
      words.append(script[start..<rest.startIndex])
    }
    return words
  }

  private static func isName(_ word: ArraySlice<UInt8>) -> Bool {
    word.first.map {
      ScriptText.isOfWord($0) && !("0"..."9").contains(Character(UnicodeScalar($0)))
    }
      ?? false
  }

  private mutating func keepNames(in template: ArraySlice<UInt8>) {
    for name in template.split(whereSeparator: { !ScriptText.isOfWord($0) }) {
      kept.insert(name)
      inTemplates.insert(name)
    }
  }

  /// Whether what is in parentheses are the parameters of a function.
  private func areParameters(_ start: Int, _ end: Int) -> Bool {
    let isArrow =
      end + 2 < words.count && words[end + 1] == [UInt8(ascii: "=")]
      && words[end + 2] == [UInt8(ascii: ">")]
    return isArrow || start > 2 && words[start - 3] == Self.declarations[0]
  }

  /// Declares parameters, also those in lists that are taken apart.
  private mutating func declareParameters(_ start: Int, _ end: Int) {
    var braces = 0
    for index in start..<end {
      if words[index] == [UInt8(ascii: "{")] { braces += 1 }
      if words[index] == [UInt8(ascii: "}")] { braces -= 1 }
      guard braces == 0, Self.isName(words[index]), let before = words[index - 1].last,
        let after = words[index + 1].first
      else { continue }
      if "(,[.".utf8.contains(before), "),]=".utf8.contains(after) { declared.insert(words[index]) }
    }
  }

  /// Whether a name may be that of a property here, also one that is taken apart or a method.
  private func isProperty(
    _ index: Int, _ before: ArraySlice<UInt8>, _ after: ArraySlice<UInt8>, _ isInBraces: Bool
  ) -> Bool {
    let (previous, next) = (before.last ?? 0, after.first ?? 0)
    if next == UInt8(ascii: ":") { return true }
    if previous == UInt8(ascii: ".") {
      // Three points take a list apart.
      return index < 3 || words[index - 2].last != UInt8(ascii: ".")
    }
    guard isInBraces, "{,}".utf8.contains(previous) else { return false }
    return "{,}=".utf8.contains(next) || next == UInt8(ascii: "(") && isMethod(index)
  }

  /// Whether a name before parentheses is that of a method, and not called: a body follows.
  private func isMethod(_ index: Int) -> Bool {
    var open = 0
    for end in words.indices.dropFirst(index + 1) {
      if words[end] == [UInt8(ascii: "(")] { open += 1 }
      if words[end] == [UInt8(ascii: ")")] { open -= 1 }
      if open == 0 { return end + 1 < words.count && words[end + 1] == [UInt8(ascii: "{")] }
    }
    return false
  }

  /// The script with its short names.
  var shortened: [UInt8] {
    let known = Set(words)
    var count = 0
    var new = [
      Self.declarations[1]: Array(Self.declarations[2]), ArraySlice("true".utf8): Array("!0".utf8),
      ArraySlice("false".utf8): Array("!1".utf8),
    ]
    let own = known.intersection(Self.own.map { ArraySlice($0.utf8) }).subtracting(inTemplates)
    let candidates = declared.subtracting(kept).union(own).filter { $0.count > 2 }
    // The most frequent first; of those used alike the first in the alphabet, so that it is always
    // the same.
    let order = candidates.sorted { one, other in
      (-(uses[one] ?? 0), String(decoding: one, as: UTF8.self))
        < (-(uses[other] ?? 0), String(decoding: other, as: UTF8.self))
    }
    for name in order {
      var short = Self.name(count)
      while known.contains(short[...]) {
        count += 1
        short = Self.name(count)
      }
      count += 1
      new[name] = short
    }
    var script: [UInt8] = []
    for word in Self.joined(words) {
      let word = new[word] ?? Array(word)
      if word.first == UInt8(ascii: "!"), script.last == UInt8(ascii: " ") { script.removeLast() }
      script += word
    }
    return script
  }

  /// Has what is declared one after the other declared at once.
  private static func joined(_ words: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    var joined: [ArraySlice<UInt8>] = []
    // Of the brackets that are open, whether the statement in them declares, and the one before did.
    var open = [(declares: false, declared: false)]
    var isAtStart = true
    var isAfterJoint = false
    for word in words {
      let isSpaceLeftOut = isAfterJoint && word == [UInt8(ascii: " ")]
      isAfterJoint = false
      if isSpaceLeftOut { continue }
      let last = open.count - 1
      if isAtStart {
        open[last].declares = declarations[1...].contains(word)
        if open[last].declares, open[last].declared, joined.last == [UInt8(ascii: ";")] {
          joined[joined.count - 1] = ArraySlice(",".utf8)
          isAtStart = false
          isAfterJoint = true
          continue
        }
      }
      isAtStart = false
      joined.append(word)
      guard word.count == 1, let byte = word.first else { continue }
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        open.append((declares: false, declared: false))
        isAtStart = byte == UInt8(ascii: "{")
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if open.count > 1 { open.removeLast() }
        guard byte == UInt8(ascii: "}") else { continue }
        open[open.count - 1].declared = false
        isAtStart = !open[open.count - 1].declares
      case UInt8(ascii: ";"):
        open[last] = (declares: false, declared: open[last].declares)
        isAtStart = true
      default: break
      }
    }
    return joined
  }

  /// The letters that scripts use most come first: what is frequent compresses better.
  private static let letters = Array("etnrisoalcdhupmgfvwybkxjqzSCTAEPILRDMNOFUBHGVWKYXQJZ".utf8)

  private static func name(_ number: Int) -> [UInt8] {
    let letters = Self.letters
    if number < letters.count { return [letters[number]] }
    let rest = number - letters.count
    return [letters[rest / letters.count % letters.count], letters[rest % letters.count]]
  }
}
