import Testing
import TideBindings
import TideViews

@testable import TideTerminal

extension TerminalSuites {
  @Suite struct LineEditorTests {
    /// A prompt in a terminal that a test types into.
    final class Stage {
      let terminal: PseudoTerminal
      let editor: LineEditor
      var texts: [String] = []
      var hasEnded = false
      var suspensions = 0

      init(entries: [String] = []) throws {
        terminal = try PseudoTerminal(columns: 40, rows: 10)
        editor = LineEditor(input: terminal.slave, output: terminal.slave)
        editor.entries = entries
        editor.onText = { [unowned self] in texts.append($0) }
        editor.onEnd = { [unowned self] in hasEnded = true }
        editor.suspendJob = { [unowned self] in suspensions += 1 }
        editor.isFinished = { !$0.hasSuffix("(") }
        editor.complete = { text in
          let start = text.lastIndex(of: " ").map {
            text.distance(from: text.startIndex, to: $0) + 1
          }
          let word = text.dropFirst(start ?? 0)
          return (start ?? 0, ["print", "printf", "pairs"].filter { $0.hasPrefix(word) })
        }
        try editor.begin(prompt: "> ", continuation: "… ")
        _ = terminal.output()
      }

      /// Types, and gives what the terminal was told.
      @discardableResult
      func type(_ text: String) -> String {
        terminal.type(text)
        if let descriptor = editor.inputDescriptor, waitForInput(on: descriptor, 20_000) {
          editor.readInput()
        }
        return String(decoding: terminal.output(), as: UTF8.self)
      }
    }

    @Test func `what is typed is given at Enter, with the terminal as it was`() throws {
      let stage = try Stage()
      #expect(!stage.terminal.isCooked)
      #expect(stage.type("hello").contains("> hello"))
      stage.type("\u{1b}[D!\r")
      #expect(stage.texts == ["hell!o"])
      #expect(stage.terminal.isCooked)
      #expect(!stage.editor.isReading)
      try stage.editor.begin(prompt: "> ", continuation: "… ")
      stage.type("again\r")
      #expect(stage.texts == ["hell!o", "again"])
      #expect(stage.editor.entries == ["hell!o", "again"])
    }

    @Test func `an unfinished text goes on in another line, and a paste keeps its lines`() throws {
      let stage = try Stage()
      stage.type("  f(\r")
      #expect(stage.texts.isEmpty)
      stage.type("1)\r")
      #expect(stage.texts == ["  f(\n  1)"])
      try stage.editor.begin(prompt: "> ", continuation: "… ")
      stage.type("\u{1b}[200~a\nb\nc\u{1b}[201~")
      #expect(stage.editor.isReading)
      stage.type("\u{1b}[A!\r")
      #expect(stage.texts.last == "a\nb!\nc")
    }

    @Test func `arrows go through the history, and what was being typed comes back`() throws {
      let stage = try Stage(entries: ["one", "two"])
      stage.type("dr\u{1b}[A\u{1b}[A\u{1b}[B\u{1b}[Baft\r")
      #expect(stage.texts == ["draft"])
      try stage.editor.begin(prompt: "> ", continuation: "… ")
      stage.type("\u{12}on\r")
      #expect(stage.texts.last == "one")
      try stage.editor.begin(prompt: "> ", continuation: "… ")
      stage.type("\u{12}t\u{1b}[200~w\nmore\u{1b}[201~\r")
      #expect(stage.texts.last == "two")
    }

    @Test func `Up and Alt-P find the last line that begins as what is typed`() throws {
      let stage = try Stage(entries: ["foo(1)", "bar", "foo(2)", "baz"])
      stage.type("foo\u{1b}[A\u{1b}[A\r")
      #expect(stage.texts == ["foo(1)"])
      try stage.editor.begin(prompt: "> ", continuation: "… ")
      stage.type("ba\u{1b}p\u{1b}p\u{1b}n!\r")
      #expect(stage.texts.last == "baz!")
      // What is typed in place of an entry is searched for anew, and stays.
      try stage.editor.begin(prompt: "> ", continuation: "… ")
      stage.type("ba\u{1b}[A\u{15}foo(1\u{1b}[A\r")
      #expect(stage.texts.last == "foo(1)")
      try stage.editor.begin(prompt: "> ", continuation: "… ")
      stage.type("ba\u{1b}[A\u{15}new\u{1b}[A\u{1b}[B\r")
      #expect(stage.texts.last == "new")
    }

    @Test func `a completion may take the place of what was typed`() throws {
      let stage = try Stage()
      stage.editor.complete = { _ in (1, ["[\"two words\"]"]) }
      stage.type("t.tw\t\r")
      #expect(stage.texts == ["t[\"two words\"]"])
    }

    @Test func `what is typed has the colours that it is given`() throws {
      let stage = try Stage()
      stage.editor.colors = { _ in [(0..<2, "34")] }
      #expect(stage.type("if").contains("> \u{1b}[34mif\u{1b}[0m"))
    }

    @Test func `choices steer no terminal, and keep their rows`() throws {
      let stage = try Stage()
      stage.editor.complete = { _ in (0, ["x\ny\u{1b}]0;a\u{7}", "x\nz\u{202e}\tb"]) }
      let shown = stage.type("x\t")
      #expect(shown.contains(#"x\10y\27]0;a\7"#) && shown.contains(#"x\10z\u{202e} b"#))
      #expect(!shown.contains("\u{1b}]") && !shown.contains("\u{202e}"))
      // No line end is typed for the person.
      stage.type("\r")
      #expect(stage.texts == ["x"])
    }

    @Test func `Tab completes as far as is certain, and lists the choices`() throws {
      let stage = try Stage()
      let shown = stage.type("pr\t")
      #expect(shown.contains("> print"))
      #expect(shown.contains("printf"))
      stage.type("f\t\r")
      #expect(stage.texts == ["printf"])
    }

    @Test func `words are taken away, put back and undone`() throws {
      let stage = try Stage()
      stage.type("one two\u{17}")
      stage.type("\u{19} \u{19}\r")
      #expect(stage.texts == ["one two two"])
      try stage.editor.begin(prompt: "> ", continuation: "… ")
      stage.type("abc\u{15}")
      stage.type("\u{1f}\r")
      #expect(stage.texts.last == "abc")
    }

    @Test func `what is typed behind an Enter is for the next prompts`() throws {
      let stage = try Stage()
      stage.type("a = 1\nb = 2\na + b\nrest")
      #expect(stage.texts == ["a = 1"])
      #expect(stage.terminal.isCooked)
      for texts in [["a = 1", "b = 2"], ["a = 1", "b = 2", "a + b"]] {
        try stage.editor.begin(prompt: "> ", continuation: "… ")
        #expect(!stage.editor.isReading && stage.texts == texts)
      }
      try stage.editor.begin(prompt: "> ", continuation: "… ")
      #expect(stage.editor.isReading)
      stage.type("!\r")
      #expect(stage.texts.last == "rest!")
    }

    @Test func `what is typed while a text runs is for the next prompt, unless it was interrupted`()
      throws
    {
      let stage = try Stage()
      stage.type("one\rtw\u{1b}[200~o pa")
      stage.terminal.type("sted\u{1b}[201~\r")
      try stage.editor.begin(prompt: "> ", continuation: "… ")
      if stage.editor.isReading { stage.type("") }
      #expect(stage.texts == ["one", "two pasted"])
      try stage.editor.begin(prompt: "> ", continuation: "… ")
      stage.type("three\rfour\r")
      stage.editor.forgetTypedAhead()
      try stage.editor.begin(prompt: "> ", continuation: "… ")
      #expect(stage.editor.isReading && stage.texts.last == "three")
    }

    @Test func `Ctrl-Z stops the job and keeps what was typed`() throws {
      let stage = try Stage()
      let shown = stage.type("ab\u{1b}[D\u{1a}")
      #expect(stage.suspensions == 1)
      #expect(shown.hasSuffix("\r\n\r\u{1b}[J> ab\r\u{1b}[3C"))
      stage.type("-\r")
      #expect(stage.texts == ["a-b"])
    }

    @Test func `Ctrl-C gives up what was typed, Ctrl-D leaves an empty prompt`() throws {
      let stage = try Stage()
      stage.type("abc\u{3}")
      #expect(stage.editor.isReading && stage.texts.isEmpty)
      stage.type("\u{4}")
      #expect(stage.hasEnded && stage.terminal.isCooked)
    }

    @Test func `lines are printed above what is being typed`() throws {
      let stage = try Stage()
      stage.type("typing")
      stage.editor.printAbove("told\nlater")
      let output = String(decoding: stage.terminal.output(), as: UTF8.self)
      #expect(output.contains("told\r\nlater\r\n\r\u{1b}[J> typing"))
      stage.type("\r")
      #expect(stage.texts == ["typing"])
    }

    @Test func `any bytes do no harm`() throws {
      let stage = try Stage(entries: ["a\nb", "漢字"])
      var random = SeededBytes(state: 7)
      for _ in 0..<200 {
        let bytes = (0..<Int(random.next() % 12) + 1).map { _ in
          UInt8(truncatingIfNeeded: random.next())
        }
        // Neither end nor interrupt, which end the reading.
        stage.type(String(decoding: bytes.filter { $0 != 4 && $0 != 3 }, as: UTF8.self))
        if !stage.editor.isReading { try stage.editor.begin(prompt: "> ", continuation: "… ") }
      }
      stage.type("\u{3}end\r")
      #expect(stage.texts.last == "end")
    }
  }
}

/// The same bytes in every run (xorshift).
private struct SeededBytes {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state >> 11
  }
}

@Suite struct LineHistoryTests {
  @Test func `keeps so many entries, and so much of them`() {
    var history = LineHistory()
    for number in 1...6000 { history.add("\(number)") }
    #expect(history.entries.count == 5000 && history.entries.first == "1001")
    for number in 1...20 { history.add("\(number)" + String(repeating: "x", count: 1 << 20)) }
    #expect(history.entries.count == 7)
    #expect(history.previous("")?.hasPrefix("20x") == true)
    #expect(LineHistory(history.entries + history.entries).entries.count == 7)
  }
}
