// Boxes for texts of any length. A browser needs half a minute to lay out five megabytes, so a longer text is kept outside the
// box, which shows its beginning.
import { isTooLong } from '../../engine/tokens.ts';

const BEGINNING = 1000;

/** What stands in the box. */
export const inBox = (text: string): string => (isTooLong(text) ? text.slice(0, BEGINNING).replace(/[\ud800-\udbff]$/, '') : text);

/** For `beforeinput`: whether what is pasted or dropped was taken without the box. */
export function goesRound(event: Event, take: (text: string) => void, isLong = isTooLong): boolean {
  const { data, dataTransfer } = event as InputEvent;
  const { value, selectionStart, selectionEnd } = event.target as HTMLTextAreaElement;
  const more = data ?? dataTransfer?.getData('text/plain') ?? '';
  const text = more.length < BEGINNING / 2 ? '' : value.slice(0, selectionStart ?? 0) + more + value.slice(selectionEnd ?? 0);
  if (!isLong(text)) return false;
  event.preventDefault();
  take(text);
  return true;
}
