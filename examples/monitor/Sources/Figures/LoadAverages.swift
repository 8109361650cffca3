/// How many tasks ran or wanted to, on average over one, five and fifteen minutes.
struct LoadAverages: Equatable {
  var one = 0.0
  var five = 0.0
  var fifteen = 0.0
  /// Tasks that run or want to right now; threads count one by one.
  var running = 0
  var tasks = 0
}

extension LoadAverages {
  /// Reads /proc/loadavg, as in `0.49 0.64 0.55 2/213 26798`.
  init(parsing text: [UInt8]) {
    var scanner = FigureScanner(text)
    one = scanner.number() ?? 0
    five = scanner.number() ?? 0
    fifteen = scanner.number() ?? 0
    running = scanner.word(endingAt: "/").flatMap { Int($0) } ?? 0
    tasks = scanner.integer() ?? 0
  }
}
