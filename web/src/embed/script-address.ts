// Where a script lies, read while it runs: what comes on demand lies beside it. A module has no element that is current,
// and only the trace of an error knows where it came from.
const traced = (): string | undefined => /(?:https?|file):\/\/\S+?(?=:\d+:\d+)/.exec(new Error().stack ?? '')?.[0];

const script = document.currentScript as HTMLScriptElement | null;

export const SCRIPT_ADDRESS: string = script?.src || traced() || document.baseURI;

/** Whoever has the script checked, by `integrity=`, has what it brings checked, too. */
export const SCRIPT_IS_CHECKED: boolean = Boolean(script?.integrity);

/** By which a page's policy knows its scripts. */
export const SCRIPT_NONCE: string = script?.nonce ?? '';
