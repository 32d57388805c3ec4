/**
 * Imported for its effect, before everything else: from then on no input can reach later
 * requests through the objects that all others inherit from. Nothing can be added to them,
 * `__proto__` is a name like any other, and what every object inherits cannot be replaced.
 *
 * Object.freeze would be shorter, but under a frozen prototype `copy[name] = value` throws for
 * a name such as "toString". Here it makes a property of the copy, as it always did.
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
