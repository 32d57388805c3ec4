/**
 * Prevents prototype pollution; must be imported first. Unlike with Object.freeze, an assignment such
 * as `copy.toString = value` still creates an own property.
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
// A property name from input can also be `constructor`.
Object.preventExtensions(Object);
Reflect.deleteProperty(Object.prototype, "__proto__");
for (const name of Object.getOwnPropertyNames(Object.prototype)) {
  pin(Object.prototype, name);
}

/** Makes a property read-only on the prototype; objects that inherit it can still set their own. */
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
