/// The characters that views draw with, for a medium that shows Unicode and for one that does not.
///
/// ```swift
/// scene.symbols = .ascii
/// ```
public struct Symbols: Sendable {
  /// Ends text that is cut off.
  public var ellipsis: Character
  /// A box's border: horizontal, vertical, and the corners from the top left, clockwise.
  public var border: [Character]
  /// From empty to full, growing upward.
  public var levels: [Character]
  /// From empty to full, growing to the right.
  public var eighths: [Character]
  /// Stands for each character of a secure field.
  public var bullet: Character
  /// A checkbox that is switched on.
  public var checked: String
  /// A checkbox that is switched off.
  public var unchecked: String
  /// A toggle that is switched on.
  public var on: String
  /// A toggle that is switched off.
  public var off: String
  /// Scroll bar: the track, of one that stands upright.
  public var track: Character
  /// Scroll bar: the part that shows where one is, of one that stands upright.
  public var thumb: Character
  /// The lines behind a chart, at the height of round numbers, and what is left of a progress bar.
  public var gridLine: Character
  /// Stands before a series' title.
  public var legend: Character
  /// The pictures of something that turns, one after the other.
  public var spinner: [Character]
  /// What a picture is drawn with where there is no colour, from dark to light.
  public var shades: [Character]
  /// Scroll bar: the track, of one that lies flat.
  public var flatTrack: Character
  /// Scroll bar: the part that shows where one is, of one that lies flat.
  public var flatThumb: Character
  /// Stands on what opens a list below it.
  public var moreBelow: Character
  /// The line under the chosen tab, and the filled part of a slider.
  public var heavyLine: Character
  /// Where a slider stands.
  public var knob: Character
  /// Closes a dialog.
  public var cross: Character
  /// Marks the items of a menu that are switched on, and the chosen item of a picker's list.
  public var tick: Character
  /// The chosen item of a radio.
  public var chosen: String
  /// Another item of a radio.
  public var unchosen: String
  /// Whether text beyond ASCII and Braille dots can be shown.
  public var isUnicode: Bool

  /// Lines, blocks and signs of Unicode.
  public static let unicode = Symbols(
    ellipsis: "…", border: ["─", "│", "┌", "┐", "┘", "└"],
    levels: [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    eighths: [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"], bullet: "•", checked: "[x]",
    unchecked: "[ ]", on: "(━●)", off: "(●━)", track: "│", thumb: "┃", gridLine: "┈", legend: "━",
    spinner: Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"), shades: Array(" ░▒▓█"),
    flatTrack: "─", flatThumb: "━", moreBelow: "▾",
    heavyLine: "━", knob: "●", cross: "×", tick: "✓", chosen: "(•)", unchosen: "( )",
    isUnicode: true)

  /// Letters and signs of ASCII alone.
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
  /// In a heading: which way its rows are sorted.
  var ascending: Character { isUnicode ? "▲" : "^" }
  var descending: Character { isUnicode ? "▼" : "v" }
  /// Before a row of a tree: whether the rows below it show.
  var closed: Character { isUnicode ? "▸" : "+" }
  var opened: Character { isUnicode ? "▾" : "-" }
  /// At the sides of what goes on there.
  var moreLeft: Character { isUnicode ? "‹" : "<" }
  var moreRight: Character { isUnicode ? "›" : ">" }
}
