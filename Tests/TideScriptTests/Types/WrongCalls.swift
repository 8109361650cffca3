import TideBindings

/// Something that a script does wrongly, and what the error about it has to name.
struct WrongCall: CustomStringConvertible {
  var code: String
  /// Words of which the message has all.
  var names: [String]
  /// The name that was misspelt, which the message gives where it is long enough to be recognized.
  var meant: String?
  /// What is permitted is found by this: the function or class, and the argument, option or
  /// property.
  var key: String
  /// The kind of the value that is of a wrong type.
  var kind: LuaKind?

  var description: String { code }
}

/// Makes every wrong call that the definitions of the API tell of: an argument or an option of each
/// wrong type, every option misspelt, one argument too many.
struct WrongCalls {
  let grammar: APIGrammar

  /// A function or a method, and how it is called with some arguments.
  struct Callee {
    let function: APIGrammar.Function
    /// Up to the parenthesis: `trigger.change`, or `L():append`.
    let text: String
    /// As errors and `permitted` name it.
    let label: String

    var name: String { String(function.name.split(separator: ".").last ?? "") }
  }

  private typealias Parameter = APIGrammar.Parameter

  // MARK: Functions

  func calls(of callee: Callee) -> [WrongCall] {
    let forms = [callee.function.signature] + callee.function.overloads
    return forms.enumerated().flatMap { number, form in
      var calls: [WrongCall] = []
      for index in form.indices where form[index].name != "..." {
        calls += wrongArguments(index, of: form, forms, callee)
        calls += wrongOptions(index, of: form, callee)
      }
      if form.last?.name != "..." {
        calls += tooMany(form, forms, callee)
      }
      return calls
    }
  }

  /// A call with right arguments, which is to work.
  func rightCalls(of callee: Callee) -> [String] {
    let forms = [callee.function.signature] + callee.function.overloads
    return forms.map { form in
      let values = form.filter { $0.name != "..." }.map { sample($0, in: form) }
      return "\(callee.text)(\(values.joined(separator: ", ")))"
    }
  }

  private func type(_ parameter: Parameter) -> LuaType { LuaType(parameter.type, in: grammar) }

  private func sample(_ parameter: Parameter) -> String {
    type(parameter).sample(for: parameter.name)
  }

  /// The same where what an argument has to be depends on the others.
  private func sample(_ parameter: Parameter, in form: [Parameter]) -> String {
    let names = form.map(\.name)
    if parameter.name == "expression", names.contains("left") { return "\"n -> n\"" }
    if parameter.name == "options", names.contains("sources") { return "{ format = \"%s %s\" }" }
    if names.contains("sources"), names.contains("left") {
      if parameter.name == "sources" { return "{ \"n\", \"n\" }" }
      if parameter.name == "target" { return "\"name\"" }
    }
    return sample(parameter)
  }

  /// The arguments of a call, of which one may be another.
  private func arguments(
    _ form: [Parameter], _ index: Int? = nil, _ other: String = "", and more: [String] = []
  ) -> String {
    let needed = form.lastIndex { !$0.isOptional && $0.name != "..." } ?? -1
    let last = more.isEmpty ? max(needed, index ?? needed) : form.count - 1
    let values = (0..<max(0, last + 1)).map { $0 == index ? other : sample(form[$0], in: form) }
    return (values + more).joined(separator: ", ")
  }

  private func wrongArguments(
    _ index: Int, of form: [Parameter], _ forms: [[Parameter]], _ callee: Callee
  ) -> [WrongCall] {
    let parameter = form[index]
    guard let right = type(parameter).kinds else { return [] }
    let name = parameter.name
    return LuaKind.allCases.compactMap { kind in
      if right.contains(kind) || (kind == .nil && parameter.isOptional) { return nil }
      // Another form may take just that.
      let needed = form.lastIndex { !$0.isOptional && $0.name != "..." } ?? -1
      let kinds = (0...max(needed, index)).map { $0 == index ? [kind] : type(form[$0]).kinds }
      if forms.contains(where: { accepts(kinds, $0) }) { return nil }
      // Of a word that is none of those it may be, the message says which it is.
      let isWord = kind == .text && type(parameter).hasWords
      return WrongCall(
        code: "\(callee.text)(\(arguments(form, index, kind.sample)))",
        names: [isWord ? "wrong word" : callee.name], key: "\(callee.label) \(name)", kind: kind)
    }
  }

  /// Whether a form takes arguments of these kinds, where nil stands for any.
  private func accepts(_ kinds: [Set<LuaKind>?], _ form: [Parameter]) -> Bool {
    var kinds = kinds
    // What is nil at the end is left out.
    while kinds.last == [.nil] { kinds.removeLast() }
    if kinds.count > form.count && form.last?.name != "..." { return false }
    for (index, parameter) in form.enumerated() where parameter.name != "..." {
      guard index < kinds.count else {
        if parameter.isOptional { continue }
        return false
      }
      // One of some words is as good as any other here.
      guard let given = kinds[index], !given.isEmpty, let right = type(parameter).kinds else {
        continue
      }
      if given == [.nil] && parameter.isOptional { continue }
      if given.isDisjoint(with: right) { return false }
    }
    return true
  }

  private func tooMany(
    _ form: [Parameter], _ forms: [[Parameter]], _ callee: Callee
  ) -> [WrongCall] {
    let kinds = form.map { type($0).kinds } + [[.thread]]
    if forms.contains(where: { accepts(kinds, $0) }) { return [] }
    let code = "\(callee.text)(\(arguments(form, and: [LuaKind.thread.sample])))"
    // Of the longest form it is an argument that there is not, of others one of a wrong type.
    let isLongest = !forms.contains { $0.count > form.count }
    let names = [callee.name] + (isLongest ? ["#\(form.count + 1)"] : [])
    return [WrongCall(code: code, names: names, key: callee.label)]
  }

  // MARK: Members

  /// Every member of a class misspelt, read of what a piece of code makes and written.
  func members(of name: String, _ receiver: String) -> [WrongCall] {
    let fields = grammar.fields(of: name).map(\.name)
    let own = (grammar.classes[name]?.fields ?? []).map(\.name)
    let methods = (grammar.classes[name]?.methods ?? []).map(\.name)
    let known = Set(fields + grammar.methods(of: name).map(\.name))
    var calls: [WrongCall] = []
    for member in own + methods {
      let wrong = Self.misspelling(of: member, not: known)
      var call = WrongCall(
        code: "local c = \(receiver); return c.\(wrong)", names: ["\"\(wrong)\""], meant: member,
        key: "\(name) \(member)")
      calls.append(call)
      call.code = "local c = \(receiver); c.\(wrong) = 1"
      // What nothing can be assigned to has no nearest name either.
      call.meant = nil
      calls.append(call)
    }
    return calls
  }

  // MARK: Options

  private func wrongOptions(
    _ index: Int, of form: [Parameter], _ callee: Callee
  ) -> [WrongCall] {
    let type = type(form[index])
    var fields = type.writtenFields
    if let record = type.record {
      fields += grammar.fields(of: record).map { Parameter(name: $0.name, type: $0.type) }
    }
    let needed = fields.filter { field in
      type.record.map { grammar.classes[$0]?.required.contains(field.name) == true }
        ?? !field.isOptional
    }
    func call(_ name: String, _ value: String) -> String {
      let others = needed.filter { $0.name != name }.map { "\($0.name) = \(sample($0)), " }.joined()
      return
        "\(callee.text)(\(arguments(form, index, "{ \(others)\(name) = \(value) }")))"
    }
    let known = Set(fields.map(\.name))
    var calls: [WrongCall] = []
    for field in fields {
      let key = "\(callee.label) \(field.name)"
      let wrong = Self.misspelling(of: field.name, not: known)
      calls.append(
        WrongCall(
          code: call(wrong, sample(field)), names: [callee.optionsOwner, "\"\(wrong)\""],
          meant: field.name, key: key))
      guard let right = self.type(field).kinds else { continue }
      for kind in LuaKind.allCases where kind != .nil && !right.contains(kind) {
        calls.append(
          WrongCall(
            code: call(field.name, kind.sample), names: [callee.optionsOwner, field.name],
            key: key, kind: kind))
      }
    }
    return calls
  }

  /// A name as a person might mistype it: two letters swapped, or where that changes nothing one
  /// letter too many.
  static func misspelling(of name: String, not known: Set<String> = []) -> String {
    var letters = Array(name)
    for index in stride(from: letters.count / 2, to: letters.count - 1, by: 1)
    where letters[index] != letters[index + 1] {
      letters.swapAt(index, index + 1)
      let made = String(letters)
      if !known.contains(made) { return made }
      letters.swapAt(index, index + 1)
    }
    return name + "x"
  }
}

extension WrongCalls.Callee {
  /// Who the options belong to, in messages: `binding` takes those of `bind`.
  fileprivate var optionsOwner: String {
    switch name {
    case "binding": "bind"
    case "begin": "context"
    default: name
    }
  }
}
