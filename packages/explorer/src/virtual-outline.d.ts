/** Module provided by the build. See `build/outline.ts`. */
declare module 'virtual:outline' {
  /** Land of the Earth as an SVG path, in degrees. */
  export const LAND: string
}

/** URL of a worker script. The build writes the script to a file of its own. */
declare module '*?worker&url' {
  const url: string
  export default url
}

/** Stylesheets, which the build adds to the page. */
declare module '*.css'
