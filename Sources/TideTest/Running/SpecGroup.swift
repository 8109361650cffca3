/// Files that run one after another in one runtime; usually a single file.
struct SpecGroup: Sendable {
  /// The files with their indexes in the whole run.
  var files: [(index: Int, file: SpecFile)]
  /// The first identifier of its nodes, so that identifiers are unique across groups.
  var firstID: Int

  /// One group per file. Files that expose globals share one group, and so do all files if they are
  /// not insulated.
  static func groups(of files: [SpecFile], _ options: TestOptions) -> [SpecGroup] {
    var groups: [SpecGroup] = []
    var shared: Int?
    for (index, file) in files.enumerated() {
      let isShared = file.isExposing || !options.insulatesFiles
      if isShared, let shared {
        groups[shared].files.append((index, file))
        continue
      }
      if isShared { shared = groups.count }
      groups.append(SpecGroup(files: [(index, file)], firstID: (groups.count + 1) << 24))
    }
    return groups
  }
}

/// Runs a group's files on the calling thread.
final class SpecGroupRun {
  typealias Emit = (_ index: Int, _ event: SpecEvent) -> Void

  private let group: SpecGroup
  private let options: TestOptions
  private let wantsTraces: Bool
  private let seed: Int
  private let emit: Emit
  private var next = 0
  private var runner: SpecRunner?
  private(set) var isStopped = false

  init(
    _ group: SpecGroup, _ options: TestOptions, wantsTraces: Bool, seed: Int,
    emit: @escaping Emit
  ) {
    self.group = group
    self.options = options
    self.wantsTraces = wantsTraces
    self.seed = seed
    self.emit = emit
  }

  /// Runs the next file, and the final hooks after the last one.
  func runNext() {
    guard next < group.files.count else { return }
    let (index, file) = group.files[next]
    next += 1
    if options.stop?.isRequested == true {
      isStopped = true
      return
    }
    do {
      let runner = try self.runner ?? makeRunner(file)
      self.runner = runner
      runner.run(file)
      let last = try resume(file, runner)
      if next == group.files.count { last.finish() }
      isStopped = last.isStopped
    } catch {
      let node = SpecNode(
        id: group.firstID, descriptor: "file", name: file.name, fullName: file.name)
      emit(index, .problem(node, SpecProblem(file.name, error)))
      isStopped = !options.keepsGoing
    }
    if next == group.files.count { runner = nil }
  }

  /// Resumes a file in new interpreters until it is complete, and returns the last one. An
  /// interpreter may have been closed to stop a test.
  private func resume(_ file: SpecFile, _ first: SpecRunner) throws -> SpecRunner {
    var runner = first
    while let position = runner.closedAt {
      let isToBeResumed = runner.isToBeResumed
      if !isToBeResumed && (runner.isStopped || next == group.files.count) { break }
      runner = try makeRunner(file, firstID: runner.lastID + 1)
      self.runner = runner
      if !isToBeResumed { break }
      runner.run(file, after: position)
    }
    return runner
  }

  private func makeRunner(_ file: SpecFile, firstID: Int? = nil) throws -> SpecRunner {
    try SpecRunner(
      options, file: file.name, wantsTraces: wantsTraces, firstID: firstID ?? group.firstID,
      seed: seed
    ) { [unowned self] event in
      emit(group.files[max(0, next - 1)].index, event)
    }
  }
}
