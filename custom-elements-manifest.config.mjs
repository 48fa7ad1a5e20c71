/**
 * Plugin that keeps classes and their public members only, without what follows from that, and sorts the modules, so that the manifest is
 * equal on every machine.
 */
const publicOnly = {
  name: 'public-only',
  packageLinkPhase({ customElementsManifest }) {
    const { modules } = customElementsManifest;
    for (const module of modules) {
      module.declarations = module.declarations?.filter(({ kind }) => kind === 'class') ?? [];
      const names = new Set(module.declarations.map(({ name }) => name));
      module.exports = module.exports?.filter(({ declaration }) => names.has(declaration.name));
      for (const declaration of module.declarations) {
        // The functions that create the base classes of events are internal.
        delete declaration.mixins;
        declaration.members = declaration.members?.filter(
          ({ privacy, name }) => (privacy ?? 'public') === 'public' && !name.startsWith('#'),
        );
        for (const member of declaration.members ?? []) delete member.privacy;
      }
    }
    customElementsManifest.modules = modules
      .filter(({ declarations }) => declarations.length > 0)
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  },
};

export default {
  // Only modules that a host page can import: with the internal modules, the manifest would be twice as large.
  globs: [
    'src/elements/*.ts',
    'src/elements/base/{base,text,messages}-element.ts',
    'src/events/*.ts',
  ],
  outdir: '.',
  litelement: true,
  packagejson: false,
  plugins: [publicOnly],
};
