import TideLua

/// The words in reports, in English or in the language of `--lang`.
package struct ReportWords: Sendable {
  private var words: [String: String] = [
    "pending": "Pending", "failure": "Failure", "error": "Error", "success": "Success",
    "pending_plural": "pending", "failure_plural": "failures", "error_plural": "errors",
    "success_plural": "successes", "pending_zero": "pending", "failure_zero": "failures",
    "error_zero": "errors", "success_zero": "successes", "pending_single": "pending",
    "failure_single": "failure", "error_single": "error", "success_single": "success",
    "seconds": "seconds",
  ]

  package init() {}

  /// Loads the module `busted.languages.LANGUAGE`, from the program or from installed modules.
  ///
  /// - Throws: `LuaError` if there is no such module.
  init(_ options: TestOptions) throws {
    if options.language == "en" { return }
    let lua = try ProjectInterpreter.make(options)
    let preload =
      options.isSandboxed
      ? try ProjectInterpreter.confine(lua, options, writing: nil)
      : try lua.load("return package.preload", name: "=preload").call([]).first?.table
    for name in EmbeddedSource.modules {
      guard let source = EmbeddedSource.all[name] else { continue }
      try preload?.rawSet(.string(name), .function(source.load(in: lua)))
    }
    let read = try lua.load(
      """
      local path, language, keys = ...
      if package then package.path = path .. package.path end
      require('busted.languages.' .. language)
      local say, texts = require 'say', {}
      for _, key in ipairs(keys) do texts[key] = say('output.' .. key) end
      return texts
      """, name: "=language")
    let keys = try lua.table(words.keys.map { LuaValue.string($0) })
    let texts = try read.call([
      .string(options.modulePath.asPathPrefix), .string(options.language), .table(keys),
    ])
    for (key, value) in try texts.first?.table?.entries() ?? [] {
      if let name = key.string, let text = value.text { words[name] = text }
    }
  }

  subscript(_ name: String) -> String { words[name] ?? name }

  func plural(_ word: String, _ count: Int) -> String {
    switch count {
    case 0: self[word + "_zero"]
    case 1: self[word + "_single"]
    default: self[word + "_plural"]
    }
  }
}

extension Double {
  /// Formats with a fixed number of decimals.
  package func fixed(_ digits: Int) -> String {
    guard isFinite else { return "\(self)" }
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let (whole, rest) = Int((magnitude * Double(scale)).rounded()).quotientAndRemainder(
      dividingBy: scale)
    let sign = self < 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let tail = "\(rest)"
    return "\(sign)\(whole)." + String(repeating: "0", count: digits - tail.count) + tail
  }

  /// Formats with one to six decimals.
  var shortened: String {
    var text = fixed(6)
    while text.hasSuffix("0") && !text.hasSuffix(".0") { text.removeLast() }
    return text
  }
}
