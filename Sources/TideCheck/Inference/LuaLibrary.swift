/// The functions of Lua's library: how many arguments each takes, and which return a string.
///
/// ```swift
/// LuaLibrary.functions["string.rep"]?.least          // 2
/// LuaLibrary.functions["string.rep"]?.usage          // string.rep(s, n, sep?)
/// ```
///
/// The catalogue describes the API alone, because editors know Lua's library by themselves.
enum LuaLibrary {
  struct Function {
    let name: String
    /// Names as the manual writes them, an optional one with a question mark; the last may be
    /// `...`.
    let parameters: [String]
    let returnsString: Bool

    var takesMore: Bool { parameters.last == "..." }
    /// The most arguments, beside those of `...`.
    var most: Int { parameters.count - (takesMore ? 1 : 0) }
    /// The least number of arguments.
    var least: Int { parameters.count { $0 != "..." && !$0.hasSuffix("?") } }
    var usage: String { "\(name)(\(parameters.joined(separator: ", ")))" }
  }

  /// By path: `string.rep`, `tostring`.
  static let functions: [String: Function] = {
    var functions: [String: Function] = [:]
    for line in signatures.split(separator: "\n") {
      guard let open = line.firstIndex(of: "("), let close = line.firstIndex(of: ")") else {
        continue
      }
      let name = String(line[..<open])
      let parameters = line[line.index(after: open)..<close].split(separator: ",")
      functions[name] = Function(
        name: name, parameters: parameters.map { String($0.drop { $0 == " " }) },
        returnsString: line.hasSuffix(": string"))
    }
    return functions
  }()

  /// The entries of a library that scripts of an app do not find.
  static let closedMembers: [String: Set<String>] = [
    "string": ["dump"], "os": ["exit", "setlocale"], "io": ["stdin", "stdout", "stderr"],
  ]

  private static let signatures = """
    string.byte(s, i?, j?)
    string.char(...): string
    string.find(s, pattern, init?, plain?)
    string.format(format, ...): string
    string.gmatch(s, pattern, init?)
    string.gsub(s, pattern, repl, n?): string
    string.len(s)
    string.lower(s): string
    string.match(s, pattern, init?)
    string.pack(format, ...): string
    string.packsize(format)
    string.rep(s, n, sep?): string
    string.reverse(s): string
    string.sub(s, i, j?): string
    string.unpack(format, s, pos?)
    string.upper(s): string
    table.concat(list, sep?, i?, j?): string
    table.insert(list, pos?, value)
    table.move(a1, f, e, t, a2?)
    table.pack(...)
    table.remove(list, pos?)
    table.sort(list, comp?)
    table.unpack(list, i?, j?)
    math.abs(x)
    math.acos(x)
    math.asin(x)
    math.atan(y, x?)
    math.ceil(x)
    math.cos(x)
    math.deg(x)
    math.exp(x)
    math.floor(x)
    math.fmod(x, y)
    math.log(x, base?)
    math.max(x, ...)
    math.min(x, ...)
    math.modf(x)
    math.rad(x)
    math.random(m?, n?)
    math.sin(x)
    math.sqrt(x)
    math.tan(x)
    math.tointeger(x)
    math.type(x)
    math.ult(m, n)
    utf8.char(...): string
    utf8.codepoint(s, i?, j?, lax?)
    utf8.codes(s, lax?)
    utf8.len(s, i?, j?, lax?)
    utf8.offset(s, n, i?)
    os.clock()
    os.date(format?, time?)
    os.difftime(t2, t1?)
    os.time(table?)
    coroutine.create(f)
    coroutine.resume(co, ...)
    coroutine.status(co)
    coroutine.wrap(f)
    assert(v, ...)
    getmetatable(object)
    ipairs(t)
    next(table, index?)
    pairs(t)
    pcall(f, ...)
    rawequal(v1, v2)
    rawget(table, index)
    rawlen(v)
    rawset(table, index, value)
    select(n, ...)
    setmetatable(table, metatable)
    tonumber(e, base?)
    tostring(v): string
    type(v): string
    xpcall(f, msgh, ...)
    """
}
