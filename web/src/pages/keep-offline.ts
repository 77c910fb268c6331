// Asks the browser to keep the page for use without a network, and says so once it is kept. Only for the page itself:
// an element in somebody else's page keeps nothing.
import { msg } from '@lit/localize';

/** Where a page is worked on, and every build is to be seen at once. */
const AT_HOME = ['localhost', '127.0.0.1', '[::1]'];

/** Once `first` has sent `event`: nothing is in a hurry then. Not where the reader saves data, or the browser cannot. */
export function keepOffline(line: HTMLElement | null, first: EventTarget, event: string): void {
  const saving = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
  if (!('serviceWorker' in navigator) || AT_HOME.includes(location.hostname) || saving) return;
  const say = () => {
    if (!line) return;
    line.textContent = msg('Kept on this device: this page opens and works without a network. Your browser can install it as an app, too.');
    line.hidden = false;
  };
  void navigator.serviceWorker.ready.then(() => {
    say();
    addEventListener('lit-localize-status', say);
  });
  first.addEventListener(event, () => {
    const later = typeof requestIdleCallback === 'function' ? requestIdleCallback : (act: () => void) => setTimeout(act, 1000);
    // Refused where storage is forbidden: the page then works as before.
    later(() => void navigator.serviceWorker.register('service-worker.js', { updateViaCache: 'none' }).catch(() => {}));
  }, { once: true });
}
