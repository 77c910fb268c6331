// The operators' module, where a build brings it along; null where its two files lie beside the script.

export interface OperatorsSource {
  create(options: object): Promise<unknown>;
  /** What it is made with: its bytes, or where they are. */
  options: object;
}

export const operatorsSource: (() => Promise<OperatorsSource>) | null = null;
