// For pages that hold figures in iframes: each frame whose page tells its height (embed.html?resize) gets it.
// A frame is known by its window, so no frame can speak for another, and nobody else for any.
const MOST = 20_000;

addEventListener('message', ({ source, data }) => {
  const { type, height } = Object(data) as { type?: unknown; height?: unknown };
  if (!source || type !== 'attention-playground:resize' || typeof height !== 'number' || !(height > 0)) return;
  for (const frame of document.querySelectorAll('iframe')) {
    if (frame.contentWindow === source) frame.style.height = `${Math.min(Math.ceil(height), MOST)}px`;
  }
});
