import Testing
import TideBindings
import TideViews

@Test(arguments: [
  "a", "A", "é", "漢", "-", "?", "Enter", "Tab", "Escape", "Space", "Backspace", "Delete", "Insert",
  "Up", "Down", "Left", "Right", "Home", "End", "PageUp", "PageDown", "F1", "F12", "Shift-Tab",
  "Ctrl-S", "Alt-F", "Ctrl-Alt-Delete", "Ctrl--", "Ctrl-Shift-Left", "Ctrl-Space", "Alt-Enter",
])
func `a key's name reads back as the key`(name: String) throws {
  #expect(try Key(name).description == name)
}

@Test func `with Ctrl or Alt the case of a letter does not count`() throws {
  #expect(try Key("Ctrl-s") == Key("Ctrl-S"))
  #expect(try Key("Alt-x") == Key("x", modifiers: .alt))
  #expect(try Key("Ctrl-S") != Key("S"))
}

@Test func `Shift with a letter is the capital and a space is the key Space`() throws {
  #expect(try Key("Shift-a") == Key("A"))
  #expect(try Key(" ") == Key("Space"))
  #expect(try Key("Space").text == " ")
}

@Test func `the order of modifiers does not count`() throws {
  #expect(try Key("Shift-Ctrl-Left") == Key("Ctrl-Shift-Left"))
}

@Test func `only plain keys type text`() throws {
  #expect(try Key("x").text == "x")
  #expect(try Key("Ctrl-X").text == nil)
  #expect(try Key("Enter").text == nil)
}

@Test func `an unknown name is an error with the nearest one`() {
  for (name, near) in [
    ("enter", "Enter"), ("Shift-Tba", "Shift-Tab"), ("PageDwon", "PageDown"),
    ("ctrl-s", "Ctrl-S"), ("Crtl-Left", "Ctrl-Left"), ("Control-x", "Ctrl-X"),
  ] {
    do {
      _ = try Key(name)
      Issue.record("\(name) is no key")
    } catch {
      #expect(error.code == .badKey)
      #expect(error.message.contains("\"\(near)\""), "\(error.message)")
    }
  }
  for name in ["", "Ctrl-", "F13", "ab", "Ctrl-Ctrl", "\u{301}"] {
    #expect(throws: TideError.self, "\(name)") { try Key(name) }
  }
}

@Test func `a sequence is split at spaces`() throws {
  #expect(try Key.sequence("Tab a  b\tEnter").map(\.description) == ["Tab", "a", "b", "Enter"])
  #expect(try Key.sequence("") == [])
  #expect(throws: TideError.self) { try Key.sequence("Tab nope") }
}
