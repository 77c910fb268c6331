import { test } from 'node:test';
import { chromium } from 'playwright-core';
import axe from 'axe-core';
test('probe', () => { if (!chromium.launch || !axe.source) throw new Error('no'); });
