/** What the build makes of an icon (vite.config.ts). */
declare module "*.svg?path" {
  const path: string;
  export default path;
}
