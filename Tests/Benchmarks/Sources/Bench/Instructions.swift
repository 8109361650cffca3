import Foundation

/// Counts the instructions of a unit: valgrind's count for two numbers of iterations, subtracted,
/// so that starting up and making the graph drop out.
struct Instructions {
  let driver = DriverProcess()

  struct Line: Encodable {
    let workload, subject: String
    let instructions: Double
    let limit: Double?
    let met: Bool?

    var text: String {
      let name = subject.padding(toLength: 24, withPad: " ", startingAt: 0)
      let goal = limit.map { "  at most \(Int($0)) - \(met == true ? "met" : "MISSED")" }
      return "\(workload)  \(name)\(Int(instructions.rounded())) a unit\(goal ?? "")"
    }
  }

  /// Ours, and beside it what the fastest peers take.
  func count(_ section: Section) -> [Line] {
    guard let iterations = section.iterations else { return [] }
    let gated = section.gates.map(\.subject)
    let rows = section.rows.filter {
      gated.isEmpty || gated.contains($0.subject) || $0.subject == .functions
        || $0.subject == .closures
    }
    return rows.compactMap { row in
      guard let count = count(row, iterations) else { return nil }
      let limit = section.gates.first { $0.subject == row.subject }?.limit
      return Line(
        workload: section.id, subject: row.subject.name, instructions: count, limit: limit,
        met: limit.map { count <= $0 })
    }
  }

  private func count(_ row: Row, _ iterations: (few: Int, many: Int)) -> Double? {
    guard let few = run(row, iterations.few), let many = run(row, iterations.many) else {
      return nil
    }
    return (many.total - few.total) / Double(iterations.many - iterations.few) / many.units
  }

  private func run(_ row: Row, _ iterations: Int) -> (total: Double, units: Double)? {
    let outcome = driver.run(
      row.program, [row.argument, "--iterations", "\(iterations)"],
      behind: ["/usr/bin/valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"])
    guard case .figures(let figures) = outcome, let total = figures["instructions"],
      let units = figures["units"]
    else { return nil }
    return (total, units)
  }
}
