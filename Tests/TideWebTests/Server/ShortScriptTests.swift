import Testing

@testable import TideWeb

@Suite struct ShortScriptTests {
  private func short(_ script: String) -> String {
    String(decoding: ShortScript.make(Array(script.utf8)), as: UTF8.self)
  }

  @Test func `comments and the space of people go`() {
    #expect(
      short(
        """
        // Moves it.
        function move(view, by) {
          if (by > 0) { // to the right
            view.left += by * 2;
          }

          return [view, by]
        }
        """) == """
          function move(view,by){if(by>0){view.left +=by*2;}
          return[view,by]
          }
          """)
  }

  @Test(arguments: [
    #"a = "x , y // no comment";"#, #"a = 'x , y';"#, "a = `x , ${y} : z\n  w`;", #"a = "\" , ";"#,
    "a = /x , \\/ y/u;", "a - -b + +c", "const a = 1\nconst b = 2", "return /x/", "a = b / c / d",
    "",
    "a = \"x", "a = /x",
  ])
  func `what has a meaning stays`(script: String) {
    #expect(short(script).filter { $0 != " " } == script.filter { $0 != " " })
    for text in ["x , y", "x , ${y} : z\n  w", "x , \\/ y", "- -b + +c", "return /"]
    where script.contains(text) {
      #expect(short(script).contains(text))
    }
  }
}
