/** Runs the samples of the documents, which `scripts/check-samples.mjs` compiles. */

/** What a sample finds: names of the page, and modules by the specifiers that it imports. */
interface Surroundings {
  readonly scope: Readonly<Record<string, unknown>>;
  readonly modules: Readonly<Record<string, object>>;
}

declare global {
  interface Window {
    /** The surroundings of each sample so far, for the modules that are created for it. */
    sampleSurroundings?: Surroundings[];
  }
}

/** Returns the samples of a document in a language, in order. */
export async function readSamples(document: string, language = 'js'): Promise<string[]> {
  const text = await (await fetch(`/${document}`)).text();
  return [...text.matchAll(/```(\w+)\n([^]*?)```/g)].flatMap(([, name, code = '']) =>
    name === language ? [code] : [],
  );
}

const createModule = (code: string): string =>
  URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));

/** Runs an unchanged sample as a module, and returns what it exports. */
export async function runSample(
  code: string,
  scope: Surroundings['scope'],
  modules: Surroundings['modules'] = {},
): Promise<Readonly<Record<string, unknown>>> {
  const all = (window.sampleSurroundings ??= []);
  const own = `window.sampleSurroundings[${String(all.push({ scope, modules }) - 1)}]`;
  const imported = code.replace(
    /(?<=\bfrom |\bimport |\bimport\()'([^']+)'/g,
    (_all, specifier: string) => {
      const from = `${own}.modules['${specifier}']`;
      const names = Object.keys(modules[specifier] ?? {}).filter((name) => name !== 'default');
      const exports = `export const { ${names.join(', ')} } = ${from};`;
      return `'${createModule(`${exports} export default ${from}.default;`)}'`;
    },
  );
  const names = `const { ${Object.keys(scope).join(', ')} } = ${own}.scope;`;
  return (await import(createModule(`${names}\n${imported}`))) as Record<string, unknown>;
}
