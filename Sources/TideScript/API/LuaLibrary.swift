/// Lua's standard library as scripts have it: the signature and a description of each function, for
/// help, completion and the checker. The manual of Lua 5.4 is the reference.
///
/// ```swift
/// LuaLibrary.functions["string.rep"]?.least          // 2
/// LuaLibrary.functions["string.rep"]?.usage          // string.rep(s, n, sep?)
/// ```
package enum LuaLibrary {
  /// A function, a table or another value.
  package struct Entry: Sendable {
    package let name: String
    /// Parameter names as in the manual, optional ones with a question mark; the last may be `...`.
    /// Nil for anything but functions.
    package let parameters: [String]?
    /// A one-sentence description.
    package let summary: String
    /// The type of the first result, in the syntax of lua-language-server.
    package let result: String?
    /// Whether a call does something beyond its arguments and results, such as running a function
    /// or writing a line.
    package let hasSideEffects: Bool

    fileprivate init(
      _ usage: String, _ summary: String, _ result: String? = nil, hasSideEffects: Bool = false
    ) {
      let parts = usage.split(separator: "(", maxSplits: 1)
      name = String(parts[0])
      parameters = parts.dropFirst().first.map { list in
        list.dropLast().split(separator: ",").map { String($0.drop { $0 == " " }) }
      }
      self.summary = summary
      self.result = result
      self.hasSideEffects = hasSideEffects
    }

    /// The signature of a function; for anything else only the name.
    package var usage: String { name + list { $0 } }
    package var takesMore: Bool { parameters?.last == "..." }
    /// The most arguments, not counting those of `...`.
    package var most: Int { (parameters?.count ?? 0) - (takesMore ? 1 : 0) }
    /// The least number of arguments.
    package var least: Int { required.count }
    /// The parameters that every call needs.
    package var required: [String] {
      parameters?.filter { $0 != "..." && !$0.hasSuffix("?") } ?? []
    }
    package var returnsString: Bool { result == "string" }

    /// In the syntax of lua-language-server.
    package var definition: String {
      let comment = "---\(summary)\n"
      guard let parameters else { return comment + "\(name) = {}\n" }
      let types = parameters.map { "---@param \($0) any\n" }.joined()
      let function = "function \(name)" + list { $0.hasSuffix("?") ? $0.dropLast() : $0[...] }
      return comment + types + (result.map { "---@return \($0)\n" } ?? "") + function + " end\n"
    }

    private func list(_ text: (String) -> some StringProtocol) -> String {
      parameters.map { "(\($0.map { String(text($0)) }.joined(separator: ", ")))" } ?? ""
    }
  }

  /// The functions by path: `string.rep`, `tostring`.
  package static let functions = Dictionary(
    uniqueKeysWithValues: entries.filter { $0.parameters != nil }.map { ($0.name, $0) })

  /// The entries of a library that scripts cannot use.
  package static let closedMembers: [String: Set<String>] = [
    "string": ["dump"], "os": ["exit", "setlocale"], "io": ["stdin", "stdout", "stderr"],
  ]

  package static let entries: [Entry] = [
    Entry("_G", "The table of all globals."),
    Entry("_VERSION", "The version of Lua."),
    Entry(
      "assert(v, ...)",
      "Gives its arguments, or raises the message where the first is false or nil.", "any"),
    Entry(
      "collectgarbage(option?, ...)",
      "Collects garbage, or tells how much memory is in use.", "any", hasSideEffects: true),
    Entry(
      "error(message?, level?)",
      "Raises an error, with the place of the caller at that level.", hasSideEffects: true),
    Entry("getmetatable(object)", "Gives a value's metatable, or nil.", "table?"),
    Entry("ipairs(t)", "Goes over the elements 1, 2, … of a table or list."),
    Entry(
      "load(chunk, name?, mode?, env?)",
      "Makes a function of a text in Lua, or gives nil and what is wrong.", "function?"),
    Entry("next(table, index?)", "Gives the key after another one, and its value.", "any"),
    Entry("pairs(t)", "Goes over all keys and values of a table or object."),
    Entry(
      "pcall(f, ...)",
      "Calls a function; gives true and its results, or false and the error.", "boolean",
      hasSideEffects: true),
    Entry(
      "print(...)", "Writes values as text, with tabs between them, in a line.",
      hasSideEffects: true),
    Entry(
      "rawequal(v1, v2)", "Gives whether two values are the same, without metamethods.", "boolean"),
    Entry("rawget(table, index)", "Gives the value of a key, without metamethods.", "any"),
    Entry("rawlen(v)", "Gives the length of a table or string, without metamethods.", "integer"),
    Entry("rawset(table, index, value)", "Sets the value of a key, without metamethods.", "table"),
    Entry(
      "select(n, ...)", "Gives the arguments from the nth on, or with \"#\" their number.", "any"),
    Entry("setmetatable(table, metatable)", "Gives a table a metatable; gives the table.", "table"),
    Entry(
      "tonumber(e, base?)",
      "Gives the number that a value or a text in a base is, or nil.", "number?"),
    Entry("tostring(v)", "Gives a value as text.", "string"),
    Entry("type(v)", "Gives the name of a value's type.", "string"),
    Entry("warn(message, ...)", "Writes a warning.", hasSideEffects: true),
    Entry(
      "xpcall(f, msgh, ...)",
      "Calls a function; on an error gives false and what the handler makes of it.", "boolean",
      hasSideEffects: true),
    Entry("coroutine", "Functions that suspend and go on."),
    Entry(
      "coroutine.close(co)",
      "Ends a suspended coroutine and closes its variables.", "boolean", hasSideEffects: true),
    Entry("coroutine.create(f)", "Makes a coroutine of a function.", "thread"),
    Entry("coroutine.isyieldable(co?)", "Gives whether a coroutine can yield.", "boolean"),
    Entry(
      "coroutine.resume(co, ...)",
      "Lets a coroutine go on; gives true and what it yields, or false and the error.", "boolean",
      hasSideEffects: true),
    Entry(
      "coroutine.running()",
      "Gives the running coroutine, and whether it is the main one.", "thread"),
    Entry("coroutine.status(co)", "Gives running, suspended, normal or dead.", "string"),
    Entry(
      "coroutine.wrap(f)",
      "Makes a function that lets a coroutine go on each time it is called.", "function"),
    Entry(
      "coroutine.yield(...)",
      "Suspends the coroutine; gives what it is resumed with.", "any", hasSideEffects: true),
    Entry("io", "Files and standard streams, where --allow opens them."),
    Entry("io.close(file?)", "Closes a file.", "boolean?", hasSideEffects: true),
    Entry(
      "io.input(file?)", "Sets or gives the file that is read by default.", hasSideEffects: true),
    Entry("io.lines(name?, ...)", "Goes over the lines of a file.", hasSideEffects: true),
    Entry("io.open(name, mode?)", "Opens a file, or gives nil and why not.", hasSideEffects: true),
    Entry(
      "io.output(file?)", "Sets or gives the file that is written by default.", hasSideEffects: true
    ),
    Entry(
      "io.popen(program, mode?)",
      "Starts a program and gives its output or input as a file.", hasSideEffects: true),
    Entry("io.read(...)", "Reads from the default input.", "string?", hasSideEffects: true),
    Entry("io.tmpfile()", "Opens a file that is removed at the end.", hasSideEffects: true),
    Entry("io.type(value)", "Gives file, closed file or nil.", "string?"),
    Entry("io.write(...)", "Writes to the default output.", hasSideEffects: true),
    Entry("math", "Numbers."),
    Entry("math.abs(x)", "Gives the absolute value.", "number"),
    Entry("math.acos(x)", "Gives the arc cosine, in radians.", "number"),
    Entry("math.asin(x)", "Gives the arc sine, in radians.", "number"),
    Entry("math.atan(y, x?)", "Gives the arc tangent of y/x, in radians.", "number"),
    Entry(
      "math.atan2(y, x)",
      "Gives the arc tangent of y/x, as Lua 5.2 has it; math.atan does the same.", "number"),
    Entry("math.ceil(x)", "Gives the smallest whole number that is not less.", "integer"),
    Entry("math.cos(x)", "Gives the cosine of radians.", "number"),
    Entry("math.cosh(x)", "Gives the hyperbolic cosine, as Lua 5.2 has it.", "number"),
    Entry("math.deg(x)", "Gives radians in degrees.", "number"),
    Entry("math.exp(x)", "Gives e to the power of a number.", "number"),
    Entry("math.floor(x)", "Gives the largest whole number that is not greater.", "integer"),
    Entry(
      "math.fmod(x, y)", "Gives the remainder of a division that rounds towards zero.", "number"),
    Entry("math.frexp(x)", "Gives a fraction and a power of two, as Lua 5.2 has it.", "number"),
    Entry("math.huge", "A number greater than any other."),
    Entry("math.ldexp(m, e)", "Gives m times two to the power e, as Lua 5.2 has it.", "number"),
    Entry("math.log(x, base?)", "Gives the logarithm to a base, e by default.", "number"),
    Entry("math.log10(x)", "Gives the logarithm to base 10, as Lua 5.2 has it.", "number"),
    Entry("math.max(x, ...)", "Gives the greatest of some numbers.", "number"),
    Entry("math.maxinteger", "The greatest integer."),
    Entry("math.min(x, ...)", "Gives the least of some numbers.", "number"),
    Entry("math.mininteger", "The least integer."),
    Entry("math.modf(x)", "Gives the whole part and the fraction.", "number"),
    Entry("math.pi", "The ratio of a circle's circumference to its diameter."),
    Entry(
      "math.pow(x, y)",
      "Gives x to the power of y, as Lua 5.2 has it; x ^ y does the same.", "number"),
    Entry("math.rad(x)", "Gives degrees in radians.", "number"),
    Entry(
      "math.random(m?, n?)",
      "Gives a random number from 0 to 1, from 1 to m, or from m to n.", "number"),
    Entry("math.randomseed(x?, y?)", "Seeds the random numbers.", hasSideEffects: true),
    Entry("math.sin(x)", "Gives the sine of radians.", "number"),
    Entry("math.sinh(x)", "Gives the hyperbolic sine, as Lua 5.2 has it.", "number"),
    Entry("math.sqrt(x)", "Gives the square root.", "number"),
    Entry("math.tan(x)", "Gives the tangent of radians.", "number"),
    Entry("math.tanh(x)", "Gives the hyperbolic tangent, as Lua 5.2 has it.", "number"),
    Entry("math.tointeger(x)", "Gives the integer that a number is, or nil.", "integer?"),
    Entry("math.type(x)", "Gives integer, float or nil.", "string?"),
    Entry(
      "math.ult(m, n)",
      "Gives whether an integer is less than another, both without sign.", "boolean"),
    Entry("os", "Times and the system."),
    Entry("os.clock()", "Gives the processor time of the program, in seconds.", "number"),
    Entry(
      "os.date(format?, time?)", "Gives a time as text, or as a table for \"*t\".", "string|table"),
    Entry("os.difftime(t2, t1?)", "Gives the seconds between two times.", "number"),
    Entry("os.execute(command?)", "Runs a command of the shell.", hasSideEffects: true),
    Entry("os.getenv(name)", "Gives a variable of the environment, or nil.", "string?"),
    Entry(
      "os.remove(name)", "Removes a file, or gives nil and why not.", "boolean?",
      hasSideEffects: true),
    Entry(
      "os.rename(old, new)",
      "Renames a file, or gives nil and why not.", "boolean?", hasSideEffects: true),
    Entry(
      "os.time(table?)",
      "Gives the time now, or of the fields of a table, in seconds since 1970.", "integer"),
    Entry("os.tmpname()", "Gives a name for a file of one's own.", "string", hasSideEffects: true),
    Entry("string", "Functions on strings, which are methods as well: (\"a\"):upper()."),
    Entry("string.byte(s, i?, j?)", "Gives the bytes at positions as numbers.", "integer"),
    Entry("string.char(...)", "Gives a string of bytes.", "string"),
    Entry(
      "string.find(s, pattern, init?, plain?)",
      "Gives where a pattern is first found, and its captures.", "integer?"),
    Entry("string.format(format, ...)", "Writes values by a pattern such as \"%5.2f\".", "string"),
    Entry(
      "string.gmatch(s, pattern, init?)",
      "Goes over the places where a pattern is found.", "function"),
    Entry(
      "string.gsub(s, pattern, repl, n?)",
      "Replaces what a pattern finds; gives the text and how many were replaced.", "string"),
    Entry("string.len(s)", "Gives the length in bytes.", "integer"),
    Entry("string.lower(s)", "Gives the text in small letters.", "string"),
    Entry(
      "string.match(s, pattern, init?)",
      "Gives the captures of the first place where a pattern is found, or nil.", "string?"),
    Entry("string.pack(format, ...)", "Packs values into bytes.", "string"),
    Entry("string.packsize(format)", "Gives the number of bytes that a format packs.", "integer"),
    Entry("string.rep(s, n, sep?)", "Repeats a text.", "string"),
    Entry("string.reverse(s)", "Gives the bytes in reverse order.", "string"),
    Entry("string.sub(s, i, j?)", "Gives the part between two positions.", "string"),
    Entry("string.unpack(format, s, pos?)", "Reads packed values.", "any"),
    Entry("string.upper(s)", "Gives the text in capitals.", "string"),
    Entry("table", "Functions on tables."),
    Entry(
      "table.concat(list, sep?, i?, j?)", "Joins the elements of a table into a text.", "string"),
    Entry("table.insert(list, pos?, value)", "Inserts an element, at the end or at a position."),
    Entry("table.move(a1, f, e, t, a2?)", "Copies elements to another place or table.", "table"),
    Entry("table.pack(...)", "Makes a table of its arguments, with their number as n.", "table"),
    Entry(
      "table.remove(list, pos?)", "Removes an element, the last by default, and gives it.", "any"),
    Entry("table.sort(list, comp?)", "Sorts the elements in place."),
    Entry("table.unpack(list, i?, j?)", "Gives the elements as values.", "any"),
    Entry("utf8", "Functions on text in UTF-8."),
    Entry("utf8.char(...)", "Gives the text of code points.", "string"),
    Entry("utf8.charpattern", "The pattern of one character."),
    Entry("utf8.codepoint(s, i?, j?, lax?)", "Gives the code points of characters.", "integer"),
    Entry("utf8.codes(s, lax?)", "Goes over the characters with their positions."),
    Entry(
      "utf8.len(s, i?, j?, lax?)",
      "Gives the number of characters, or nil and where it is no UTF-8.", "integer?"),
    Entry("utf8.offset(s, n, i?)", "Gives the byte at which a character begins.", "integer?"),
  ]
}
