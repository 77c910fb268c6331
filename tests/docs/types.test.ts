// The page, the package and the tests have sound types.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('tsc finds no fault in the page, the package and the tests', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'check'], { cwd: fileURLToPath(new URL('../../web', import.meta.url)), encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});
