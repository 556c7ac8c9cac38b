/** A file bundled as text. */
declare module '*?raw' {
  const text: string
  // Vite exports it as the default.
  // oxlint-disable-next-line import/no-default-export
  export default text
}
