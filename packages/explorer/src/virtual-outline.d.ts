/** What the build provides: see `build/outline.ts`. */
declare module 'virtual:outline' {
  /** The land of the Earth as the path of an SVG, in degrees. */
  export const LAND: string
}

/** The address of a script that runs in a worker, which the build makes a file of its own. */
declare module '*?worker&url' {
  const url: string
  export default url
}

/** Styles are put on the page by the build. */
declare module '*.css'
