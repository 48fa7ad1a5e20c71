/** Puts names on the prototype of all objects, as a script of the page may have done, until the returned function is called. */
export function polluteObjects(names: object): () => void {
  Object.assign(Object.prototype, names);
  return () => {
    for (const name of Object.keys(names)) Reflect.deleteProperty(Object.prototype, name);
  };
}
