import Foundation

/// One run of `scripts/bench`.
struct Benchmark {
  let options: Options
  let sections: [Section]

  init(_ options: Options) {
    self.options = options
    sections = Catalogue.sections.filter(options.selects)
  }

  /// Measures and prints; false: a driver failed or a gate was passed.
  func run() -> Bool { options.countsInstructions ? countInstructions() : measure() }

  /// Every row in turn, round after round, so that a change of the machine's load meets all alike.
  private func measure() -> Bool {
    let driver = DriverProcess()
    var results = Results()
    for round in 1...options.rounds {
      for section in sections where (round - 1) % section.period == 0 {
        show("round \(round) of \(options.rounds): \(section.id)")
        for row in section.rows {
          let outcome = driver.measure(row, milliseconds: options.milliseconds)
          results.add(outcome, of: row, in: section, round: round)
        }
      }
    }
    show("")
    for section in sections {
      if options.printsLines {
        Lines(results: results).print(section)
      } else {
        Table(results: results).print(section)
      }
    }
    for failure in results.failures { complain("\(failure)\n") }
    return results.failures.isEmpty
  }

  private func countInstructions() -> Bool {
    var isWithinGates = true
    for section in sections where section.iterations != nil {
      for line in Instructions().count(section) {
        if line.met == false { isWithinGates = false }
        if options.printsLines {
          Lines.print(line)
        } else {
          print(line.text)
        }
      }
    }
    return isWithinGates
  }

  /// Progress, on a terminal only.
  private func show(_ text: String) {
    if isatty(STDERR_FILENO) == 1 { complain("\u{1B}[2K\r\(text)") }
  }
}

func complain(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
