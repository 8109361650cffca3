extension PreviewPage {
  static let html = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <title>Preview</title>
    <style>
      body { margin: 0; background: #16181d; color: #d7dae0; font: 14px system-ui, sans-serif; }
      #stage { position: relative; display: inline-block; margin: 16px; }
      #stage img { display: block; }
      #mark { position: absolute; border: 1px solid #e5c07b; pointer-events: none; }
      #message { margin: 16px; color: #e06c75; white-space: pre-wrap; }
    </style>
    <div id="message" role="status"></div>
    <div id="stage"><img id="picture" alt="the app's view"><div id="mark" hidden></div></div>
    <script src="page.js"></script>
    </html>
    """

  /// Polls for the picture, and shows it as an image, so that it cannot run scripts.
  static let script = """
    const uri = location.search.slice(1);
    const picture = document.getElementById("picture");
    const message = document.getElementById("message");
    const mark = document.getElementById("mark");
    let number = -1;
    let views = [];

    async function renew() {
      try {
        const answer = await (await fetch("picture?" + uri)).json();
        if (answer.picture && answer.number !== number) {
          number = answer.number;
          show(answer.picture);
        }
      } catch {
        message.textContent = "The editor has gone.";
      }
      setTimeout(renew, document.hidden ? 1000 : 150);
    }

    function show(found) {
      message.textContent = found.message || "";
      views = found.views || [];
      if (found.svg) picture.src = "data:image/svg+xml," + encodeURIComponent(found.svg);
      const current = views[found.current];
      mark.hidden = !current;
      if (!current) return;
      mark.style.left = current.x + "px";
      mark.style.top = current.y + "px";
      mark.style.width = current.width + "px";
      mark.style.height = current.height + "px";
    }

    picture.addEventListener("click", event => {
      const area = picture.getBoundingClientRect();
      const x = (event.clientX - area.left) * picture.naturalWidth / area.width;
      const y = (event.clientY - area.top) * picture.naturalHeight / area.height;
      // Nested views come after their containers.
      const hit = views.findLast(view =>
        x >= view.x && x < view.x + view.width && y >= view.y && y < view.y + view.height);
      if (!hit) return;
      const query = encodeURIComponent(hit.uri) + "&" + hit.line;
      fetch("click?" + query, { method: "POST" });
    });

    renew();
    """
}
