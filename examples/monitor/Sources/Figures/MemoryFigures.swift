/// How much memory the machine has and how much of it is to be had, in bytes.
struct MemoryFigures: Equatable {
  var total = 0
  var available = 0
  var cached = 0
  var swapTotal = 0
  var swapFree = 0

  var used: Int { max(0, total - available) }
  var swapUsed: Int { max(0, swapTotal - swapFree) }
}

extension MemoryFigures {
  /// Reads /proc/meminfo; what is not in it counts as none.
  init(parsing text: [UInt8]) {
    var scanner = FigureScanner(text)
    repeat {
      switch scanner.word(endingAt: ":") {
      case "MemTotal": total = scanner.kibibytes()
      case "MemAvailable": available = scanner.kibibytes()
      case "Cached": cached = scanner.kibibytes()
      case "SwapTotal": swapTotal = scanner.kibibytes()
      case "SwapFree": swapFree = scanner.kibibytes()
      default: break
      }
    } while scanner.nextLine()
  }
}

extension FigureScanner {
  fileprivate mutating func kibibytes() -> Int {
    let (bytes, isTooMuch) = (integer() ?? 0).multipliedReportingOverflow(by: 1024)
    return isTooMuch ? 0 : bytes
  }
}
