export { default as styleSheet } from "#app/app.css?inline";
