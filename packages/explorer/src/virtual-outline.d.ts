/** Modules provided by the build, with SVG paths in degrees. See `build/outline.ts`. */
declare module 'virtual:outline' {
  /** Land of the Earth. */
  export const LAND: string
}

declare module 'virtual:borders' {
  /** Borders between countries. */
  export const BORDERS: string
  /** Names of countries, that with most room first. See `build/country-labels.ts`. */
  export const COUNTRIES: readonly (readonly [
    name: string,
    longitude: number,
    latitude: number,
    room: number,
  ])[]
}

declare module 'virtual:detail' {
  /** Land of the Earth for a map that is enlarged. */
  export const LAND: string
  /** Borders between countries for a map that is enlarged. */
  export const BORDERS: string
}

/** URL of a worker script. The build writes the script to a file of its own. */
declare module '*?worker&url' {
  const url: string
  export default url
}

/** Stylesheets, which the build adds to the page. */
declare module '*.css'
