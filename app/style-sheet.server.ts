export { default as styleSheet } from "./app.css?inline";
