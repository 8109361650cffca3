import TideBindings
import TideGraph
import TideLua
import TideSystem

extension Runtime {
  /// `file.read(path)` and similar functions, which wait for another thread, or use stubs in specs.
  func installFiles() throws {
    try publishTable(
      "file",
      [
        .fileRead: { [unowned self] call in try read(call) },
        .fileWrite: { [unowned self] call in
          try change(call, "file.write") { (place, bytes) throws(SystemError) in
            try FileAccess.write(bytes, to: place.name, in: place.folder)
          }
        },
        .fileAppend: { [unowned self] call in
          try change(call, "file.append") { (place, bytes) throws(SystemError) in
            try FileAccess.append(bytes, to: place.name, in: place.folder)
          }
        },
        .fileList: { [unowned self] call in try list(files: call) },
        .fileExists: { [unowned self] call in
          try look(call, "file.exists") { [.boolean($1 != nil)] }
        },
        .fileInfo: { [unowned self] call in
          let path = try path(call, 0)
          try look(call, "file.info") { runtime, found in
            guard let found else {
              throw TideError(.source, "\"\(path.inMessage)\": \(SystemText.of(ENOENT))")
            }
            return [
              .table(
                try runtime.lua.table([
                  "kind": .string(found.kind), "size": .integer(found.size),
                  "modified": .number(found.modified),
                ]))
            ]
          }
        },
        .fileRemove: { [unowned self] call in try remove(call) },
        .fileRename: { [unowned self] call in try rename(call) },
        .fileLines: { [unowned self] call in
          try lines(call, "file.lines", ["limit"], follows: false)
        },
        .fileTail: { [unowned self] call in
          try lines(call, "file.tail", ["limit", "lines"], follows: true)
        },
        .fileWatch: { [unowned self] call in try watch(call) },
        .fileStub: { [unowned self] call in try stubs.stubFiles(call, in: self) },
      ])
  }

  private func path(_ call: borrowing LuaCall, _ index: Int) throws -> String {
    try TextLimit.check(bytes: call.textCount(index) ?? 0, "a path")
    let path = try call.string(index)
    if path.isEmpty { throw call.badArgument(index, "a path expected, got empty text") }
    if path.utf8.contains(0) { throw call.badArgument(index, "a path contains no zeros") }
    return path
  }

  // MARK: Whole files

  private func read(_ call: borrowing LuaCall) throws {
    let path = try path(call, 0)
    if let stub = try stubs.file(path, "file.read", in: self) {
      return try wait(call, forStub: "file.read") { _ in [Self.luaText(try stub.contents(path))] }
    }
    let place = try place(of: path, for: .reading)
    let reservation = MemoryReservation(memory.account)
    try wait(call, forSource: "file.read", holding: reservation) { [home] completion in
      guard let runtime = home.runtime else { return {} }
      let reading = FileReading(place, path, reservation) { result in
        guard let runtime = home.runtime else { return }
        completion(
          Result {
            [try runtime.admittedText(try result.get(), of: "\"\(path.inMessage)\"")]
          })
      }
      reading.begin(in: runtime)
      return { reading.cancel() }
    }
  }

  private func change(
    _ call: borrowing LuaCall, _ name: String,
    _ body: @escaping @Sendable (ScriptPlace, [UInt8]) throws(SystemError) -> Void
  ) throws {
    let path = try path(call, 0)
    let bytes = try bytes(call, 1)
    if let stub = try stubs.file(path, name, in: self) {
      return try wait(call, forStub: name) { _ in
        stub.put(bytes, appending: name == "file.append")
        return []
      }
    }
    try work(call, name, path, .writing) { (place) throws(SystemError) in
      try body(place, bytes)
    } lowering: { _, _ in
      []
    }
  }

  func bytes(_ call: borrowing LuaCall, _ index: Int) throws -> [UInt8] {
    switch try call.value(index) {
    case .string(let text): return Array(text.utf8)
    case .bytes(let bytes): return bytes
    default: throw call.wrongType(index, "string")
    }
  }

  private func list(files call: borrowing LuaCall) throws {
    let path = try path(call, 0)
    if let names = try stubs.names(in: path, in: self) {
      return try wait(call, forStub: "file.list") { runtime in
        [.table(try runtime.lua.table(names.map { .string($0) }))]
      }
    }
    let most = configuration.limits.rows
    let reservation = MemoryReservation(memory.account)
    try work(call, "file.list", path, .reading, holding: reservation) {
      (place) throws(SystemError) in
      try FileAccess.names(of: place.name, in: place.folder, most: most, reservation)
    } lowering: { runtime, names in
      [.table(try runtime.lua.table(names.map { .string($0) }))]
    }
  }

  private func look(
    _ call: borrowing LuaCall, _ name: String,
    _ lower: @escaping (Runtime, FileInformation?) throws -> [LuaValue]
  ) throws {
    let path = try path(call, 0)
    if let stub = try stubs.file(path, name, in: self) {
      return try wait(call, forStub: name) { try lower($0, stub.information($0)) }
    }
    do {
      try work(call, name, path, .reading) { (place) throws(SystemError) in
        try FileAccess.information(of: place.name, in: place.folder)
      } lowering: {
        try lower($0, $1)
      }
    } catch let error as TideError where error.code == .source {
      // A folder in the path is missing.
      try wait(call, forStub: name) { try lower($0, nil) }
    }
  }

  private func remove(_ call: borrowing LuaCall) throws {
    let path = try path(call, 0)
    if let stub = try stubs.file(path, "file.remove", in: self) {
      return try wait(call, forStub: "file.remove") { _ in
        _ = try stub.contents(path)
        stub.remove()
        return []
      }
    }
    try work(call, "file.remove", path, .writing, followsLink: false) {
      (place) throws(SystemError) in
      try FileAccess.remove(place.name, in: place.folder)
    } lowering: { _, _ in
      []
    }
  }

  private func rename(_ call: borrowing LuaCall) throws {
    let (path, newPath) = (try path(call, 0), try path(call, 1))
    if let stub = try stubs.file(path, "file.rename", in: self) {
      let target = try stubs.file(newPath, "file.rename", in: self)
      return try wait(call, forStub: "file.rename") { _ in
        target?.put(try stub.contents(path), appending: false)
        stub.remove()
        return []
      }
    }
    let target = try place(of: newPath, for: .writing, followsLink: false)
    try work(call, "file.rename", path, .writing, followsLink: false) {
      (place) throws(SystemError) in
      guard LuaState.admitsMove(place.folder, place.name, to: target.name) else {
        throw SystemError(
          "cannot rename", number: EACCES,
          reason:
            "a folder cannot be moved that holds scripts, specs, or files with a dot, or is to "
            + "be called as folders of specs are")
      }
      try FileAccess.rename(place.name, in: place.folder, to: target.name, in: target.folder)
    } lowering: { _, _ in
      []
    }
  }

  /// Does file work on another thread while the call waits.
  private func work<Outcome: Sendable>(
    _ call: borrowing LuaCall, _ name: String, _ path: String, _ use: LuaState.FileUse,
    followsLink: Bool = true, holding holder: AnyObject? = nil,
    _ body: @escaping @Sendable (ScriptPlace) throws(SystemError) -> Outcome,
    lowering lower: @escaping (Runtime, Outcome) throws -> [LuaValue]
  ) throws {
    let place = try place(of: path, for: use, followsLink: followsLink)
    if use == .writing { noteLasting(name, path) }
    try wait(call, forWork: name, holding: holder) { () -> Result<Outcome, SystemError> in
      do throws(SystemError) { return .success(try body(place)) } catch {
        var error = error
        error.message = "\"\(path)\": \(error.message)"
        return .failure(error)
      }
    } lowering: {
      try lower($0, $1)
    }
  }

  // MARK: Followed files

  private func lines(
    _ call: borrowing LuaCall, _ name: String, _ names: [String], follows: Bool
  ) throws {
    let path = try path(call, 0)
    let options = try CallOptions(call, 1, of: name, names + ["name"])
    let first = follows ? try options.count("lines") ?? 10 : nil
    let list = StreamList(limit: try options.limit())
    let streamName = try options.name()
    try charge(Weight.task + Weight.list)
    let feed = LineFeed(list, in: self)
    if let stub = try stubs.file(path, name, in: self) {
      list.source = StubStream(feed, stub, path, in: self, follows: follows, firstLines: first)
    } else {
      // A refused path throws here and does not start a stream.
      _ = try place(of: path, for: .reading)
      list.source = FileStream(feed, path, follows: follows, firstLines: first, in: self)
    }
    try begin(list, named: streamName)
    try call.return(luaValue(list))
  }

  private func watch(_ call: borrowing LuaCall) throws {
    let path = try path(call, 0)
    let file = WatchedFile(path, in: self)
    try charge(Weight.timer + Self.size(properties: 4))
    if let stub = try stubs.file(path, "file.watch", in: self) {
      stub.observe(in: context) { [weak self, weak file] in
        guard let self, let file else { return }
        file.show(stub.information(self), stub.bytes, nil)
      }
    } else {
      _ = try place(of: path, for: .reading)
      file.begin(in: self)
    }
    try call.return(luaValue(file))
  }
}

// MARK: Catalogue

extension APIEntry {
  static let file = APIEntry(
    "file", usage: "file.read(path)", "Reads, writes and follows files, where that is allowed.")

  static let fileRead = APIEntry(
    "file.read(path)", "Waits for what a file holds.",
    """
    @param path string
    @return string
    """)
  static let fileWrite = APIEntry(
    "file.write(path, text)", "Makes a file hold a text and nothing else.",
    """
    @param path string
    @param text string
    """)
  static let fileAppend = APIEntry(
    "file.append(path, text)", "Adds a text to the end of a file.",
    """
    @param path string
    @param text string
    """)
  static let fileList = APIEntry(
    "file.list(path)", "The names in a folder, in order.",
    """
    @param path string
    @return string[]
    """)
  static let fileExists = APIEntry(
    "file.exists(path)", "Whether there is such a file or folder.",
    """
    @param path string
    @return boolean
    """)
  static let fileInfo = APIEntry(
    "file.info(path)", "A file's kind, its size in bytes, and when it was changed.",
    """
    @param path string
    @return tidelock.FileInfo
    """)
  static let fileRemove = APIEntry(
    "file.remove(path)", "Removes a file or an empty folder.",
    """
    @param path string
    """)
  static let fileRename = APIEntry(
    "file.rename(path, newPath)", "Gives a file another name or folder.",
    """
    @param path string
    @param newPath string
    """)
  static let fileLines = APIEntry(
    "file.lines(path, options)", usage: "file.lines(path [, options])",
    "A stream of a file's lines.",
    """
    @param path string
    @param options? tidelock.LinesOptions
    @return tidelock.Stream
    """)
  static let fileTail = APIEntry(
    "file.tail(path, options)", usage: "file.tail(path [, options])",
    "A stream of a file's last lines and those that are added to it.",
    """
    @param path string
    @param options? tidelock.TailOptions
    @return tidelock.Stream
    """)
  static let fileWatch = APIEntry(
    "file.watch(path)", "A data object that follows a file.",
    """
    @param path string
    @return tidelock.WatchedFile
    """)
  static let fileStub = APIEntry(
    "file.stub(files)", usage: "file.stub { [path] = text }",
    "In a spec: files that are there in place of real ones.",
    """
    @param files table<string, string|false|fun(path: string): string?>
    """)
}

extension APISection {
  static let files = APISection(
    article: "LiveData",
    entries: [
      .file, .fileRead, .fileWrite, .fileAppend, .fileList, .fileExists, .fileInfo, .fileRemove,
      .fileRename, .fileLines, .fileTail, .fileWatch, .fileStub,
    ],
    types: """
      ---@class tidelock.FileInfo
      ---@field kind "file"|"folder"|"link"|"other"
      ---@field size integer in bytes
      ---@field modified number in seconds since the epoch

      ---@class tidelock.WatchedFile : tidelock.DataObject
      ---@field text string?
      ---@field modified number?
      ---@field exists boolean
      ---@field error string?

      ---@class tidelock.LinesOptions
      ---@field name? string
      ---@field limit? integer

      ---@class tidelock.TailOptions : tidelock.LinesOptions
      ---@field lines? integer how many of those that are there, 10 by default
      """)
}
