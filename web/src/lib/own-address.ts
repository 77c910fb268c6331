// Addresses on a page that shows what strangers ask for: such a page leads to, and loads from, its own site alone.

/** Whether an address is of the same site as `base`. Files and frames that are shut in have no origin to compare by. */
export function isOwnAddress(value: string, base: string): boolean {
  try {
    const [there, here] = [new URL(value, base), new URL(base)];
    return there.protocol === here.protocol && there.host === here.host;
  } catch {
    return false;
  }
}
