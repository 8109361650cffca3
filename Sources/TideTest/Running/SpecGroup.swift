/// Files that run one after another in one runtime: mostly a single file.
struct SpecGroup: Sendable {
  var files: [SpecFile]
  /// Where the numbers of its nodes begin, so that no two groups have the same.
  var firstID: Int

  /// Each file by itself, but those that expose something to each other, and all where files are not
  /// insulated. A group runs where its first file stands.
  static func groups(of files: [SpecFile], _ options: TestOptions) -> [SpecGroup] {
    var groups: [SpecGroup] = []
    var shared: Int?
    for file in files {
      let isShared = file.isExposing || !options.insulatesFiles
      if isShared, let shared {
        groups[shared].files.append(file)
        continue
      }
      if isShared { shared = groups.count }
      groups.append(SpecGroup(files: [file], firstID: (groups.count + 1) << 24))
    }
    return groups
  }

  /// Runs the files on the calling thread; says whether nothing more is to be run.
  func run(
    _ options: TestOptions, wantsTraces: Bool, seed: Int, _ emit: @escaping (SpecEvent) -> Void
  ) -> Bool {
    guard let first = files.first else { return false }
    do {
      let runner = try SpecRunner(
        options, file: first.name, wantsTraces: wantsTraces, firstID: firstID, seed: seed,
        emit: emit)
      runner.run(files)
      return runner.isStopped
    } catch {
      let node = SpecNode(
        id: firstID, descriptor: "file", name: first.name, fullName: first.name)
      emit(.problem(node, SpecProblem(first.name, error)))
      return !options.keepsGoing
    }
  }
}
