/** What only our own code may use is no news for editors and bindings. */
const publicOnly = {
  name: 'public-only',
  packageLinkPhase({ customElementsManifest: { modules } }) {
    for (const declaration of modules.flatMap(({ declarations }) => declarations ?? [])) {
      declaration.members = declaration.members?.filter(
        ({ privacy, name }) => (privacy ?? 'public') === 'public' && !name.startsWith('#'),
      );
    }
  },
};

export default {
  globs: ['src/elements/**/*.ts', 'src/define.ts', 'src/events.ts'],
  outdir: '.',
  litelement: true,
  packagejson: false,
  plugins: [publicOnly],
};
