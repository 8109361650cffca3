import TideGraph

extension BuiltInTransformers {
  static var dates: [String: Entry] {
    [
      "date": Entry(
        usage: "date(pattern)",
        summary: "Writes seconds since 1970 in a pattern of os.date, and reads the text.",
        example: "date('!%H:%M')", counts: 0...1
      ) { (arguments) throws(TideError) in
        let pattern = try DatePattern(arguments.count == 0 ? "%c" : arguments.text(0))
        let language = arguments.language
        return passingNil(
          "date", { .string(try pattern.text(for: seconds($0), language.current)) }
        ) { value in
          let text = (value.text ?? "").trimmed
          guard let seconds = pattern.seconds(for: text, language.current) else {
            throw value.conversionError(
              to: "a date", because: "expected the form \"\(pattern.source)\"")
          }
          return .integer(seconds)
        }
      },
      "relativeDate": Entry(
        usage: "relativeDate", summary: "Writes how long ago a time is, anew as time passes.",
        counts: 0...0
      ) { (arguments) throws(TideError) in
        let now = arguments.now
        let language = arguments.language
        var transformer = passingNil("relativeDate") { value in
          .string(RelativeDate(seconds: age(of: try seconds(value), now())).text(in: language))
        }
        transformer.renewal = { value in
          guard !value.isNil, let date = try? seconds(value) else { return nil }
          let now = now()
          return RelativeDate(seconds: age(of: date, now)).secondsToNextText.map { now + $0 }
        }
        return transformer
      },
    ]
  }

  /// In whole milliseconds, because the difference of two times is not more precise.
  private static func age(of date: Double, _ now: Double) -> Double {
    ((now - date) * 1000).rounded() / 1000
  }

  private static func seconds(_ value: Value) throws(TideError) -> Double {
    let seconds = Arithmetic.float(try value.convertedToNumber())
    guard seconds.isFinite else { throw value.conversionError(to: "a date") }
    return seconds
  }
}
