// A file that is made here goes to the reader's downloads.
import { msg, str } from '@lit/localize';

export function save(name: string, type: string, content: string | Blob): string {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return msg(str`Saved as ${name}.`);
}
