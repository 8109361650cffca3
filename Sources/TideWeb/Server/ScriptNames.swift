/// Replaces names that a script declares by short ones.
///
/// A name is declared by `function`, `const` or `let`, or as a parameter. The parts of a script are
/// its top-level statements, and the entries of objects that are declared there. A name that is
/// declared in a part is replaced throughout the part. A name that is declared at the top level is
/// replaced everywhere. A name stays if it is also the name of a property, as where it is put into
/// an object or taken out of one. The names of properties stay, except those in `own`. A short name
/// never hides a name of the browser. Names that share no part may become the same short name.
///
/// All `const` declarations become `let`, because a single keyword compresses better. For the same
/// reason successive declarations are joined.
struct ScriptNames {
  /// How a word is used. A shorthand property (`{ name }`) is both a property and a value.
  private struct Use {
    var part = 0
    var isProperty = false
    var isValue = false
    var declares = false
  }

  private var words: [ArraySlice<UInt8>] = []
  private var uses: [Use] = []

  /// - Parameter script: without comments, and without spaces that separate nothing.
  init(_ script: [UInt8]) {
    words = Self.words(script[...])
    // The parentheses, brackets and braces that are open.
    var open: [Int] = []
    var part = 0
    for (index, word) in words.enumerated() {
      if let bracket = word.first, word.count == 1 {
        if "([{".utf8.contains(bracket) { open.append(index) }
        if ")]}".utf8.contains(bracket), let start = open.popLast() {
          declareNames(start, index, isOutside: open.isEmpty)
        }
      }
      if isEnd(index, open) { part += 1 }
      let isInObject = open.last.map(isObject) ?? false
      var use = Self.isName(word) ? use(index, isInObject: isInObject) : Use()
      // A name that is declared at the top level belongs to all parts.
      use.part = use.declares && open.isEmpty ? Self.everywhere : part
      uses.append(use)
    }
  }
  private static let everywhere = -1

  /// Names that stay, because tests of pages read them in the browser.
  private static let state = Set(
    [
      "unacknowledged", "ahead", "lastNumber", "isReady", "faults", "socket", "views", "cell",
      "notice", "script",
    ].map { ArraySlice($0.utf8) })

  /// Names of properties that only the page's script sets and reads: no DOM element, event or
  /// message has them, and no string contains them.
  static let own: Set<String> = [
    "anchor", "anchorTop", "calendar", "caption", "className", "content", "control", "count",
    "cursor", "edits", "element", "extent", "fault", "follows", "former", "frame",
    "handleKey", "hasNewText", "hasTyped", "headings", "high", "holds", "isAtEnd", "isComposing",
    "isField", "isNamed", "isOff", "last", "make", "next", "offset", "opener", "page",
    "parent", "perLine", "properties", "refresh", "row", "rowStep", "seesCursor", "sends", "sent",
    "sheet", "shown", "since", "slot", "sought", "subviews", "takes", "tideView", "traits", "typed",
    "update",
  ]
  private static let statements = ["if", "for", "while", "switch"].map { ArraySlice($0.utf8) }
  private static let declarations = ["function", "const", "let"].map { ArraySlice($0.utf8) }

  /// Splits a script into names, numbers, whole strings, the pieces of templates, and single
  /// characters.
  private static func words(_ script: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var words: [ArraySlice<UInt8>] = []
    var rest = script
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
      var word = script[start..<rest.startIndex]
      while byte == UInt8(ascii: "`"),
        let begin = word.firstRange(of: Array("${".utf8))?.upperBound,
        let end = word[begin...].firstIndex(of: UInt8(ascii: "}"))
      {
        words.append(word[..<begin])
        // No expression in a template needs its spaces.
        words += Self.words(word[begin..<end]).filter { $0 != [UInt8(ascii: " ")] }
        word = word[end...]
      }
      words.append(word)
    }
    return words
  }

  private static func isName(_ word: ArraySlice<UInt8>) -> Bool {
    word.first.map {
      ScriptText.isOfWord($0) && !("0"..."9").contains(Character(UnicodeScalar($0)))
    }
      ?? false
  }

  /// Marks the parameters of a function, or the names of a destructured list, as declarations.
  private mutating func declareNames(_ start: Int, _ end: Int, isOutside: Bool) {
    let isList =
      words[start] == [UInt8(ascii: "[")] && start > 0
      && Self.declarations.contains(words[start - 1])
    guard isList || areParameters(start, end) else { return }
    var braces = 0
    for index in start..<end {
      if words[index] == [UInt8(ascii: "{")] { braces += 1 }
      if words[index] == [UInt8(ascii: "}")] { braces -= 1 }
      guard braces == 0, Self.isName(words[index]), let before = words[index - 1].last,
        let after = words[index + 1].first
      else { continue }
      if "(,[.".utf8.contains(before), "),]=".utf8.contains(after) {
        uses[index].declares = true
        if isList, isOutside { uses[index].part = Self.everywhere }
      }
    }
  }

  private func areParameters(_ start: Int, _ end: Int) -> Bool {
    guard words[start] == [UInt8(ascii: "(")] else { return false }
    let after = words[(end + 1)...]
    let isMethod = start > 0 && uses[start - 1].isProperty && after.first == [UInt8(ascii: "{")]
    return after.starts(with: [[UInt8(ascii: "=")], [UInt8(ascii: ">")]]) || isMethod
      || start > 2 && words[start - 3] == Self.declarations[0]
  }

  /// Whether a brace opens an object or a pattern rather than a block.
  private func isObject(_ brace: Int) -> Bool {
    guard words[brace] == [UInt8(ascii: "{")], brace > 0 else { return false }
    return !Self.beforeBlocks.contains(words[brace - 1])
  }
  private static let beforeBlocks = [")", ">", ";", "{", "}", "else", "try"].map {
    ArraySlice($0.utf8)
  }

  /// How a name is used.
  private func use(_ index: Int, isInObject: Bool) -> Use {
    let before = index > 0 ? words[index - 1] : []
    let after = index + 1 < words.count ? words[index + 1] : []
    if before == [UInt8(ascii: " ")], index > 1, Self.declarations.contains(words[index - 2]) {
      return Use(isValue: true, declares: true)
    }
    // A piece of a template has more characters than its brace.
    let previous = before.dropFirst().isEmpty ? before.first ?? 0 : 0
    let next = after.dropFirst().isEmpty ? after.first ?? 0 : 0
    // A further name of the same declaration, without a value.
    if previous == UInt8(ascii: ","), index > 1, uses[index - 2].declares, ",;".utf8.contains(next)
    {
      return Use(isValue: true, declares: true)
    }
    if next == UInt8(ascii: ":"), "{,".utf8.contains(previous) { return Use(isProperty: true) }
    if previous == UInt8(ascii: ".") {
      // Three dots spread a list.
      let isProperty = index < 3 || words[index - 2].last != UInt8(ascii: ".")
      return Use(isProperty: isProperty, isValue: !isProperty)
    }
    guard isInObject, "{,}".utf8.contains(previous) else { return Use(isValue: true) }
    if next == UInt8(ascii: "("), isMethod(index) { return Use(isProperty: true) }
    return Use(isProperty: "{,}=".utf8.contains(next), isValue: true)
  }

  /// Whether a name before parentheses declares a method, which has a body, rather than calls a
  /// function.
  private func isMethod(_ index: Int) -> Bool {
    if Self.statements.contains(words[index]) { return false }
    var open = 0
    for end in words.indices.dropFirst(index + 1) {
      if words[end] == [UInt8(ascii: "(")] { open += 1 }
      if words[end] == [UInt8(ascii: ")")] { open -= 1 }
      if open == 0 { return end + 1 < words.count && words[end + 1] == [UInt8(ascii: "{")] }
    }
    return false
  }

  /// Whether a word ends a part.
  private func isEnd(_ index: Int, _ open: [Int]) -> Bool {
    switch words[index] {
    case [UInt8(ascii: ";")], [UInt8(ascii: "}")]: open.isEmpty
    case [UInt8(ascii: ",")]:
      open.count == 1 && words[open[0]].first == UInt8(ascii: "{") && open[0] > 0
        && words[open[0] - 1] == [UInt8(ascii: "=")]
    default: false
    }
  }

  /// The script with its short names.
  var shortened: [UInt8] {
    var script: [UInt8] = []
    for word in Self.joined(Self.bare(renamed)) {
      let word = Self.shorter[word] ?? word
      if word.first == UInt8(ascii: "!"), script.last == UInt8(ascii: " ") { script.removeLast() }
      script += word
    }
    return script
  }
  private static let shorter = ["const": "let", "true": "!0", "false": "!1"].reduce(into: [:]) {
    $0[ArraySlice($1.key.utf8)] = ArraySlice($1.value.utf8)
  }

  /// The words, with short names.
  private var renamed: [ArraySlice<UInt8>] {
    let own = Set(Self.own.map { ArraySlice($0.utf8) })
    // For each name, the parts that declare it, and the parts in which it has to stay.
    var declared: [ArraySlice<UInt8>: Set<Int>] = [:]
    var kept: [ArraySlice<UInt8>: Set<Int>] = [:]
    // The names that short names must differ from: in a part, everywhere, and among the properties.
    var taken: [Int: Set<ArraySlice<UInt8>>] = [:]
    var properties = Set(words)
    for (word, use) in zip(words, uses) {
      if use.declares { declared[word, default: []].insert(use.part) }
      if use.isProperty, use.isValue { kept[word, default: []].insert(use.part) }
      if use.isValue { taken[use.part, default: []].insert(word) }
    }
    taken[Self.everywhere] = properties
    // For each name, how often and in which parts it is replaced.
    var places: [ArraySlice<UInt8>: (count: Int, parts: Set<Int>)] = [:]
    for (word, use) in zip(words, uses) where word.count > 2 && !Self.state.contains(word) {
      let parts = declared[word] ?? []
      let stays =
        parts.contains(Self.everywhere)
        ? kept[word] != nil : !parts.contains(use.part) || kept[word]?.contains(use.part) == true
      guard own.contains(word) || use.isValue && !stays else { continue }
      places[word, default: (0, [])].count += 1
      if use.isValue { places[word]?.parts.insert(use.part) }
      if parts.contains(Self.everywhere) { places[word]?.parts.insert(Self.everywhere) }
    }
    // The most frequent names first. Equally frequent ones are sorted by name, so that the result
    // is deterministic.
    let order = places.sorted { one, other in
      (-one.value.count, String(decoding: one.key, as: UTF8.self))
        < (-other.value.count, String(decoding: other.key, as: UTF8.self))
    }
    var new: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]
    for (name, place) in order {
      let isOwn = own.contains(name)
      new[name] = (0...).lazy.map { Self.name($0)[...] }.first { short in
        !(isOwn && properties.contains(short))
          && place.parts.allSatisfy { taken[$0]?.contains(short) != true }
      }
      guard let short = new[name] else { continue }
      if isOwn { properties.insert(short) }
      for part in place.parts { taken[part, default: []].insert(short) }
    }
    return zip(words, uses).map { word, use in
      guard let place = places[word], let short = new[word] else { return word }
      return own.contains(word) || use.isValue && place.parts.contains(use.part) ? short : word
    }
  }

  /// Removes the parentheses around the only parameter of a function.
  private static func bare(_ words: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    let arrow = [")", "=", ">"].map { ArraySlice($0.utf8) }
    var bare: [ArraySlice<UInt8>] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == [UInt8(ascii: "(")], let name = rest.first, isName(name),
        rest.dropFirst().starts(with: arrow), !(bare.last.map(isName) ?? false)
      {
        bare.append(name)
        rest = rest.dropFirst(2)
      } else {
        bare.append(word)
      }
    }
    return bare
  }

  /// Joins successive declarations into one.
  private static func joined(_ words: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    var joined: [ArraySlice<UInt8>] = []
    // For each open bracket, whether the current statement in it is a declaration, and whether the
    // previous one was.
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
