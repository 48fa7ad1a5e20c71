export default {
  globs: ['src/elements/**/*.ts', 'src/define.ts', 'src/events.ts'],
  outdir: '.',
  litelement: true,
  packagejson: false,
};
