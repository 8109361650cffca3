import TideBindings
import TideLua
import TideScript
import TideViews

// Completes a string that is being typed. The candidates depend on the parameter that the string is
// passed to, the table that it indexes, or the view's property that it is assigned to.
extension Session {
  func completion(ofOpenString code: CodeBeforeCaret) -> Completion {
    let string = code.tokens.count - 1
    let start = code.text.utf8.index(after: code.start(of: string))
    let inner = code.text[start...]
    if code.word(string - 1) == "[", let base = code.expression(endingAt: string - 2) {
      guard let value = known(base) else { return nothing(in: code.text) }
      let keys = members(of: value, beginning: inner).first ?? []
      return complete(inner, in: code.text, from: keys.map { TransformCall.quoted($0).unquoted })
    }
    if let found = completion(ofArgument: code, string, inner) { return found }
    if let names = cases(code, string) { return complete(inner, in: code.text, from: names) }
    return completion(ofPath: inner, in: code.text)
  }

  // MARK: Arguments

  /// Completes a string argument; nil if the parameter accepts any string.
  private func completion(
    ofArgument code: CodeBeforeCaret, _ string: Int, _ inner: Substring
  ) -> Completion? {
    guard let argument = code.argument(at: string) else { return nil }
    if argument.method == nil, argument.callee.path == "require", argument.index == 0 {
      let modules = ModuleNames.requirable(in: runtime)
      return complete(inner, in: code.text, from: modules.own + modules.libraries)
    }
    guard let type = parameter(of: argument)?.type else { return nil }
    let parts = types.alternatives(of: type, keepsRoles: true)
    let owner =
      argument.method != nil ? argument.callee : argument.index == 1 ? argument.first : nil
    if let role = parts.lazy.compactMap({ self.types.role(of: $0) }).first {
      return completion(of: role, inner, of: owner.flatMap { known($0) }, in: code.text)
    }
    var names = parts.filter { $0.hasPrefix("\"") }.map { String($0.dropFirst().dropLast()) }
    if parts.contains("tidelock.TransformerName") { names += runtime.transformers.names }
    if parts.contains("tidelock.StyleName") { names += StyleName.allCases.map(\.rawValue) }
    return names.isEmpty ? nil : complete(inner, in: code.text, from: names)
  }

  /// Completes a name by its role.
  ///
  /// - Parameter owner: the value that the name belongs to.
  private func completion(
    of role: NameRole, _ inner: Substring, of owner: KnownValue?, in text: String
  ) -> Completion? {
    var object: DataObject?
    if case .value(let value)? = owner { object = value.object?.dataObject }
    switch role {
    case .eventName: return complete(inner, in: text, from: events(of: owner))
    case .className:
      return complete(inner, in: text, from: ClassDescription.names(in: runtime))
    case .viewClassName: return complete(inner, in: text, from: runtime.viewClassNames)
    case .methodName:
      return complete(
        inner, in: text, from: owner.map { methods(of: $0, beginning: inner) } ?? [])
    case .objectPath:
      return object.map { completion(ofSteps: inner, from: $0, in: text) } ?? nothing(in: text)
    case .rowPath:
      guard case .object(let row as DataObject)? = (object as? ValueList)?.trackedElement(at: 0)
      else { return nothing(in: text) }
      let path = inner.hasPrefix("-") ? inner.dropFirst() : inner
      return completion(ofSteps: path, from: row, in: text)
    case .rootPath, .sourcePath: return completion(ofPath: inner, in: text)
    case .contextName:
      // Contexts of objects are also registered under a key with their owner. They are omitted.
      let named = runtime.contexts.named.filter { $0.key == $0.value.name }
      return complete(inner, in: text, from: named.keys.sorted())
    case .viewPropertyName, .modelOrContextName: return nil
    // Names in specs, which the prompt does not run.
    case .viewID, .screenSize, .appFile, .keys, .heldKeys, .reversibleTransformers: return nil
    }
  }

  private func parameter(of argument: CodeBeforeCaret.Argument) -> APITypes.Parameter? {
    let signatures: [APITypes.Signature]
    if let method = argument.method {
      let owner = known(argument.callee).flatMap { typeName(of: $0) }
      signatures = owner.flatMap { types.classes[$0]?.methods[method] }.map { [$0] } ?? []
    } else {
      signatures = argument.callee.path.flatMap { types.functions[$0] } ?? []
    }
    return signatures.lazy.map(\.parameters).first { $0.indices.contains(argument.index) }
      .map { $0[argument.index] }
  }

  /// The events of a view, or of all view classes if the view is unknown.
  private func events(of owner: KnownValue?) -> [String] {
    switch owner {
    case .view(let viewClass): return viewClass.events
    case .value(let value):
      if let view = value.object?.dataObject as? View { return view.viewClass.events }
      if value.object?.dataObject != nil { return Runtime.appEvents }
    default: break
    }
    return Array(
      Set(runtime.viewClassNames.flatMap { (try? runtime.viewClass(named: $0))?.events ?? [] }))
  }

  // MARK: Paths

  /// Completes the last path in a binding string, or a transformer after `|`.
  func completion(ofPath inner: Substring, in text: String) -> Completion {
    let separators = "<>-&~! \t|,()"
    let start = inner.lastIndex { separators.contains($0) }.map { inner.index(after: $0) }
    let path = inner[(start ?? inner.startIndex)...]
    let before = inner[..<path.startIndex].reversed().drop(while: \.isWhitespace)
    if before.first == "|" {
      return complete(path, in: text, from: runtime.transformers.names)
    }
    guard let dot = path.firstIndex(of: ".") else {
      return complete(path, in: text, from: rootNames)
    }
    guard let object = object(named: String(path[..<dot])) else { return nothing(in: text) }
    return completion(ofSteps: path[path.index(after: dot)...], from: object, in: text)
  }

  /// Completes the last step of a path that starts at an object.
  private func completion(
    ofSteps path: Substring, from root: DataObject, in text: String
  ) -> Completion {
    var steps = path.split(separator: ".", omittingEmptySubsequences: false)
    guard let word = steps.popLast() else { return nothing(in: text) }
    var object = root
    for step in steps {
      guard let index = object.shape.index(of: String(step)),
        object.shape.propertiesByIndex[index].derive == nil,
        case .object(let next as DataObject) = object[String(step)]
      else { return nothing(in: text) }
      object = next
    }
    return complete(word, in: text, from: object.shape.properties.map(\.name))
  }
}

extension String {
  fileprivate var unquoted: String { String(dropFirst().dropLast()) }
}
