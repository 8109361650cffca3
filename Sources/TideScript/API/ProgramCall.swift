import TideBindings
import TideLua
import TideSystem

/// A script's validated call of a program.
struct ProgramCall {
  var request: ProgramRequest
  var input: [UInt8]?
  var timeout: Double?
  var limit: Int?
  var name: String?
  /// The stub that replaces the program; nil for the real program.
  var stub: LuaValue?
}

extension Runtime {
  /// Reads the arguments of a call.
  ///
  /// - Parameter names: the function's options beside the common ones.
  func read(
    _ call: borrowing LuaCall, _ function: String, _ names: [String]
  ) throws -> ProgramCall {
    try TextLimit.check(bytes: call.textCount(0) ?? 0, "the name of a program")
    let command = try call.string(0)
    if command.isEmpty || command.utf8.contains(0) {
      throw call.badArgument(0, "the name of a program expected")
    }
    var arguments = [command]
    var bytes = command.utf8.count
    if !call.isNil(1) {
      arguments += try call.table(1).elements(of: "the arguments of \(function)").map { value in
        let text: String? =
          switch value {
          case .string(let text): text
          case .integer(let integer): "\(integer)"
          case .number(let number): Value.number(number).text
          default: nil
          }
        bytes += text?.utf8.count ?? 0
        try Self.check(bytes, "the arguments")
        guard let text, !text.utf8.contains(0) else {
          throw call.badArgument(
            1, "arguments are texts and numbers, without zeros; found \(value.preview)")
        }
        return text
      }
    }
    let options = try CallOptions(
      call, 2, of: function, names + ["environment", "folder", "input"])
    var found = ProgramCall(request: ProgramRequest(arguments))
    found.request.environment = try environment(options)
    found.request.inherited = configuration.lua.access.environment
    found.request.folder = try options.text("folder")
    try TextLimit.check(found.request.folder ?? "", "a path")
    found.input = try options.read("input", as: "text") { value in
      switch value {
      case .string(let text): Array(text.utf8)
      case .bytes(let bytes): bytes
      default: nil
      }
    }
    found.request.takesInput = found.input != nil
    if names.contains("timeout") { found.timeout = try options.seconds("timeout") }
    if names.contains("limit") { found.limit = try options.limit() }
    if names.contains("name") { found.name = try options.name() }
    let isAllowed = configuration.lua.access.permits(program: command)
    found.stub = try stubs.program(arguments, function, isAllowed: isAllowed)
    if found.stub == nil, !isAllowed {
      let remedy = configuration.lua.access.namesFlags ? "run with --allow" : "the host can allow"
      throw TideError(
        .notAllowed,
        "running \"\(command.inMessage)\" is not allowed; \(remedy) run=\(command.inMessage)")
    }
    let access = configuration.lua.access
    if found.stub == nil, !access.run, let part = found.request.forbiddenPart {
      let name = String(part.prefix { $0 != "=" })
      var named = found.request
      named.inherited.append(name)
      let remedy = named.forbiddenPart == nil ? "allow it by env=\(name.inMessage), " : ""
      throw TideError(
        .notAllowed,
        "\"\(name.inMessage)\" could run another program instead of \"\(command.inMessage)\", "
          + "which alone is allowed; leave it out, \(remedy)or allow all programs by run")
    }
    if found.stub == nil { noteLasting(function, command) }
    return found
  }

  private func environment(_ options: CallOptions) throws -> [String: String] {
    var variables: [String: String] = [:]
    var bytes = 0
    let wanted = "a table of names and texts"
    let table = try options.read("environment", as: wanted) { $0.table }
    for (key, value) in try table?.entries() ?? [] {
      bytes += (key.string?.utf8.count ?? 0) + (value.string?.utf8.count ?? 0)
      try Self.check(bytes, "the option \"environment\"")
      guard case .string(let name) = key, case .string(let text) = value, !name.isEmpty,
        !name.contains("="), !name.utf8.contains(0), !text.utf8.contains(0)
      else {
        throw TideError(
          .badArgument,
          "the option \"environment\" is \(wanted), found \(key.preview) = \(value.preview)")
      }
      variables[name] = text
    }
    return variables
  }

  /// Throws before reading more than the system can pass to a program.
  private static func check(_ bytes: Int, _ what: String) throws(TideError) {
    if bytes <= mostPassedBytes { return }
    throw TideError(
      .badArgument,
      "\(what) may have \(mostPassedBytes) bytes in all; what is longer goes into a file, or into "
        + "the option \"input\"")
  }

  /// Linux passes at most 6 MiB of arguments and variables.
  private static let mostPassedBytes = 6 << 20
}
