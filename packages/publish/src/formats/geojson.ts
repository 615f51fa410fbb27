import type { Format } from './contract/format.ts'
import { geoJsonExport, placesOf } from './geojson/geojson-export.ts'
import { json } from './json.ts'

/** GeoJSON as a separate format, although features are recognized in any JSON. */
export const geojson: Format = {
  ...json,
  name: 'geojson',
  title: 'GeoJSON',
  endings: ['geojson'],
  writer: {
    mediaType: 'application/geo+json',
    loses: 'Places on other bodies than the Earth are not told apart. No times or revisions.',
    canHold: (schema) => placesOf(schema).length > 0,
    write: geoJsonExport,
  },
}
