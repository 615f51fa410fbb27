/** Module that the build provides: see `build/outline.ts`. */
declare module 'virtual:outline' {
  /** The land of the Earth as the path of an SVG, in degrees. */
  export const LAND: string
}

/** URL of a script that runs in a worker, which the build writes to a file of its own. */
declare module '*?worker&url' {
  const url: string
  export default url
}

/** Styles, which the build adds to the page. */
declare module '*.css'
