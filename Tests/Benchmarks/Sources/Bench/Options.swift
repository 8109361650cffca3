/// The command line of `scripts/bench`, which explains it.
struct Options {
  var rounds = 9
  var milliseconds = 120.0
  var only: [String] = []
  var printsLines = false
  var countsInstructions = false

  struct UsageError: Error {
    let message: String
  }

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--quick":
        rounds = 3
        milliseconds = 40
      case "--json": printsLines = true
      case "--instructions": countsInstructions = true
      case "--rounds":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
          throw UsageError(message: "--rounds takes a count")
        }
        rounds = count
      case "--milliseconds":
        guard let time = rest.popFirst().flatMap({ Double($0) }), time > 0 else {
          throw UsageError(message: "--milliseconds takes a time")
        }
        milliseconds = time
      case "--only":
        guard let ids = rest.popFirst() else { throw UsageError(message: "--only takes workloads") }
        only = ids.split(separator: ",").map(String.init)
      default: throw UsageError(message: "unknown option \(option)")
      }
    }
  }

  func selects(_ section: Section) -> Bool {
    only.isEmpty || only.contains { section.id.hasPrefix($0) }
  }
}
