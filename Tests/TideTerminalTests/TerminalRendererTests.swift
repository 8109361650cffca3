import Glibc
import Testing
import TideBindings
import TideViews
import VirtualTerminals

@testable import TideTerminal

extension TerminalSuites {
  @Suite struct TerminalRendererTests {
    @Test func `it shows the scene, then only what changes, and gives the terminal back`() throws {
      let stage = try Stage()
      let label = ViewClass.label.make()
      label[.text] = "hello"
      let scene = try stage.show(label)
      let first = stage.terminal.output()
      #expect(text(first).hasPrefix("\u{1b}[?1049h"))
      #expect(text(first).contains("hello"))
      #expect(!stage.terminal.isCooked)
      label[.text] = "hullo"
      try scene.commit()
      let change = text(stage.terminal.output())
      #expect(change.contains("u") && !change.contains("llo"))
      try scene.commit()
      #expect(stage.terminal.output().isEmpty)
      scene.unmount()
      #expect(text(stage.terminal.output()).hasSuffix("\u{1b}[?1049l"))
      #expect(stage.terminal.isCooked)
    }

    @Test func `the window's title is the terminal's, and goes with the window`() throws {
      let stage = try Stage()
      let window = ViewClass.window.make()
      window[.title] = "Sea\u{1b}]2;x\u{7} \u{202e}and\u{2066} sky"
      let scene = try stage.show(window)
      let first = text(stage.terminal.output())
      #expect(first.contains("\u{1b}[22;0t"))
      #expect(first.contains("\u{1b}]2;Sea]2;x and sky\u{7}"))
      window[.title] = "Sky"
      try scene.commit()
      #expect(text(stage.terminal.output()).contains("\u{1b}]2;Sky\u{7}"))
      scene.unmount()
      #expect(text(stage.terminal.output()).contains("\u{1b}[23;0t"))
    }

    @Test func `a terminal that may have lost everything gets the title again`() throws {
      let stage = try Stage()
      let window = ViewClass.window.make()
      window[.title] = "Sea"
      let scene = try stage.show(window)
      _ = stage.terminal.output()
      stage.renderer.takeSize()
      #expect(text(stage.terminal.output()).contains("\u{1b}]2;Sea\u{7}"))
      scene.unmount()
    }

    @Test func `without attributes the cursor shows where the focus is`() throws {
      let plain = TerminalCapabilities(
        colors: .none, hasAttributes: false, isUnicode: false, hasKeyProtocol: false)
      let stage = try Stage(plain)
      let buttons = [ButtonView("one"), ButtonView("two")]
      let scene = try stage.show(ViewClass.column.make(buttons))
      let screen = VirtualTerminal(size: Size(width: 40, height: 10))
      screen.feed(stage.terminal.output())
      stage.type("\t\t")
      try scene.commit()
      screen.feed(stage.terminal.output())
      #expect(scene.focused === buttons[1])
      #expect(screen.x == 0 && screen.y == 1)
      scene.unmount()
    }

    @Test func `what is typed arrives at the scene, an escape after a moment`() throws {
      let stage = try Stage()
      let scene = try stage.show(ViewClass.label.make())
      stage.type("a\u{1b}[1;5C\u{1b}[<0;3;2M\u{1b}[200~pasted\u{1b}[201~")
      #expect(
        stage.unhandled == [
          .key(try Key("a")), .key(try Key("Ctrl-Right")),
          .mouse(MouseEvent(.press(.left), at: Point(x: 2, y: 1))), .paste("pasted"),
        ])
      stage.type("\u{1b}")
      #expect(stage.unhandled.isEmpty)
      #expect(stage.isReadable(within: 20000))
      stage.renderer.readInput()
      #expect(stage.unhandled == [.key(Key(.escape))])
      scene.unmount()
    }

    @Test func `what waits leaves room for frames, and Ctrl-C comes first`() throws {
      let stage = try Stage()
      let scene = try stage.show(ViewClass.label.make())
      stage.renderer.timeOfTurn = 0
      stage.type("abc\u{3}d")
      #expect(stage.unhandled == [.key(try Key("a"))])
      for name in ["Ctrl-C", "b", "c", "d"] {
        #expect(stage.isReadable(within: 0), "the loop goes on after a frame")
        stage.renderer.readInput()
        #expect(stage.unhandled == [.key(try Key(name))])
      }
      #expect(!stage.isReadable(within: 0))
      scene.unmount()
    }

    @Test func `many letters that wait are typed as one edit`() throws {
      let stage = try Stage()
      let field = FieldView("")
      let scene = try stage.show(ViewClass.column.make([field]))
      var texts: [String] = []
      try field.on(.editingChanged) { view, _ in texts.append((view as? FieldView)?.text ?? "") }
      field.focus()
      stage.type("abc")
      #expect(texts == ["a", "ab", "abc"], "a person's letters go one by one")
      texts = []
      let letters = String(repeating: "letters ", count: 30)
      stage.type(letters + "\u{1b}[Dx")
      #expect(texts == ["abc" + letters, "abc" + letters.dropLast() + "x "])
      scene.unmount()
    }

    @Test func `keys that somebody listens to go one by one, however many wait`() throws {
      let stage = try Stage()
      let field = FieldView("")
      var heard = 0
      field.onKey(Key("a" as Character)) { _, _ in
        heard += 1
        return true
      }
      let scene = try stage.show(ViewClass.column.make([field]))
      field.focus()
      stage.type(String(repeating: "ab", count: 50))
      #expect(heard == 50)
      #expect(field.text == String(repeating: "b", count: 50))
      scene.unmount()
    }

    @Test func `a terminal of another size gets a frame of that size`() throws {
      let stage = try Stage()
      let scene = try stage.show(ViewClass.label.make())
      #expect(scene.size == Size(width: 40, height: 10))
      for (columns, rows) in [(80, 24), (1, 1), (300, 100)] as [(UInt16, UInt16)] {
        stage.terminal.resize(columns: columns, rows: rows)
        // The pseudo-terminal belongs to no session, so nobody is sent the signal.
        stage.renderer.takeSize()
        try scene.commit()
        #expect(scene.size == Size(width: Int(columns), height: Int(rows)))
        #expect(text(stage.terminal.output()).contains("\u{1b}[2J"))
      }
      scene.unmount()
    }

    @Test func `an overlay covers the scene, and what is below comes back`() throws {
      let stage = try Stage()
      let label = ViewClass.label.make()
      label[.text] = "below"
      let scene = try stage.show(label)
      _ = stage.terminal.output()
      stage.renderer.overlay = ["Help", "me"]
      #expect(text(stage.terminal.output()).contains("│ Help │"))
      label[.text] = "changed"
      try scene.commit()
      #expect(!text(stage.terminal.output()).contains("Help"), "it is there already")
      stage.renderer.overlay = nil
      let uncovered = stage.terminal.output()
      #expect(!text(uncovered).contains("Help") && !uncovered.isEmpty)
      stage.renderer.overlay = nil
      #expect(stage.terminal.output().isEmpty)
      scene.unmount()
    }

    @Test func `a status line takes a row below the scene, and only what changes is written`()
      throws
    {
      let stage = try Stage()
      let label = ViewClass.label.make()
      label[.text] = "scene"
      let scene = try stage.show(label)
      stage.renderer.status = StatusLine("reloaded", kind: .good, hint: "? keys")
      try scene.commit()
      #expect(scene.size == Size(width: 40, height: 9))
      let first = text(stage.terminal.output())
      #expect(first.contains("✓ reloaded") && first.contains("? keys"))
      label[.text] = "scent"
      try scene.commit()
      let change = text(stage.terminal.output())
      #expect(change.contains("t") && !change.contains("reloaded") && !change.contains("scen"))
      stage.renderer.status = StatusLine("failed", kind: .bad)
      #expect(text(stage.terminal.output()).contains("✗ failed"))
      stage.terminal.resize(columns: 40, rows: 5)
      stage.renderer.takeSize()
      try scene.commit()
      #expect(scene.size == Size(width: 40, height: 5), "too low for a status line")
      #expect(!text(stage.terminal.output()).contains("failed"))
      stage.terminal.resize(columns: 10, rows: 8)
      stage.renderer.takeSize()
      try scene.commit()
      #expect(scene.size == Size(width: 10, height: 7))
      #expect(text(stage.terminal.output()).contains("✗ failed"))
      stage.renderer.status = nil
      try scene.commit()
      #expect(scene.size == Size(width: 10, height: 8))
      scene.unmount()
    }

    @Test func `a click on the status line shows the log`() throws {
      let stage = try Stage()
      let scene = try stage.show(ViewClass.label.make())
      stage.renderer.status = StatusLine("ready")
      try scene.commit()
      stage.type("\u{1b}[<0;3;10M\u{1b}[<0;3;10m")
      #expect(stage.renderer.isLogShown)
      stage.type("\u{1b}[<0;3;2M")
      #expect(stage.unhandled.contains(.mouse(MouseEvent(.press(.left), at: Point(x: 2, y: 1)))))
      scene.unmount()
    }

    @Test func `the log is shown with F12, and printed at the end`() throws {
      let stage = try Stage()
      let scene = try stage.show(ViewClass.label.make())
      stage.renderer.log("first")
      _ = stage.terminal.output()
      stage.type("\u{1b}[24~")
      #expect(stage.renderer.isLogShown)
      #expect(text(stage.terminal.output()).contains("first"))
      stage.renderer.log("second")
      #expect(stage.isReadable(within: 0), "the loop is woken to show it")
      stage.renderer.readInput()
      #expect(text(stage.terminal.output()).contains("second"))
      stage.type("\u{1b}[24~")
      #expect(!stage.renderer.isLogShown)
      _ = stage.terminal.output()
      scene.unmount()
      #expect(text(stage.terminal.output()).hasSuffix("\u{1b}[?1049lfirst\r\nsecond\r\n"))
    }

    @Test func `the log's lines stay when another scene is shown`() throws {
      let stage = try Stage()
      let first = try stage.show(ViewClass.label.make())
      stage.renderer.log("of the first")
      first.unmount()
      let second = try stage.show(ViewClass.label.make())
      stage.renderer.log("of the second")
      #expect(stage.renderer.log.lines == ["of the first", "of the second"])
      second.unmount()
      let output = text(stage.terminal.output())
      #expect(output.split(separator: "of the first").count == 2, "it is printed once")
    }

    @Test func `a terminal that is gone is an error and an ending, not a crash`() throws {
      let stage = try Stage()
      let label = ViewClass.label.make()
      let scene = try stage.show(label)
      stage.terminal.closeMaster()
      label[.text] = "unseen"
      let error = try #require(throws: TideError.self) { try scene.commit() }
      #expect(error.code == .terminal)
      #expect(error.message.contains("has been closed"))
      #expect(stage.isReadable(within: 100))
      stage.renderer.readInput()
      guard case .closed? = stage.ending else {
        Issue.record("no ending: \(String(describing: stage.ending))")
        return
      }
      #expect(!stage.isReadable(within: 0), "a terminal that is gone must not keep the loop busy")
      scene.unmount()
    }

    @Test func `what is no terminal, or is closed, is an error`() throws {
      let null = open("/dev/null", O_RDWR)
      let descriptors = [null, -1]
      close(null)
      for descriptor in descriptors {
        let renderer = TerminalRenderer(
          input: descriptor, output: descriptor, handlesSignals: false, capturesOutput: false)
        let scene = Scene()
        let error = try #require(throws: TideError.self) { try scene.mount(renderer) }
        #expect(error.code == .terminal)
        #expect(renderer.inputDescriptor == nil)
        renderer.readInput()
        renderer.unmount()
      }
    }

    @Test func `two renderers cannot have the terminal at once`() throws {
      let stage = try Stage()
      let scene = try stage.show(ViewClass.label.make())
      let second = try Stage()
      let error = try #require(throws: TideError.self) { try second.show(ViewClass.label.make()) }
      #expect(error.message.contains("another renderer"))
      _ = stage.terminal.output()
      stage.type("x")
      #expect(stage.unhandled == [.key(try Key("x"))])
      scene.unmount()
      try second.show(ViewClass.label.make()).unmount()
    }

    @Test func `a handler may unmount while input is read`() throws {
      let stage = try Stage()
      let scene = try stage.show(ViewClass.label.make())
      stage.renderer.onUnhandled = { _ in scene.unmount() }
      stage.type("abc\u{1b}")
      #expect(stage.renderer.inputDescriptor == nil)
      #expect(stage.terminal.isCooked)
    }

    @Test func `a double click selects a word, and copying offers it to the terminal`() throws {
      let stage = try Stage()
      let field = FieldView("one two")
      let scene = try stage.show(ViewClass.column.make([field]))
      _ = stage.terminal.output()
      stage.type("\u{1b}[<0;6;1M\u{1b}[<0;6;1m\u{1b}[<0;6;1M\u{1b}[<0;6;1m\u{3}")
      #expect(field.selectedRange == 4..<7)
      #expect(scene.clipboard.text == "two")
      #expect(text(stage.terminal.output()).contains("\u{1b}]52;c;dHdv\u{7}"))
      #expect(stage.unhandled.isEmpty)
      scene.unmount()
    }

    @Test func `a copy that is too large for the terminal's clipboard is said to be`() throws {
      let stage = try Stage()
      let field = FieldView(String(repeating: "a", count: 80_000))
      let scene = try stage.show(ViewClass.column.make([field]))
      var notices: [String] = []
      stage.renderer.onNotice = { notices.append($0) }
      field.focus()
      _ = stage.terminal.output()
      stage.type("\u{1}\u{3}")
      #expect(scene.clipboard.text.utf8.count == 80_000)
      #expect(notices.count == 1)
      #expect(notices.first?.contains("80 KB are too large") == true)
      #expect(stage.renderer.log.lines == notices)
      #expect(!text(stage.terminal.output()).contains("\u{1b}]52"))
      scene.unmount()
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
  }
}

/// A renderer on a pseudo-terminal, and what it reported.
private final class Stage {
  let terminal: PseudoTerminal
  let renderer: TerminalRenderer
  private var collected: [InputEvent] = []
  private(set) var ending: TerminalRenderer.Ending?

  init(_ capabilities: TerminalCapabilities = .full) throws {
    terminal = try PseudoTerminal(columns: 40, rows: 10)
    renderer = TerminalRenderer(
      input: terminal.slave, output: terminal.slave, capabilities: capabilities,
      handlesSignals: false,
      capturesOutput: false)
    // However slow the machine is.
    renderer.timeOfTurn = .infinity
    renderer.onUnhandled = { [weak self] in self?.collected.append($0) }
    renderer.onEnding = { [weak self] in self?.ending = $0 }
  }

  @discardableResult
  func show(_ view: View) throws -> Scene {
    let scene = try Scene(root: view)
    try scene.mount(renderer)
    return scene
  }

  /// What nobody took since this was last asked.
  var unhandled: [InputEvent] {
    defer { collected = [] }
    return collected
  }

  func type(_ text: String) {
    terminal.type(text)
    _ = isReadable(within: 20000)
    renderer.readInput()
  }

  func isReadable(within milliseconds: Int32) -> Bool {
    waitForInput(on: renderer.inputDescriptor ?? -1, milliseconds)
  }
}
