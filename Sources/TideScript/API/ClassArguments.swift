import TideBindings
import TideViews

/// A view class that a path names, and where.
package struct ClassArgument {
  let name: String
  let path: Path
  let location: SourceLocation?
}

extension Runtime {
  /// Records the classes that paths name and that are not declared yet: `@superviewWithClass[x]`.
  func noteClasses(in paths: [Path], at location: SourceLocation?) {
    for path in paths {
      for case .view(let step) in path.steps {
        switch step {
        case .superviewWithClass(let name), .subviewWithClass(let name):
          if isUnknownClass(name) {
            declarations.unknownClasses.append(
              ClassArgument(name: name, path: path, location: location))
          }
        default: break
        }
      }
    }
  }

  private func isUnknownClass(_ name: String) -> Bool {
    viewClasses[name] == nil && views.components[name] == nil
  }

  /// Lists classes that are still unknown, once: such a path never resolves. Beyond a limit, only
  /// their number is listed.
  func listUnknownClasses() {
    if declarations.unknownClasses.isEmpty { return }
    let all = declarations.unknownClasses
    declarations.unknownClasses = []
    let unknown = all.filter { isUnknownClass($0.name) }
    let names = unknown.isEmpty ? [] : viewClassNames
    for argument in unknown.prefix(PendingNames.mostTold) {
      list(
        TideError(
          .unknownView,
          "there is no view class \"\(argument.name.inMessage)\""
            + NearestName.hint(for: argument.name, in: names),
          location: argument.location, path: argument.path.description))
    }
    if let first = unknown.dropFirst(PendingNames.mostTold).first {
      list(
        TideError(
          .unknownView,
          "\(unknown.count - PendingNames.mostTold) more bindings name view classes that there are not",
          location: first.location, path: first.path.description))
    }
  }
}
