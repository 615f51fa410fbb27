/** What the build provides: see `build/outline.ts`. */
declare module 'virtual:outline' {
  /** The land of the Earth as the path of an SVG, in degrees. */
  export const LAND: string
}

/** Styles are put on the page by the build. */
declare module '*.css'
