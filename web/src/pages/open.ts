// What an address without a page's name opens: the lesson on a first visit; the playground for a link to one of its states, and
// for a reader who was there last. The first script of the page, so that nobody waits for a lesson that is not wanted.
import { opensAt } from './opens.ts';

const { hash } = location;
const isLessons = /^#(?:$|(?:step|shown|presenter|lesson|lang)(?:[=&]|$))/.test(hash || '#');
if (!isLessons || (hash.length < 2 && opensAt() === 'playground')) location.replace(`playground.html${isLessons ? '' : hash}`);
