import TideCheck
import TideScript
import TideTest

/// The files of a new app.
struct StarterApp {
  let name: String
  /// The template; nil for a counter.
  var template: AppTemplate?

  /// File names relative to the app's folder, with contents; excludes the type definitions, which
  /// are generated from these files.
  func files() throws -> [(name: String, text: String)] {
    (template?.files ?? [("app.lua", counter), ("spec/app_spec.lua", counterSpec)]) + [
      (".luarc.json", editor), (".luacheckrc", try linter()), (".busted", busted),
      ("README.md", readme),
    ] + EditorFiles.settings(app: name)
  }

  /// The main script, relative to the app's folder.
  var main: String { template?.main ?? "app.lua" }

  /// The spec, relative to the app's folder.
  var spec: String { template?.spec ?? "spec/app_spec.lua" }

  /// The folder of the spec.
  private var specFolder: String {
    spec.split(separator: "/").dropLast().joined(separator: "/")
  }

  /// The type definitions for editors, from an app's existing files.
  static func types(of folder: String) throws -> (name: String, text: String) {
    (".tidelock/types.lua", try TypeDefinitions(app: [folder], specs: .tidelock).text)
  }

  private var counter: String {
    """
    -- \(name): run it with `tidelock run app.lua`, and edit it while it runs.

    -- What the app knows. A model keeps its values when this file is saved.
    local counter = model "counter" {
      name = "",
      count = property { default = 0, type = "integer", validate = function(_, count)
        if count < 0 then return nil, "A count is never negative." end
        return count
      end },
      press = function(self) self.count = self.count + 1 end,
    }

    -- A word after | in a binding.
    transformer("greeting", function(name)
      return name == "" and "Hello!" or "Hello, " .. name .. "!"
    end)

    -- What it looks like, and what each view is bound to.
    return view.column { padding = 1, spacing = 1,
      view.label { id = "greeting", bold = true, bindTo = { text = "counter.name | greeting" } },
      view.field { id = "name", placeholder = "Your name", bindTo = { text = "<> counter.name" } },
      view.label { id = "presses", bindTo = { text = "counter.count | plural(press, presses)" } },
      view.row { spacing = 1,
        view.button { id = "press", title = "Press", on = {
          touchUpInside = function() counter:press() end,
        } },
        view.button { id = "reset", title = "Start again",
          bindTo = { enabled = "counter.count | equals(0) | not" },
          on = { touchUpInside = function() counter.count = 0 end },
        },
      },
    }

    """
  }

  private var counterSpec: String {
    """
    describe("\(name)", function()
      before_each(function()
        ui.mount("app.lua")
        models.counter.name = ""
        models.counter.count = 0
      end)

      it("greets by name", function()
        assert.equals("Hello!", views.greeting.text)
        ui.type(views.name, "Ada")
        assert.equals("Ada", models.counter.name)
        assert.equals("Hello, Ada!", views.greeting.text)
      end)

      it("counts presses", function()
        ui.tap(views.press)
        assert.equals("1 press", views.presses.text)
        ui.tap(views.press)
        assert.equals("2 presses", views.presses.text)
      end)

      it("starts again", function()
        assert.is_false(views.reset.enabled)
        ui.tap(views.press)
        assert.is_true(views.reset.enabled)
        ui.tap(views.reset)
        assert.equals(0, models.counter.count)
      end)

      it("never counts below 0", function()
        assert.has_error(function() models.counter.count = -1 end)
        assert.equals(0, models.counter.count)
      end)
    end)

    """
  }

  private var editor: String {
    """
    {
      "runtime.version": "Lua 5.4",
      "workspace.library": [".tidelock"],
      "workspace.checkThirdParty": false,
      "diagnostics.globals": []
    }

    """
  }

  private func linter() throws -> String {
    // These tables are written to, which luacheck's option for read-only globals does not allow.
    let open = ["hot", "models", "views"]
    let names = try TypeDefinitions.globalNames().filter { !open.contains($0) }.map { "\"\($0)\"" }
    var lines = [""]
    for name in names {
      if lines[lines.count - 1].count + name.count > 90 { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + name + ","
    }
    return """
      -- For luacheck. `tidelock check` and editors also read what `globals` and `read_globals` list:
      -- add what a program that runs these scripts gives them.
      std = "lua54"
      globals = { \(open.map { "\"\($0)\"" }.joined(separator: ", ")) }
      read_globals = {
      \(lines.map { "  " + $0 }.joined(separator: "\n"))
      }
      files["\(specFolder)"] = {
        std = "+busted", read_globals = { "ui", "clock", "forall", "gen" },
      }
      exclude_files = { ".tidelock" }

      """
  }

  private var busted: String {
    """
    -- Flags of `tidelock test`, as busted reads them.
    return {
      default = { ROOT = { "\(specFolder)" } },
    }

    """
  }

  private var readme: String {
    """
    # \(name)

    An app of Tidelock: models, views and bindings in Lua.

    - `tidelock run \(main)` runs it; save `\(main)` meanwhile, and see.
    - `tidelock test` runs the specs in `\(specFolder)`, `tidelock check` finds mistakes without running.
    - `tidelock repl \(main)` is a prompt inside it.

    `.luarc.json` tells lua-language-server of the API in `.tidelock/types.lua`, which `tidelock types . > .tidelock/types.lua` writes anew; `.luacheckrc` tells luacheck. `.helix`, `.dir-locals.el` and `.kateproject` start `tidelock lsp` in Helix, Emacs and Kate; `tidelock new --editor nvim` and `--editor code` set Neovim and VS Code up.

    """
  }
}
