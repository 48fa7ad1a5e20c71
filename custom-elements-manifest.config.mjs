/** Plugin that removes members that are not public, and sorts the modules, so that the manifest is equal on every machine. */
const publicOnly = {
  name: 'public-only',
  packageLinkPhase({ customElementsManifest: { modules } }) {
    modules.sort((one, other) => (one.path < other.path ? -1 : 1));
    for (const declaration of modules.flatMap(({ declarations }) => declarations ?? [])) {
      declaration.members = declaration.members?.filter(
        ({ privacy, name }) => (privacy ?? 'public') === 'public' && !name.startsWith('#'),
      );
    }
  },
};

export default {
  // Only modules that a host page can import: with the internal modules, the manifest would be twice as large.
  globs: [
    'src/elements/*.ts',
    'src/elements/base/{base,text,messages}-element.ts',
    'src/define.ts',
    'src/events/*.ts',
  ],
  outdir: '.',
  litelement: true,
  packagejson: false,
  plugins: [publicOnly],
};
