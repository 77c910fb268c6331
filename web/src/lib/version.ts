/** Put in by the build. */
declare const VERSION: string;
export const version: string = typeof VERSION === 'undefined' ? '0' : VERSION;
