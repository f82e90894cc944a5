/** A file as text; the bundler and the test runner read it. */
declare module '*?raw' {
  const text: string
  export default text
}
