/** Runs a script from an address: where a page may import nothing, since it has no origin, it may still do that. */
export function runScript(address: string): Promise<void> {
  const script = document.createElement('script');
  script.src = address;
  return new Promise((resolve, reject) => {
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(address));
    document.head.append(script);
  });
}
