/**
 * Imported first: no input can then reach other requests through the prototypes that all objects
 * share. Under Object.freeze `copy.toString = value` would throw; here it makes a property.
 */
const bases = [
  Object,
  Function,
  Array,
  String,
  Number,
  Boolean,
  Symbol,
  BigInt,
  Promise,
  RegExp,
  Date,
  Error,
  Map,
  Set,
];

for (const base of bases) {
  Object.preventExtensions(base.prototype);
}
// Input that is used as a name reaches `{}.constructor` too.
Object.preventExtensions(Object);
Reflect.deleteProperty(Object.prototype, "__proto__");
for (const name of Object.getOwnPropertyNames(Object.prototype)) {
  pin(Object.prototype, name);
}

/** Makes an inherited property one that only heirs can set, each for itself. */
function pin(owner: object, name: string): void {
  const value: unknown = Reflect.get(owner, name);
  Object.defineProperty(owner, name, {
    get: () => value,
    set(this: object, own: unknown) {
      if (this === owner) {
        throw new TypeError(`${name} of all objects cannot be replaced.`);
      }
      Object.defineProperty(this, name, {
        value: own,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    },
    configurable: false,
  });
}
