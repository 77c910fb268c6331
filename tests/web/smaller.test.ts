// The build's smaller styles say what the written ones say, as a browser reads both.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { launch } from '../lib/page.ts';
import { smallSheet } from '../../web/smaller.mjs';

const FOLDER = new URL('../../web/src/ui/styles/', import.meta.url);
const sheets = readdirSync(FOLDER).flatMap((file) => [...readFileSync(new URL(file, FOLDER), 'utf8').matchAll(/css`([^`]*)`/g)].map(([, sheet = '']) => ({ file, sheet })));

/** One line a declaration, so that rules that were merged look as before. */
const read = (sheet: string): string[] => {
  const whole = new CSSStyleSheet();
  whole.replaceSync(sheet);
  const said = new Map<string, string>();
  const todo: { inside: string; rules: CSSRuleList }[] = [{ inside: '', rules: whole.cssRules }];
  for (const { inside, rules } of todo) {
    for (const rule of rules) {
      const { style, selectorText = '', cssRules } = rule as CSSStyleRule;
      for (const one of selectorText.split(/,\s*(?![^(]*\))/)) {
        for (const [property = '', value] of (style?.cssText ?? '').split(/;\s*/).map((each) => each.split(/:\s*/))) {
          // What a browser leaves as it was written, because something in it is known only later.
          said.set(`${inside}${one} | ${property}`, (value ?? '').replace(/\b0\./g, '.').replace(/translateX/g, 'translate').replace(/, /g, ','));
        }
      }
      if (cssRules) todo.push({ inside: `${inside}${selectorText || rule.cssText.split('{')[0]?.trim()} > `, rules: cssRules });
    }
  }
  return [...said].map(([what, value]) => `${what}: ${value}`);
};

test('styles made smaller say what was written, and keep what is filled in later', async () => {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const rules = (sheet: string) => page.evaluate(read, sheet.replace(/\$\{[^}]*\}/g, 'red'));
    for (const { file, sheet } of sheets) {
      const small = await smallSheet(sheet);
      assert.ok(small.length < sheet.length * 0.95, `${file}: ${small.length} of ${sheet.length} characters`);
      assert.deepEqual(small.match(/\$\{[^}]*\}/g), sheet.match(/\$\{[^}]*\}/g), `${file} lost what is filled in`);
      assert.deepEqual((await rules(small)).sort(), (await rules(sheet)).sort(), file);
    }
    assert.ok(sheets.length > 10, 'the sheets were not found');
  } finally {
    await browser.close();
  }
});
