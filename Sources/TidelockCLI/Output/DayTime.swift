import TideSystem

/// The time of day, as `14:03:59`, for progress messages.
enum DayTime {
  static var now: String {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
