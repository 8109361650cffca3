import TideBindings
import TideScript

// Patterns of the string library, and formats of dates.
extension ScriptChecker {
  /// Checks the pattern of `text:match("(%d+")`.
  ///
  /// - Parameters:
  ///   - function: `find`, `match`, `gmatch` or `gsub`; others take no pattern.
  ///   - arguments: those after the text.
  func check(patternOf function: String, _ arguments: [LuaExpression]) {
    guard mentions == nil, ["find", "match", "gmatch", "gsub"].contains(function),
      let token = arguments.first?.string, let start = arguments.first?.range.lowerBound
    else { return }
    // With a fourth argument, `find` looks for the text itself.
    if function == "find", arguments.count > 2 { return }
    let pattern = LuaPattern(token.text)
    if let fault = pattern.fault {
      let advice =
        fault.hasPrefix("malformed pattern (ends") || fault.hasPrefix("unfinished")
          || fault.hasSuffix("(missing ']')")
        ? "; % before a sign means the sign itself" : ""
      return report(
        .libraryArguments, "string.\(function) refuses this pattern: \(fault)\(advice)", at: start,
        .warning)
    }
    guard function == "gsub", arguments.count > 1, let replacement = arguments[1].string,
      let fault = pattern.fault(inReplacement: replacement.text)
    else { return }
    report(
      .libraryArguments,
      "string.gsub refuses this replacement: \(fault); write %% for a percent sign",
      at: arguments[1].range.lowerBound, .warning)
  }

  /// Checks the pattern of a method of a value about which nothing is known, if no object of the app
  /// has such a method.
  func check(patternOfUnknown method: String, _ arguments: [LuaExpression]) {
    guard let text = arguments.first?.string?.text, text.contains("%") || text.hasPrefix("^"),
      !names.methods.contains(method) || method == "find", !index.mayDeclare(method)
    else { return }
    check(patternOf: method, arguments)
  }

  /// Checks the format of `os.date("!%Y-%m-%d")`.
  func check(dateFormat format: LuaExpression) {
    guard mentions == nil, let token = format.string else { return }
    let bytes = Array(token.text.utf8)
    var index = 0
    while let percent = bytes[index...].firstIndex(of: UInt8(ascii: "%")) {
      let rest = bytes[(percent + 1)...]
      if let length = Self.lengthOfDateDirective(rest) {
        index = percent + 1 + length
        continue
      }
      let wrong = String(decoding: rest.prefix(1), as: UTF8.self)
      let start =
        token.contentStart.flatMap {
          script.source.bytes[$0...].starts(with: bytes) ? $0 + percent : nil
        } ?? format.range.lowerBound
      return report(
        .formatArguments,
        "os.date has no directive \"%\(wrong)\"; write %% for a percent sign", at: start, .warning)
    }
  }

  /// Reports `os.time("2026-03-14")`.
  func check(timeOf moment: LuaExpression) {
    guard mentions == nil, let kind = kind(of: moment), kind == .text || kind == .number else {
      return
    }
    report(
      .libraryArguments,
      "os.time takes a table { year = …, month = …, day = … }, and \(text(of: moment)) is "
        + kind.rawValue, at: moment.range.lowerBound, .warning)
  }

  /// The number of bytes after `%`; nil if there is no such directive.
  private static func lengthOfDateDirective(_ rest: ArraySlice<UInt8>) -> Int? {
    guard let first = rest.first else { return nil }
    if "aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyYzZ%".utf8.contains(first) { return 1 }
    guard let second = rest.dropFirst().first else { return nil }
    switch first {
    case UInt8(ascii: "E"): return "cCxXyY".utf8.contains(second) ? 2 : nil
    case UInt8(ascii: "O"): return "deHImMSuUVwWy".utf8.contains(second) ? 2 : nil
    default: return nil
    }
  }

  /// Whether a call certainly gives a text or nil: `text:match "%d+"`.
  func givesMatchedText(_ call: LuaExpression) -> Bool {
    let pattern: LuaToken?
    switch call.kind {
    case .method(let base, "match", _, let arguments):
      pattern = arguments.first?.string
      if case .text? = inference.inferredType(of: base) { break }
      guard inference.inferredType(of: base) == nil, !index.mayDeclare("match"),
        pattern?.text.contains("%") == true
      else { return false }
    case .call(let callee, let arguments):
      guard inference.path(of: callee) == "string.match", isOfLibrary("string.match") else {
        return false
      }
      pattern = arguments.dropFirst().first?.string
    default: return false
    }
    guard let pattern else { return false }
    let read = LuaPattern(pattern.text)
    return read.fault == nil && !read.hasIndexCapture
  }
}
