export function iconAddress(): Promise<string>;
export function writeOffline(site: string): Promise<void>;
/** Names the folder's files anew. */
export function writeWorker(site: string): Promise<void>;
