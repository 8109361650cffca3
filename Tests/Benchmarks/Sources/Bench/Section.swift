/// One workload: what is measured, on whom, and what must be reached.
struct Section {
  let id: String
  let title: String
  let figures: [Figure]
  let rows: [Row]
  var goals: [Goal] = []
  /// The most instructions of ours that a unit may take.
  var gates: [Gate] = []
  /// How often a workload is iterated to count its instructions, which are the difference; nil
  /// where they are not counted.
  var iterations: (few: Int, many: Int)?
  /// Runs in every round, or, because it takes long, only in every so many.
  var period = 1
  /// Drawn as bars below the table.
  var isPlotted = false
}

/// A number that a driver reports.
struct Figure {
  /// The driver's name for it.
  let measure: String
  /// The column's title, with the unit.
  let title: String

  /// Figures by their measures and titles.
  static func list(_ titles: KeyValuePairs<String, String>) -> [Figure] {
    titles.map { Figure(measure: $0.key, title: $0.value) }
  }
}

/// One program that does the workload: a line of the table.
struct Row {
  let subject: Subject
  let program: String
  /// What the driver is told to run.
  let argument: String
  /// The sizes to try, from small to large; the last that works counts. Empty: the workload's own.
  var sizes: [Int] = []
}

/// Who is measured. Goals name subjects.
struct Subject: Hashable {
  let name: String

  static let ncurses = Subject(name: "ncurses, by hand")
  static let page = Subject(name: "a page up or down")
  static let ends = Subject(name: "Home, End")
  static let typed = Subject(name: "Tidelock, typed")
  static let copy = Subject(name: "Tidelock, copy")
  static let dynamic = Subject(name: "Tidelock, dynamic")
  static let computed = Subject(name: "Tidelock, computed")
  static let tidelock = Subject(name: "Tidelock")
  static let hostObject = Subject(name: "Tidelock, Swift's object")
  static let endToEnd = Subject(name: "Tidelock, Lua to a view")
  static let oneProperty = Subject(name: "one property")
  static let wholeSample = Subject(name: "a sample of all processes")
  static let userType = Subject(name: "Tidelock, user type")
  static let typedCall = Subject(name: "Tidelock, call(as:)")
  static let ownTurn = Subject(name: "Tidelock, own turn")
  static let stopped = Subject(name: "stopped, 32 MiB")
  static let stoppedLarge = Subject(name: "stopped, 256 MiB")
  static let givenUp = Subject(name: "interpreter given up")
  static let suspending = Subject(name: "Tidelock, suspending")
  static let suspensionAlone = Subject(name: "Swift's suspension alone")
  static let globals = Subject(name: "global variables")
  static let properties = Subject(name: "properties of a model")
  static let ids = Subject(name: "ids of views")
  static let sorted = Subject(name: "sorted by a key")
  static let filtered = Subject(name: "filtered")
  static let compared = Subject(name: "sorted by a script")
  static let feed = Subject(name: "feed of 1,000")
  static let largeFeed = Subject(name: "feed of 1,000,000")
  static let list = Subject(name: "list of 1,000")
  static let largeList = Subject(name: "list of 1,000,000")
  static let liveList = Subject(name: "list, read at each step")
  static let selection = Subject(name: "selected rows")
  static let liveSelection = Subject(name: "selected rows, read at each step")
  static let equalRows = Subject(name: "rows of 2 lines")
  static let flexibleRows = Subject(name: "rows as high as their text")
  static func modules(_ count: Int) -> Subject { Subject(name: "one of \(count) modules") }
  static let tenOfHundred = Subject(name: "ten of 100 modules")
  static func pairs(_ count: Int) -> Subject { Subject(name: "Tidelock, \(count)") }
  static func qtPairs(_ count: Int) -> Subject { Subject(name: "Qt 6.4, \(count)") }
  static let less = Subject(name: "less +F")
  static let lnav = Subject(name: "lnav 0.11")
  static let cjson = Subject(name: "lua-cjson 2.1")
  static let sqlite = Subject(name: "SQLite's C API")
  static let nats = Subject(name: "libnats alone")
  static let python = Subject(name: "Python's json")
  static let busted = Subject(name: "busted 2.1")
  static let uncovered = Subject(name: "without coverage")
  static let unrecorded = Subject(name: "without artifacts")
  static let recorded = Subject(name: "with artifacts")
  static let covered = Subject(name: "with coverage")
  static let functions = Subject(name: "C function pointers")
  static let closures = Subject(name: "Swift closures")
  static let qt = Subject(name: "Qt 6.4 QProperty")
  static let gobject = Subject(name: "GObject 2.74")
  static let openCombine = Subject(name: "OpenCombine 0.14")
  static let observation = Subject(name: "Swift Observation")
  static let plainLua = Subject(name: "plain C API")
  static let stock = Subject(name: "stock Lua")
  static let alien = Subject(name: "alien-signals in Lua")
  static let textual = Subject(name: "Textual")
  static let proxy = Subject(name: "pure-Lua proxy")
  static let table = Subject(name: "plain Lua table")
}

/// What a figure of ours must reach.
struct Goal {
  let subject: Subject
  let measure: String
  /// The largest value allowed, or the largest ratio to the other's figure.
  let limit: Double
  var other: Subject?
  /// At least the limit, not at most.
  var isMinimum = false

  /// The same limit for a figure of several subjects.
  static func limits(_ subjects: [Subject], _ measure: String, _ limit: Double) -> [Goal] {
    subjects.map { Goal(subject: $0, measure: measure, limit: limit) }
  }

  /// The limits for several figures of one subject.
  static func limits(_ subject: Subject, _ limits: KeyValuePairs<String, Double>) -> [Goal] {
    limits.map { Goal(subject: subject, measure: $0.key, limit: $0.value) }
  }

  /// At least so many times faster than another.
  static func faster(_ subject: Subject, _ measure: String, _ times: Double, than other: Subject)
    -> Goal
  {
    Goal(subject: subject, measure: measure, limit: 1 / times, other: other)
  }

  /// At most so many times what another takes.
  static func atMost(_ subject: Subject, _ measure: String, _ times: Double, of other: Subject)
    -> Goal
  {
    Goal(subject: subject, measure: measure, limit: times, other: other)
  }
}

/// A limit in instructions for each unit, which does not drift with the machine's load.
struct Gate {
  let subject: Subject
  let limit: Double
}
