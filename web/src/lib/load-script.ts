// Scripts from beside a script. What is run says by itself what it brings: a page in a file, a sandboxed one, and one of
// another origin than the script's may run it, and could not import it.

/** Of each file, what `integrity=` takes; the build writes them. */
declare const HASHES: Readonly<Record<string, string>>;
/** Brings those of HASHES that are not there yet, where they come apart. */
declare const MORE_HASHES: (() => Promise<void>) | undefined;
declare const SCRIPT_IS_CHECKED: boolean;
declare const SCRIPT_NONCE: string;

interface Policy { createScriptURL(address: string): string }
interface Vouching { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }
let policy: Policy | undefined;

/** Where a page wants addresses of scripts vouched for: these are all the build's own. */
function vouched(address: string): string {
  try {
    policy ??= (globalThis as Vouching).trustedTypes?.createPolicy('attention-playground', { createScriptURL: (own) => own });
  } catch {
    // The page lists other names, and may want no vouching all the same.
  }
  return policy?.createScriptURL(address) ?? address;
}

/** Runs it once more each time it is asked for. */
export function runScript(address: string, integrity = ''): Promise<void> {
  const script = document.createElement('script');
  if (integrity) Object.assign(script, { integrity, crossOrigin: 'anonymous' });
  script.nonce = SCRIPT_NONCE;
  script.src = vouched(address);
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
  const file = address.pathname.slice(address.pathname.lastIndexOf('/') + 1);
  if (SCRIPT_IS_CHECKED && !HASHES[file]) await MORE_HASHES?.();
  const integrity = SCRIPT_IS_CHECKED && HASHES[file];
  try {
    // An import cannot be told what it has to bring.
    if (integrity) return await runScript(address.href, integrity);
    // A server that sends scripts under another type than theirs keeps them from an import only.
    await (self.origin !== 'null' && origin === self.origin ? import(address.href).catch(() => runScript(address.href)) : runScript(address.href));
  } catch (error) {
    tries.set(href, count + 1);
    throw error;
  }
}
