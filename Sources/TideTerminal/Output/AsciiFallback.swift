/// Replacement characters for a terminal that shows ASCII only: `┌─┐` becomes `+-+`, `é` becomes
/// `e`.
package enum AsciiFallback {
  /// The ASCII character closest to a scalar; `?` if there is none.
  package static func byte(for scalar: Unicode.Scalar) -> UInt8 {
    switch scalar.value {
    case 0x20...0x7e: return UInt8(truncatingIfNeeded: scalar.value)
    case 0xc0...0x17f: return letters[Int(scalar.value - 0xc0)]
    case 0x2500...0x257f: return line(scalar.value)
    case 0x2580...0x259f: return block(scalar.value)
    case 0x2800...0x28ff: return dots((scalar.value & 0xff).nonzeroBitCount)
    default: return others[scalar] ?? UInt8(ascii: "?")
    }
  }

  /// The letters of U+00C0 to U+017F without diacritics.
  private static let letters = Array(
    ("AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty"
      + "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLl"
      + "NnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs").utf8)

  private static let others: [Unicode.Scalar: UInt8] = {
    var table: [Unicode.Scalar: UInt8] = [:]
    for (scalars, ascii) in [
      ("\u{a0}\u{2002}\u{2003}\u{2009}\u{200a}\u{202f}\u{3000}", " "), ("–—‐‑‒−", "-"),
      ("‘’‚′", "'"), ("“”„″«»", "\""), ("·…‥․", "."), ("•●◆■★◉⬤", "*"), ("○◦◯□☐◇☆", "o"),
      ("←◀◂◄‹⟨", "<"), ("→▶▸►›⟩❯➜", ">"), ("↑▲▴⇧", "^"), ("↓▼▾⇩✓✔☑", "v"), ("✗✘×☒✕", "x"),
      ("⏎↵⋮¦", "|"), ("⌘⌥⎋", "#"), ("¡", "!"), ("±", "+"), ("÷⁄", "/"), ("≈", "~"), ("≠≤≥", "="),
    ] {
      for scalar in scalars.unicodeScalars { table[scalar] = ascii.utf8.first }
    }
    return table
  }()

  private static func line(_ value: UInt32) -> UInt8 {
    switch value {
    case 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254c, 0x254d: return UInt8(ascii: "-")
    case 0x2502, 0x2503, 0x2506, 0x2507, 0x250a, 0x250b, 0x254e, 0x254f: return UInt8(ascii: "|")
    case 0x2550: return UInt8(ascii: "=")
    case 0x2551: return UInt8(ascii: "|")
    case 0x2571: return UInt8(ascii: "/")
    case 0x2572: return UInt8(ascii: "\\")
    case 0x2573: return UInt8(ascii: "X")
    case 0x2574...0x257f: return UInt8(ascii: value & 1 == 0 ? "-" : "|")
    default: return UInt8(ascii: "+")
    }
  }

  private static func block(_ value: UInt32) -> UInt8 {
    switch value {
    case 0x2581, 0x2582: return UInt8(ascii: "_")
    case 0x2583, 0x2584: return UInt8(ascii: "-")
    case 0x2585, 0x2586: return UInt8(ascii: "=")
    case 0x258c...0x258f, 0x2590, 0x2595: return UInt8(ascii: "|")
    case 0x2580, 0x2594: return UInt8(ascii: "\"")
    case 0x2591: return UInt8(ascii: ".")
    case 0x2592: return UInt8(ascii: ":")
    case 0x2593: return UInt8(ascii: "%")
    default: return UInt8(ascii: "#")
    }
  }

  private static func dots(_ count: Int) -> UInt8 {
    count == 0 ? UInt8(ascii: " ") : UInt8(ascii: count < 3 ? "." : count < 5 ? ":" : "#")
  }
}
