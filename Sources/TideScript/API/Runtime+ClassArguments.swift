import TideBindings
import TideViews

/// A view class that a path names, and where.
struct ClassArgument {
  let name: String
  let path: Path
  let location: SourceLocation?
}

extension Runtime {
  /// Remembers the classes that paths name and nobody has declared so far: `@superviewWithClass[x]`.
  func noteClasses(in paths: [Path], at location: SourceLocation?) {
    for path in paths {
      for case .view(let step) in path.steps {
        switch step {
        case .superviewWithClass(let name), .subviewWithClass(let name):
          if viewClasses[name] == nil {
            unknownClasses.append(ClassArgument(name: name, path: path, location: location))
          }
        default: break
        }
      }
    }
  }

  /// Lists those that are still unknown, once: such a path never leads anywhere.
  func listUnknownClasses() {
    if unknownClasses.isEmpty { return }
    let all = unknownClasses
    unknownClasses = []
    for argument in all where viewClasses[argument.name] == nil {
      list(
        TideError(
          .unknownView,
          "there is no view class \"\(argument.name)\""
            + NearestName.hint(for: argument.name, in: viewClasses.names),
          location: argument.location, path: argument.path.description))
    }
  }
}
