/** Adds properties to `Object.prototype`, as a script of the page may do. Returns a function that removes them. */
export function polluteObjectPrototype(names: object): () => void {
  Object.assign(Object.prototype, names);
  return () => {
    for (const name of Object.keys(names)) Reflect.deleteProperty(Object.prototype, name);
  };
}
