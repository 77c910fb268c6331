// System × browser: what worked.

export class Matrix {
  readonly #systems = new Map<string, string>();
  readonly #engines = new Map<string, string>();
  readonly #failed = new Map<string, string[]>();

  system(id: string, version: string): void {
    this.#systems.set(id, version);
  }

  engine(name: string, version: string): void {
    this.#engines.set(name, version);
  }

  saw(id: string, engine: string, step: string, passed: boolean): void {
    const failed = this.#failed.get(`${id} ${engine}`) ?? [];
    this.#failed.set(`${id} ${engine}`, passed ? failed : [...failed, step]);
  }

  markdown(): string {
    const cell = (id: string, engine: string) => {
      const failed = this.#failed.get(`${id} ${engine}`);
      return !failed ? 'not tried' : failed.length ? `fails: ${failed.join(', ')}` : 'works';
    };
    const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
    return [
      line(['', ...[...this.#engines].map(([name, version]) => `${name} ${version}`)]),
      `|${'---|'.repeat(this.#engines.size + 1)}`,
      ...[...this.#systems].map(([id, version]) => line([version, ...[...this.#engines.keys()].map((engine) => cell(id, engine))])),
    ].join('\n');
  }
}
