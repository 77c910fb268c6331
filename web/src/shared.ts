// What the files of the built page share. Each of them imports this, so that it all becomes one chunk: one request, not seven.
import './attention-error.ts';
import './given.ts';
import './link-parts.ts';
import './picture.ts';
import './pinned.ts';
import './settings.ts';
import './tokenize.ts';
import './views/arc.ts';
import './views/axes.ts';
import './views/controls.ts';
import './views/paint.ts';
import './views/source-words.ts';
import './views/word.ts';
import './walk-places.ts';
