// Scripts from beside a script. What is run says by itself what it brings: a page in a file, a sandboxed one, and one of
// another origin than the script's may run it, and could not import it.

/** Runs it once more each time it is asked for. */
export function runScript(address: string): Promise<void> {
  const script = document.createElement('script');
  script.src = address;
  return new Promise((resolve, reject) => {
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(address));
    document.head.append(script);
  });
}

const tries = new Map<string, number>();

/** The same by an import where that is allowed, which stricter policies like better. Another try may succeed. */
export async function bringScript(address: URL): Promise<void> {
  const { href, origin } = address;
  const count = tries.get(href) ?? 0;
  // A browser remembers that a module could not be loaded: another try needs another address.
  if (count > 0) address.searchParams.set('try', String(count));
  try {
    // A server that sends scripts under another type than theirs keeps them from an import only.
    await (self.origin !== 'null' && origin === self.origin ? import(address.href).catch(() => runScript(address.href)) : runScript(address.href));
  } catch (error) {
    tries.set(href, count + 1);
    throw error;
  }
}
