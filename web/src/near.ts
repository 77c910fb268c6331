// Nothing is started for a figure that nobody comes near.
export class Near {
  #watch: IntersectionObserver | null = null;

  constructor(private readonly element: Element) {}

  /** Calls once: at once when `eager`, else as soon as the element is within a screen's distance, in focus or printed. */
  wait(eager: boolean, start: () => void): void {
    this.stop();
    if (eager || typeof IntersectionObserver !== 'function') return start();
    const begin = () => {
      this.stop();
      start();
    };
    this.#watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) begin();
    }, { rootMargin: '600px' });
    this.#watch.observe(this.element);
    this.#ends = new AbortController();
    this.element.addEventListener('focusin', begin, { once: true, signal: this.#ends.signal });
    addEventListener('beforeprint', begin, { once: true, signal: this.#ends.signal });
  }

  #ends: AbortController | null = null;

  stop(): void {
    this.#watch?.disconnect();
    this.#watch = null;
    // Without a reason given, the browser makes an error: for its place in the script, V8 reads all of that once more.
    this.#ends?.abort(0);
  }
}
