// Which line of a text is kept for the test.

/** The last sentence is kept for the test; of a text of one sentence, the last words. */
export function splitText(text: string): { text: string; heldOut: string } {
  const own = text.trim();
  const sentences = own.match(/[^.!?。！？]+[.!?。！？]*\s*/g) ?? [own];
  const last = sentences.length > 1 ? (sentences.at(-1) ?? '').trim() : own.split(/\s+/).slice(-4).join(' ');
  return { text: own.slice(0, own.length - last.length).trim(), heldOut: last };
}
