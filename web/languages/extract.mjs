// npm run words: brings the catalogues up to the code. New messages come without a <target>, to be written by hand; those
// that the code no longer says go.
import { localizer } from './catalogues.mjs';

const words = localizer();
const { errors } = words.extractSourceMessages();
for (const { messageText } of errors) console.error(messageText);
if (errors.length > 0) process.exit(1);
await words.writeInterchangeFiles();
