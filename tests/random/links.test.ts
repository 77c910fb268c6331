// Whatever a link holds, the page shows a right picture or says one clear sentence.
import { after, test } from 'node:test';
import { type Playground, Reader, link } from '../lib/page.ts';
import { Random } from '../lib/random.ts';
import { assertSound, assertUnharmed } from '../lib/page-checks.ts';

const reader = await Reader.arrive();
after(() => reader.leave());

const CRAFTED = [
  '', 'v1', 'v1&', 'v1&&&', 'v1&=', 'v1&text', 'v1&text=', 'v1&text=+++', 'v0&text=a', 'v2&text=a', 'v99999&text=a', 'V1&text=a', 'text=a', '%', '%%%', 'v1&text=%',
  'v1&text=%E0%A4%A', 'v1&text=%FF%FE', 'v1&text=%00', 'v1&text=%ED%A0%80', 'v1&text=\ud800', 'v1&text=a\udc00b', 'v1&text=a&text=b', 'v1&heads=1&heads=2', 'v1&heads=', 'v1&heads=NaN',
  'v1&heads=-4', 'v1&heads=0', 'v1&heads=1e9', 'v1&heads=2.5', 'v1&heads=Infinity', 'v1&d-model=0', 'v1&d-model=-1', 'v1&d-model=1e12', 'v1&d-model=63', 'v1&d-model=NaN&heads=NaN', 'v1&mask=',
  'v1&mask=__proto__', 'v1&mask=constructor', 'v1&mask=causal%00', 'v1&scale=NaN', 'v1&scale=Infinity', 'v1&scale=1e400', 'v1&scale=-0', 'v1&scale=1e-320', 'v1&scale=1e30', 'v1&positions=rotary', 'v1&biases=maybe',
  'v1&seed=-1', 'v1&seed=4294967296', 'v1&seed=1e400', 'v1&__proto__=1', 'v1&__proto__[heads]=2&constructor=3', 'v1&constructor.prototype.polluted=1', 'v1&toString=1&hasOwnProperty=1', 'v1&row=0', 'v1&row=-1&key=-1&head=-1',
  'v1&row=1e9&key=1e9&head=1e9', 'v1&row=NaN&key=x', 'v1&text=a+b&tokens=', 'v1&text=a+b&tokens=0.1', 'v1&text=a+b&tokens=0.1.1.1.0.0', 'v1&text=a+b&tokens=0.zzzzz', 'v1&text=a+b&tokens=0.-1', 'v1&text=%F0%9F%91%A9&tokens=0.1',
  'v1&tokens=0.3', 'v1&text=<script>window.hacked=1</script>', 'v1&text=%3Cimg%20src%3Dx%20onerror%3Dwindow.hacked%3D1%3E', 'v1&theme=<b>&x=y', 'how-to-read', 'v1&text=javascript:alert(1)', 'v1&<img src=x onerror=alert(1)>=<b>',
  `v1&text=${'a+'.repeat(110_000)}`, `v1&text=${'word+'.repeat(6000)}`, `v1&${'x=1&'.repeat(5000)}`, `v1&heads=${'9'.repeat(400)}`, `v1&text=${'%F0%9F%98%80'.repeat(300)}`, 'v1&text=a&d-model=512&heads=512&scale=none&mask=none',
];

async function follow(page: Playground, fragment: string): Promise<void> {
  await page.page.evaluate((hash) => {
    location.hash = hash;
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, fragment);
  await page.ready();
}

test('crafted links give a right picture or a sentence, whatever they hold', async () => {
  const page = await reader.open();
  for (const fragment of CRAFTED) {
    await follow(page, fragment);
    await assertSound(page, fragment.slice(0, 80));
    await assertUnharmed(page, fragment.slice(0, 80));
  }
  await page.close();
});

test('random damage to links never breaks the page', async () => {
  const random = new Random(11);
  const pieces = ['%', '&', '=', '#', '.', '+', '%00', '%zz', '\ud800', 'NaN', '-1', '1e999', '__proto__', 'v1', 'text=', '<b>', '"', '\\', '动', '0', 'tokens=0.1'];
  const page = await reader.open();
  for (let trial = 0; trial < 150; trial += 1) {
    let fragment = link({ text: random.tokens(random.whole(1, 6)).join(' '), heads: random.pick([1, 2, 4, 8]), scale: random.number().toFixed(2), row: 1, key: 1, seed: random.whole(0, 99) }).slice(1);
    for (let cuts = random.whole(1, 5); cuts > 0; cuts -= 1) {
      const at = random.whole(0, fragment.length);
      fragment = fragment.slice(0, at) + random.pick(pieces) + fragment.slice(at + random.whole(0, 6));
    }
    await follow(page, fragment);
    await assertSound(page, fragment);
    await assertUnharmed(page, fragment);
  }
  await page.close();
});
