/// What terminals send for keys, with `␛` for escape, and the keys' names.
enum KeySequences {
  static let all: [(bytes: String, names: String)] =
    typed + xterm + application + rxvt + console
    + protocols

  private static let typed: [(String, String)] = [
    ("a", "a"), ("A", "A"), ("~", "~"), (" ", "Space"), ("é", "é"), ("漢", "漢"), ("🙂", "🙂"),
    ("\r", "Enter"), ("\n", "Enter"), ("\t", "Tab"), ("\u{7f}", "Backspace"),
    ("\u{8}", "Backspace"), ("\u{0}", "Ctrl-Space"), ("\u{1}", "Ctrl-A"), ("\u{3}", "Ctrl-C"),
    ("\u{13}", "Ctrl-S"), ("\u{1a}", "Ctrl-Z"), ("\u{1c}", "Ctrl-\\"), ("\u{1f}", "Ctrl-_"),
    ("␛a", "Alt-A"), ("␛é", "Alt-É"), ("␛ ", "Alt-Space"), ("␛\r", "Alt-Enter"),
    ("␛\u{7f}", "Alt-Backspace"), ("␛\u{1}", "Ctrl-Alt-A"), ("␛~", "Alt-~"),
    ("hello", "h e l l o"), ("a漢b", "a 漢 b"),
  ]

  private static let xterm: [(String, String)] =
    [
      ("␛[A", "Up"), ("␛[B", "Down"), ("␛[C", "Right"), ("␛[D", "Left"), ("␛[H", "Home"),
      ("␛[F", "End"), ("␛[Z", "Shift-Tab"), ("␛[2~", "Insert"), ("␛[3~", "Delete"),
      ("␛[5~", "PageUp"), ("␛[6~", "PageDown"), ("␛[1~", "Home"), ("␛[4~", "End"),
      ("␛[7~", "Home"), ("␛[8~", "End"), ("␛OP", "F1"), ("␛OQ", "F2"), ("␛OR", "F3"),
      ("␛OS", "F4"), ("␛[11~", "F1"), ("␛[14~", "F4"), ("␛[15~", "F5"), ("␛[17~", "F6"),
      ("␛[18~", "F7"), ("␛[19~", "F8"), ("␛[20~", "F9"), ("␛[21~", "F10"), ("␛[23~", "F11"),
      ("␛[24~", "F12"), ("␛[1;2A", "Shift-Up"), ("␛[1;5C", "Ctrl-Right"), ("␛[1;3D", "Alt-Left"),
      ("␛[1;6H", "Ctrl-Shift-Home"), ("␛[1;8F", "Ctrl-Alt-Shift-End"), ("␛[1;2P", "Shift-F1"),
      ("␛[1;5S", "Ctrl-F4"), ("␛[3;5~", "Ctrl-Delete"), ("␛[24;2~", "Shift-F12"),
      ("␛[1;9A", "Up"), ("␛[1;33A", "Alt-Up"), ("␛[25~", "Shift-F1"), ("␛[34~", "Shift-F8"),
    ]

  private static let application: [(String, String)] = [
    ("␛OA", "Up"), ("␛OB", "Down"), ("␛OC", "Right"), ("␛OD", "Left"), ("␛OH", "Home"),
    ("␛OF", "End"), ("␛OM", "Enter"), ("␛Oj", "*"), ("␛Ok", "+"), ("␛Op", "0"), ("␛Oy", "9"),
    ("␛OX", "="), ("␛O5P", "Ctrl-F1"), ("␛O2A", "Shift-Up"),
  ]

  private static let rxvt: [(String, String)] = [
    ("␛[a", "Shift-Up"), ("␛[d", "Shift-Left"), ("␛Oa", "Ctrl-Up"), ("␛Od", "Ctrl-Left"),
    ("␛[3$", "Shift-Delete"), ("␛[3^", "Ctrl-Delete"), ("␛[3@", "Ctrl-Shift-Delete"),
    ("␛␛[A", "Alt-Up"), ("␛␛OA", "Alt-Up"), ("␛␛[5~", "Alt-PageUp"), ("␛␛[3^", "Ctrl-Alt-Delete"),
  ]

  private static let console: [(String, String)] = [
    ("␛[[A", "F1"), ("␛[[B", "F2"), ("␛[[C", "F3"), ("␛[[D", "F4"), ("␛[[E", "F5"),
  ]

  private static let protocols: [(String, String)] = [
    ("␛[97u", "a"), ("␛[97;5u", "Ctrl-A"), ("␛[97;6u", "Ctrl-Shift-A"), ("␛[27u", "Escape"),
    ("␛[27;2u", "Shift-Escape"), ("␛[13;2u", "Shift-Enter"), ("␛[9;5u", "Ctrl-Tab"),
    ("␛[127;3u", "Alt-Backspace"), ("␛[105;5u", "Ctrl-I"), ("␛[97:65;2u", "A"),
    ("␛[97;5:1u", "Ctrl-A"), ("␛[97;5:2u", "Ctrl-A"), ("␛[97;5:3u", ""), ("␛[1;1:3A", ""),
    ("␛[57364u", "F1"), ("␛[57399u", "0"), ("␛[57408u", "9"), ("␛[57414u", "Enter"),
    ("␛[57417u", "Left"), ("␛[57426u", "Delete"), ("␛[57358u", ""), ("␛[97;65u", "a"),
    ("␛[28450;3u", "Alt-漢"), ("␛[32;5u", "Ctrl-Space"), ("␛[27;5;97~", "Ctrl-A"),
    ("␛[1089::99;5u", "Ctrl-C"), ("␛[1089;5u", "Ctrl-C"), ("␛[1089:1057:99;6u", "Ctrl-Shift-C"),
    ("␛[968::99;5u", "Ctrl-C"), ("␛[968;5u", "Ctrl-C"), ("␛[1489::99;5u", "Ctrl-C"),
    ("␛[1489;5u", "Ctrl-C"), ("␛[1092::97;3u", "Alt-A"), ("␛[1089u", "с"),
    ("␛[99::105;5u", "Ctrl-C"), ("␛[252::91;5u", "Ctrl-Ü"), ("␛[49:33;2u", "!"),
    ("␛[97;9u", ""), ("␛[97;17u", ""), ("␛[32;9u", ""), ("␛[127;9u", ""), ("␛[97;13u", ""),
    ("␛[27;2;13~", "Shift-Enter"), ("␛[27;5;9~", "Ctrl-Tab"),
  ]

  /// Answers, reports and nonsense: they give nothing, and what follows is understood.
  static let ignored = [
    "␛[I", "␛[O", "␛[?65;1;2;3;4;6;7;8;9;15;18;21;22;29;39;42;44c", "␛[>0;276;0c", "␛[?2026;2$y",
    "␛[12;40R", "␛[99~", "␛[~", "␛[;~", "␛[u", "␛[1114112u", "␛[55296u",
    "␛[99999999999999999999999~", "␛]11;rgb:0000/0000/0000␛\\",
    "␛]0;title\u{7}", "␛P1$r0m␛\\", "␛_Gi=1;OK␛\\", "␛[<0;1M", "␛[?1u", "␛[38;5;1z",
  ].map(escaped)

  static func escaped(_ text: String) -> String { text.replacing("␛", with: "\u{1b}") }
}
