#if Web
  import TideBindings
  import TideLua
  import TideScript
  import TideSystem
  import TideWeb

  /// Runs of a served app, each in a separate process with its own confinement.
  enum WorkerRun {
    /// The main function of each worker.
    static func body(_ file: String, _ options: RunOptions) -> WorkerBody {
      let plan = Plan(file: file, options: options)
      return WorkerBody { channel in
        RunSession(file: plan.file, options: plan.options, isWorker: true).work(for: channel)
      }
    }

    /// The command line's options.
    // Unchecked, because the options were made for one thread; a worker has its own copy.
    private struct Plan: @unchecked Sendable {
      let file: String
      let options: RunOptions
    }

    /// The memory of a worker in addition to its scripts' limit, in bytes: the interpreter, the
    /// views, and thread stacks.
    static let memoryMargin = 256 << 20
    /// Additional address space in bytes: libraries, and memory that the engine reserves for
    /// objects but mostly does not use.
    static let spaceMargin = 32 << 30
    /// The limit of open files and sockets in a worker.
    static let files = 512
  }

  extension RunSession {
    /// Runs one viewer's app for the server.
    fileprivate func work(for channel: Int32) {
      if isWatching { WorkingFolder.follow() }
      WebWorker.run(channel) { pages, models in
        do { try confine() } catch {
          reporter.report(error)
          throw error
        }
        return try makePrivate(pages, sharing?.shared ?? models)
      }
      sharing?.end()
      wall.tidy()
    }

    private func confine() throws {
      try wall.prepare()
      sharing = try Sharing.make(options.runtime.sharing, of: file)
      let memory = configuration().lua.memory
      let data = memory + WorkerRun.memoryMargin
      WorkerProcess.limitMemory(data: data, space: data + WorkerRun.spaceMargin)
      WorkerProcess.limitFiles(to: WorkerRun.files)
      wall.holdMemory()
      try wall.raise(configuration().logger)
    }

    /// Reports to operators what a worker has printed, or why it has ended.
    func tell(ofSession session: Int, _ line: String, isFault: Bool) {
      if isFault {
        let error = TideError(.worker, "session \(session): \(line)")
        return reporter.report(error)
      }
      reporter.relay(line, ofSession: session)
    }
  }

  extension TideError.Code {
    /// The process of a private session has ended unexpectedly.
    static let worker = Self("worker", 437)
  }
#endif
