// What is learnt by heart where the reader has given no text; and which line of a text is kept for the test.

export const TALE = `Once upon a time there was a little girl who lived in a small house at the edge of the dark wood, and every morning she went out to gather berries for her mother. One day she met an old wolf who was sitting by the well. He asked her where she was going, and she told him that she had to bring bread and butter to her grandmother, who was ill and lived on the other side of the hill. The wolf thought for a while. Then he ran ahead as fast as he could, knocked at the door, and waited. But the grandmother had seen him from the window, and she did not open. So he went home hungry, and the little girl never saw him in the wood again.`;

/** The last sentence is kept for the test; of a text of one sentence, the last words. */
export function splitText(text: string): { text: string; heldOut: string } {
  const own = text.trim();
  const sentences = own.match(/[^.!?。！？]+[.!?。！？]*\s*/g) ?? [own];
  const last = sentences.length > 1 ? (sentences.at(-1) ?? '').trim() : own.split(/\s+/).slice(-4).join(' ');
  return { text: own.slice(0, own.length - last.length).trim(), heldOut: last };
}
