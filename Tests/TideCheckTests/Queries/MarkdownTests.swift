import Testing

@testable import TideCheck

@Suite struct `Markdown of scripts and apps` {
  @Test func `code cannot leave its fence`() {
    #expect(Markdown.code("a") == "`a`")
    #expect(Markdown.code("a `b` c") == "``a `b` c``")
    #expect(Markdown.code("`") == "`` ` ``")
    #expect(Markdown.code("a\n\nb") == "`a b`")
    #expect(Markdown.block("a") == "```\na\n```")
    #expect(Markdown.block("```", language: "lua") == "````lua\n```\n````")
  }

  @Test func `pictures are not loaded`() {
    #expect(
      Markdown.harmless("![x](http://example.org/x.png)") == "!\\[x](http://example.org/x.png)")
  }
}
