/// The colours and attributes of a cell.
///
/// ```swift
/// let warning = CellStyle(foreground: .rgb(red: 255, green: 128, blue: 0), attributes: .bold)
/// ```
public struct CellStyle: Hashable, Sendable {
  // Packed, so that two cells compare as a few machine words.
  private var foregroundBits: UInt32 = 0
  private var backgroundBits: UInt32 = 0
  /// Bold, italic and the like.
  public var attributes: Attributes = []

  /// Makes a style; `.standard` is the terminal's default colour.
  public init(
    foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []
  ) {
    foregroundBits = foreground.bits
    backgroundBits = background.bits
    self.attributes = attributes
  }

  /// The terminal's default colours, without attributes.
  public static let plain = CellStyle()

  /// The text colour; `.standard` is the terminal's default.
  public var foreground: Color {
    get { Color(bits: foregroundBits) }
    set { foregroundBits = newValue.bits }
  }

  /// The background colour; `.standard` is the terminal's default.
  public var background: Color {
    get { Color(bits: backgroundBits) }
    set { backgroundBits = newValue.bits }
  }

  /// Text attributes such as bold and italic.
  ///
  /// ```swift
  /// CellStyle(attributes: [.bold, .underline])
  /// ```
  public struct Attributes: OptionSet, Hashable, Sendable {
    /// One bit for each attribute.
    public let rawValue: UInt16
    /// Makes a set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Bold text.
    public static let bold = Attributes(rawValue: 1)
    /// Faint text.
    public static let dim = Attributes(rawValue: 2)
    /// Italic text.
    public static let italic = Attributes(rawValue: 4)
    /// Underlined text.
    public static let underline = Attributes(rawValue: 8)
    /// Foreground and background exchanged.
    public static let reverse = Attributes(rawValue: 16)
  }
}

extension Color {
  fileprivate var bits: UInt32 {
    switch self {
    case .standard: 0
    case .ansi(let number): 1 << 24 | UInt32(number)
    case .rgb(let red, let green, let blue):
      2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }
  }

  fileprivate init(bits: UInt32) {
    switch bits >> 24 {
    case 0: self = .standard
    case 1: self = .ansi(UInt8(truncatingIfNeeded: bits))
    default:
      self = .rgb(
        red: UInt8(truncatingIfNeeded: bits >> 16), green: UInt8(truncatingIfNeeded: bits >> 8),
        blue: UInt8(truncatingIfNeeded: bits))
    }
  }
}

/// One cell of a frame: a character, or the right half of the wide one before it, and its style.
///
/// ```swift
/// let cell = frame[0, 0]
/// frame.character(of: cell)   // what it shows
/// cell.style.attributes       // how
/// ```
public struct Cell: Hashable, Sendable {
  /// The character's scalar, or a number in the frame's table of clusters, or 0 for a right half.
  /// Cells of frames that share a table are equal exactly if they look equal.
  var code: UInt32
  /// The colours and attributes.
  public var style: CellStyle
  /// 1 or 2; 0 for the right half of a wide character, which draws nothing itself.
  public internal(set) var width: UInt8

  /// A space.
  public static let blank = Cell(code: 0x20, style: .plain, width: 1)

  static func rightHalf(_ style: CellStyle) -> Cell {
    Cell(code: 0, style: style, width: 0)
  }

  /// Whether the wide character in the cell before extends into this cell.
  public var isRightHalf: Bool { width == 0 }
}

// The variants of a view's style that the built-in classes use, in one place, so that a focus, a
// selection and a hint look alike everywhere, also in terminals without colour.
extension CellStyle {
  /// For a control with the focus.
  var focused: CellStyle { with(.reverse) }
  /// For the selected row or item.
  var chosen: CellStyle { with(.reverse) }
  /// For the selected row of a view without the focus.
  var chosenWithoutFocus: CellStyle { with([.reverse, .dim]) }
  /// For the headings of a table.
  var heading: CellStyle { with([.bold, .underline]) }
  /// For secondary elements: placeholders, scroll bars, rules.
  var hint: CellStyle { with(.dim) }
  /// For borders and lines, which are drawn without text attributes.
  var line: CellStyle { without(.bold, .underline, .italic) }
}
