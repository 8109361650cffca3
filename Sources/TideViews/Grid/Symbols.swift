/// The characters that views draw with, in a Unicode and an ASCII variant.
///
/// ```swift
/// scene.symbols = .ascii
/// ```
public struct Symbols: Sendable {
  /// Marks truncated text.
  public var ellipsis: Character
  /// A border: horizontal and vertical lines, then the corners clockwise from the top left.
  public var border: [Character]
  /// Vertical bars from empty to full, growing upward.
  public var levels: [Character]
  /// Horizontal bars from empty to full, growing to the right.
  public var eighths: [Character]
  /// Replaces each character of a secure field.
  public var bullet: Character
  /// A checkbox that is on.
  public var checked: String
  /// A checkbox that is off.
  public var unchecked: String
  /// A toggle that is on.
  public var on: String
  /// A toggle that is off.
  public var off: String
  /// The track of a vertical scroll bar.
  public var track: Character
  /// The thumb of a vertical scroll bar.
  public var thumb: Character
  /// The grid lines behind a chart, and the unfilled part of a progress bar.
  public var gridLine: Character
  /// Precedes a series' title in the legend.
  public var legend: Character
  /// The frames of a spinner's animation.
  public var spinner: [Character]
  /// The shades of a picture without colour, from dark to light.
  public var shades: [Character]
  /// The track of a horizontal scroll bar.
  public var flatTrack: Character
  /// The thumb of a horizontal scroll bar.
  public var flatThumb: Character
  /// Marks controls that open a list below.
  public var moreBelow: Character
  /// The line under the selected tab, and the filled part of a slider.
  public var heavyLine: Character
  /// The knob of a slider.
  public var knob: Character
  /// The close button of a dialog.
  public var cross: Character
  /// Marks the menu items that are on, and the selected item of a picker's list.
  public var tick: Character
  /// The selected item of a radio.
  public var chosen: String
  /// An unselected item of a radio.
  public var unchosen: String
  /// Whether the medium can show text beyond ASCII and Braille dots.
  public var isUnicode: Bool

  /// Lines, blocks and symbols of Unicode.
  public static let unicode = Symbols(
    ellipsis: "…", border: ["─", "│", "┌", "┐", "┘", "└"],
    levels: [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    eighths: [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"], bullet: "•", checked: "[x]",
    unchecked: "[ ]", on: "(━●)", off: "(●━)", track: "│", thumb: "┃", gridLine: "┈", legend: "━",
    spinner: Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"), shades: Array(" ░▒▓█"),
    flatTrack: "─", flatThumb: "━", moreBelow: "▾",
    heavyLine: "━", knob: "●", cross: "×", tick: "✓", chosen: "(•)", unchosen: "( )",
    isUnicode: true)

  /// Only ASCII characters.
  public static let ascii = Symbols(
    ellipsis: "~", border: ["-", "|", "+", "+", "+", "+"],
    levels: [" ", "_", ".", ".", ":", "-", "=", "+", "#"],
    eighths: [" ", " ", " ", " ", "-", "-", "-", "=", "="], bullet: "*", checked: "[x]",
    unchecked: "[ ]", on: "(-o)", off: "(o-)", track: "|", thumb: "#", gridLine: ".", legend: "-",
    spinner: Array("|/-\\"), shades: Array(" .:-=+*#%@"),
    flatTrack: "-", flatThumb: "#", moreBelow: "v",
    heavyLine: "=", knob: "O", cross: "x", tick: "*", chosen: "(*)", unchosen: "( )",
    isUnicode: false)
}

extension Symbols {
  /// The sort direction in a heading.
  var ascending: Character { isUnicode ? "▲" : "^" }
  var descending: Character { isUnicode ? "▼" : "v" }
  /// The disclosure marks of a tree's rows.
  var closed: Character { isUnicode ? "▸" : "+" }
  var opened: Character { isUnicode ? "▾" : "-" }
  /// Mark content that continues beyond the left or right edge.
  var moreLeft: Character { isUnicode ? "‹" : "<" }
  var moreRight: Character { isUnicode ? "›" : ">" }
}
