// The player of lessons, and the lessons that are shipped. Loaded with the first lesson.
export { parseLesson, readLesson, type Lesson } from './format.ts';
export { Player } from './player.ts';
export { START, readPlace, writePlace, type Place } from './place.ts';
export { shippedLesson } from './shipped.ts';
export { lessonStyles } from './styles.ts';
