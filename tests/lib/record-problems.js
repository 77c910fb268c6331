// Keeps what goes wrong in a page, for engines whose driver does not say; the first script of every page that serve() sends.
globalThis.seenProblems = [];
for (const level of ['error', 'warn']) {
  const say = console[level];
  console[level] = (...parts) => {
    seenProblems.push(`console: ${parts.map(String).join(' ')}`);
    say.apply(console, parts);
  };
}
addEventListener('error', (event) => seenProblems.push(`error: ${event.message ?? `${event.target?.src ?? event.target?.href} does not load`}`), true);
addEventListener('unhandledrejection', (event) => seenProblems.push(`error: ${event.reason?.message ?? event.reason}`));
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  // Its own request for an icon is no doing of the page's.
  if (!blockedURI.endsWith('/favicon.ico')) seenProblems.push(`policy: ${effectiveDirective} ${blockedURI}`);
});
