/** A file beside the sources, bundled as the text that it is. */
declare module '*?raw' {
  const text: string
  // The bundler gives it this name.
  // oxlint-disable-next-line import/no-default-export
  export default text
}
