/** A document as HTML, which vite.config.ts makes of it at the build. */
declare module "*.md" {
  const html: string;
  export default html;
}
