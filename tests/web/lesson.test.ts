// The lesson as learners and teachers go through it.
import test from 'node:test';
test('placeholder', () => {});
