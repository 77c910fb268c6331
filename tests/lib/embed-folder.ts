// A copy of embed/ in which a test puts pages of its own, served to a reader; both go with the test.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { Reader, SITE } from './page.ts';

export async function embedFolder(): Promise<{ folder: string; reader: Reader }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'attention-embed-'));
  await cp(path.join(SITE, 'embed'), folder, { recursive: true });
  const reader = await Reader.arrive(folder);
  after(async () => {
    await reader.leave();
    await rm(folder, { recursive: true });
  });
  return { folder, reader };
}
