/** Maps entities, types and the world to linked data in the schema.org vocabulary. */
import {
  type Entity,
  type EntityTypeDescription,
  isObject,
  type JsonObject,
  type JsonValue,
} from '@worldwright/client/protocol'
import type { WorldDescription } from '@worldwright/core'
import { licenceUrl } from '../files/licence.ts'
import { pagePath } from '../views/index.ts'
import { isAttachment, webAddress } from './addresses.ts'
import { nameOf, seenText, shortText } from './seen-text.ts'
import { referenceIn } from './values.ts'

const CONTEXT = 'https://schema.org'
/** Maximum length of a description for search engines, in characters. */
const DESCRIPTION_CHARACTERS = 5_000

/** Describes an entity with its mapped attributes, as the schema.org class that its type names or else as a `Thing`. */
export function entityData(
  entity: Entity,
  { schema }: EntityTypeDescription,
  { origin, image }: { readonly origin: string; readonly image: string | undefined },
): JsonObject {
  const { id, type, attributes } = entity
  const summary = seenText(entity.summary)
  const mapped = new Map<string, JsonValue>()
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    const called = isObject(property) ? textIn(property['x-schema-org']) : undefined
    const value = dataValue(attributes[name], origin)
    if (called === undefined || value === undefined) continue
    const before = mapped.get(called)
    mapped.set(called, before === undefined ? value : [before, value].flat())
  }
  return {
    '@context': CONTEXT,
    '@type': textIn(schema?.['x-schema-org']) ?? 'Thing',
    '@id': origin + pagePath(type, id),
    name: nameOf(entity),
    identifier: id,
    url: origin + pagePath(type, id),
    ...(image !== undefined && { image }),
    ...(summary !== undefined && { description: shortText(summary, DESCRIPTION_CHARACTERS) }),
    ...Object.fromEntries(mapped),
  }
}

/** Describes a type, or the whole world, as a dataset with its licence and downloads. */
export function datasetData(
  { license, attribution }: WorldDescription,
  {
    url,
    name,
    description,
    downloads = [],
  }: {
    readonly url: string
    readonly name: string
    readonly description?: string | undefined
    readonly downloads?: readonly { readonly url: string; readonly mediaType: string }[]
  },
): JsonObject {
  return {
    '@context': CONTEXT,
    '@type': 'Dataset',
    '@id': url,
    url,
    name,
    ...(description !== undefined && { description }),
    ...(license !== undefined && { license: licenceUrl(license) ?? license }),
    ...(attribution !== undefined && { creditText: attribution }),
    ...(downloads.length > 0 && {
      distribution: downloads.map((one) => ({
        '@type': 'DataDownload',
        contentUrl: one.url,
        encodingFormat: one.mediaType,
      })),
    }),
  }
}

/** Maps references to URLs and keeps plain values unchanged. Values without a schema.org form are omitted. */
function dataValue(value: JsonValue | undefined, origin: string): JsonValue | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) {
    const values = value.flatMap((one) => dataValue(one, origin) ?? [])
    return values.length > 0 ? values : undefined
  }
  const reference = referenceIn(value)
  if (reference) return { '@id': origin + pagePath(reference.type, reference.id) }
  if (typeof value === 'string') return isAttachment(value) ? origin + value : (webAddress(value) ?? value)
  if (!isObject(value)) return value
  const [latitude, longitude] = degreesOf(value)
  return typeof latitude === 'number' && typeof longitude === 'number'
    ? { '@type': 'GeoCoordinates', latitude, longitude }
    : undefined
}

/** Returns the latitude and longitude of a location, given as a GeoJSON point or as members with those names. */
function degreesOf({
  type,
  coordinates,
  latitude,
  longitude,
}: JsonObject): readonly (JsonValue | undefined)[] {
  return type === 'Point' && Array.isArray(coordinates)
    ? [coordinates[1], coordinates[0]]
    : [latitude, longitude]
}

function propertiesOf(schema: JsonObject | undefined): JsonObject {
  return isObject(schema?.['properties']) ? schema['properties'] : {}
}

function textIn(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
