#if Web
  import TideBindings
  import TideREPL
  import TideReload
  import TideRun
  import TideScript
  import TideViews
  import TideWeb

  /// One viewer's private instance of a served app, on a separate thread.
  enum PrivateRun {
    /// Creates a viewer's app when the viewer connects.
    ///
    /// - Parameters:
    ///   - shared: the engine for shared models; nil to share them among these apps only.
    ///   - inspected: registers the apps for inspectors; nil without inspectors.
    static func maker(
      _ file: String, _ options: RunOptions, _ shared: (any SharingEngine)?,
      _ inspected: InspectedSessions?
    ) -> PrivateApp.Maker {
      let plan = Plan(
        file: file, options: options, shared: shared ?? SharedModels(), inspected: inspected)
      return { pages in
        let session = RunSession(file: plan.file, options: plan.options)
        session.inspectedSessions = plan.inspected
        return try session.makePrivate(pages, plan.shared)
      }
    }

    /// The command line's options.
    // Unchecked, because the options were made for one thread; they are no longer modified.
    private struct Plan: @unchecked Sendable {
      let file: String
      let options: RunOptions
      let shared: any SharingEngine
      let inspected: InspectedSessions?
    }
  }

  extension RunSession {
    /// Creates the app according to the options. Its settings are read but not saved, because other
    /// people use the same app at the same time.
    func makePrivate(
      _ pages: WebRenderer, _ shared: any SharingEngine
    ) throws -> PrivateApp {
      var configuration = configuration()
      configuration.keepsSettings = false
      configuration.standardInput = nil
      configuration.shared = shared
      let runtime = try Runtime(file: file, configuration: configuration)
      let reloader = Reloader(runtime)
      follow(runtime, reloader, pages)
      // Called before loading, because the main script can read the owner from `viewer`.
      pages.follow(runtime)
      // Started before reading files, so that no save is missed.
      if isWatching { reloader.start() }
      if let failure = try loadPrivate(runtime) {
        reporter.report(failure)
        show(failure, pages)
      } else {
        applyAssignments(to: runtime)
      }
      if isWatching { reloader.start() }
      let entry = inspectedSessions?.add(runtime, of: runtime.viewer.name)
      inspected = entry?.app
      // The private app retains this session as long as it runs.
      return PrivateApp(
        runtime,
        finish: { [self] in
          if let entry { inspectedSessions?.remove(entry.title) }
          reloader.stop()
          runtime.finishSharing(within: 0)
        })
    }

    /// Loads the script. Returns its error if a save may fix it.
    private func loadPrivate(_ runtime: Runtime) throws -> TideError? {
      do {
        try runtime.load()
        return nil
      } catch {
        if isWatching, ExitStatus(loading: error) == .scriptError, let failure = error as? TideError
        {
          return failure
        }
        reporter.report(error)
        throw error
      }
    }
  }

  extension WebRenderer: PageDisplay {
    var pages: any InteractiveRenderer { self }
  }
#endif
