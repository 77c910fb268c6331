// Where a script lies, read while it runs: what comes on demand lies beside it. A module has no element that is current,
// and only the trace of an error knows where it came from.
const traced = (): string | undefined => /(?:https?|file):\/\/\S+?(?=:\d+:\d+)/.exec(new Error().stack ?? '')?.[0];

export const SCRIPT_ADDRESS: string = (document.currentScript as HTMLScriptElement | null)?.src || traced() || document.baseURI;
