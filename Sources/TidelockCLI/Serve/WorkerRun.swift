#if Web
  import TideBindings
  import TideLua
  import TideScript
  import TideSystem
  import TideWeb

  /// Runs of an app that is served, each in a process of its own, with a wall of its own.
  enum WorkerRun {
    /// What each worker runs.
    static func body(_ file: String, _ options: RunOptions) -> WorkerBody {
      let plan = Plan(file: file, options: options)
      return WorkerBody { channel in
        RunSession(file: plan.file, options: plan.options, isWorker: true).work(for: channel)
      }
    }

    /// What the command line says.
    // Unchecked, because the options were made to be read by one thread; a worker has a copy.
    private struct Plan: @unchecked Sendable {
      let file: String
      let options: RunOptions
    }

    /// Bytes that a worker may have beside what its scripts may take: the interpreter, the views,
    /// the stacks of its threads.
    static let memoryMargin = 256 << 20
    /// Bytes of address space beside that: libraries, and what the engine reserves for objects and
    /// mostly does not use.
    static let spaceMargin = 32 << 30
    /// Files and sockets that a worker may have open.
    static let files = 512
  }

  extension RunSession {
    /// Runs the app of one viewer for the server.
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

    /// Tells operators what a worker has printed, or why it has ended.
    func tell(ofSession session: Int, _ line: String, isFault: Bool) {
      if isFault {
        let error = TideError(.worker, "session \(session): \(line)")
        return reporter.report(error)
      }
      reporter.relay(line, ofSession: session)
    }
  }

  extension TideError.Code {
    /// The process of a private session has ended before its time.
    static let worker = Self("worker", 437)
  }
#endif
