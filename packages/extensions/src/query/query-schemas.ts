/** JSON schemas of the action `worldwright:query`, as published in discovery. */

import { type JsonObject, TYPE } from '@worldwright/client/protocol'
import { ENTITIES, LIST_DEFAULT, LIST_MAX, MATCHED_IN, MAX_TEXT_LENGTH, MAX_TYPES } from '@worldwright/core'
import {
  QUERY_DEFAULT_GROUPS,
  QUERY_MAX_FACETS,
  QUERY_MAX_GROUP_KEYS,
  QUERY_MAX_GROUPS,
  QUERY_MAX_MEASURES,
  QUERY_MAX_PATHS,
  QUERY_MAX_SORT_KEYS,
  QUERY_MAX_WHERE_LENGTH,
} from './limits.ts'
import { MEASURES } from './read-groups.ts'
import { OPERATORS } from './read-where.ts'

const PROPERTY: JsonObject = {
  description: 'A property: its name, names separated by dots, or a list of names.',
  oneOf: [
    { type: 'string', minLength: 1 },
    { type: 'array', items: { type: 'string' }, minItems: 1 },
  ],
}
const REFERENCE: JsonObject = {
  type: 'object',
  required: ['type', 'id'],
  properties: { type: { type: 'string' }, id: { type: 'string' } },
}
const BOUND: JsonObject = { type: ['number', 'string', 'object'] }
const KIND: JsonObject = { enum: ['number', 'boolean', 'text', 'instant', 'reference'] }

const MEASURE: JsonObject = {
  type: 'object',
  properties: { op: { enum: [...MEASURES] }, property: PROPERTY, kind: KIND },
}
/** Members of the input that form groups. */
const GROUPING: JsonObject = {
  group: {
    type: ['array', 'null'],
    description:
      'Keys of groups: a property, or { property } with a width, a unit of time, or cells of a map in degrees.',
    maxItems: QUERY_MAX_GROUP_KEYS,
    items: { type: ['string', 'object'] },
  },
  measures: {
    type: ['array', 'null'],
    description: 'Measures of each group; without group, of the whole result.',
    maxItems: QUERY_MAX_MEASURES,
    items: { ...MEASURE, required: ['op', 'property'], additionalProperties: false },
  },
  groupSort: {
    type: ['array', 'null'],
    description: 'Order of the groups: count, key or a measure such as avg:rating; -count by default.',
    maxItems: QUERY_MAX_SORT_KEYS,
    items: { type: 'string' },
  },
  groupLimit: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: QUERY_MAX_GROUPS,
    default: QUERY_DEFAULT_GROUPS,
  },
}

/** Schema of `fields`, also of `wp:discover`. */
export const FIELDS: JsonObject = {
  type: ['array', 'null'],
  description: 'Attributes to return, besides type, id and title; absent for all.',
  maxItems: QUERY_MAX_PATHS,
  items: PROPERTY,
}

const PROPERTIES: JsonObject = {
  types: {
    type: ['array', 'null'],
    description: 'Entity types to query; absent or empty for all.',
    items: { type: 'string', maxLength: 128, pattern: TYPE.source },
    maxItems: MAX_TYPES,
  },
  text: {
    type: ['string', 'null'],
    description: 'Words to search for, as in wp:discover.',
    maxLength: MAX_TEXT_LENGTH,
  },
  similar: {
    ...REFERENCE,
    type: ['object', 'null'],
    description: 'Finds entities like this one, which is left out. Not together with text.',
    additionalProperties: false,
  },
  where: {
    type: ['object', 'string', 'null'],
    description: "A condition in CQL2, as JSON, { op, args }, or as text, such as mass > 1 AND kind = 'x'.",
    maxLength: QUERY_MAX_WHERE_LENGTH,
    required: ['op', 'args'],
    properties: { op: { enum: [...OPERATORS] }, args: { type: 'array', minItems: 1 } },
    additionalProperties: false,
  },
  sort: {
    type: ['array', 'null'],
    description: 'Sort keys: a property, -property for descending order, relevance, a distance, or a sample.',
    maxItems: QUERY_MAX_SORT_KEYS,
    items: { type: ['string', 'object'] },
  },
  fields: FIELDS,
  include: {
    type: ['array', 'null'],
    description: 'Properties whose references are followed, one level deep.',
    maxItems: QUERY_MAX_PATHS,
    items: PROPERTY,
  },
  facets: {
    type: ['array', 'null'],
    description: 'Counts over the whole result: values of a property, ranges, a histogram, referrers.',
    maxItems: QUERY_MAX_FACETS,
    items: {
      oneOf: [
        { type: 'string', minLength: 1 },
        {
          type: 'object',
          properties: {
            property: PROPERTY,
            kind: KIND,
            limit: { type: 'integer', minimum: 1 },
            ranges: { type: 'array', items: { type: 'object', properties: { from: BOUND, to: BOUND } } },
            histogram: { type: 'integer', minimum: 1 },
            referrers: REFERENCE,
          },
          additionalProperties: false,
        },
      ],
    },
  },
  ...GROUPING,
  limit: {
    type: ['integer', 'null'],
    description: `Maximum number of entities on a page; larger values mean ${LIST_MAX}.`,
    minimum: 0,
    default: LIST_DEFAULT,
  },
  cursor: {
    type: ['string', 'null'],
    description: 'nextCursor of the previous answer to the same query.',
  },
  matchedIn: {
    type: ['boolean', 'null'],
    description: 'true: return for each entity the fields in which it matched.',
  },
}
/** Names of the members of the input. */
export const MEMBERS = Object.keys(PROPERTIES)

/** JSON Schema of the input. It cannot express everything: the list of properties is in the extension's declaration. */
export const INPUT_SCHEMA: JsonObject = {
  type: 'object',
  properties: PROPERTIES,
  additionalProperties: false,
}

const REFERENCES: JsonObject = { type: 'array', items: REFERENCE }
const COUNT: JsonObject = { type: 'integer', minimum: 0 }

const FACET: JsonObject = {
  type: 'object',
  required: ['present', 'absent', 'buckets'],
  properties: {
    property: PROPERTY,
    kind: KIND,
    referrers: REFERENCE,
    present: COUNT,
    absent: COUNT,
    minimum: { type: ['number', 'string'] },
    maximum: { type: ['number', 'string'] },
    buckets: {
      type: 'array',
      items: {
        type: 'object',
        required: ['count'],
        properties: {
          value: { type: ['number', 'boolean', 'string', 'object'] },
          from: { type: ['number', 'string'] },
          to: { type: ['number', 'string'] },
          type: { type: 'string' },
          property: PROPERTY,
          count: COUNT,
        },
      },
    },
    more: { const: true },
    partial: { const: true },
  },
}

/** Members of the output that hold groups. */
const GROUPED: JsonObject = {
  group: { type: 'array', items: { type: 'object' } },
  measures: { type: 'array', items: MEASURE },
  groups: {
    type: 'array',
    items: {
      type: 'object',
      required: ['key', 'count', 'measures'],
      properties: { key: { type: 'array' }, count: COUNT, measures: { type: 'array' } },
    },
  },
  groupsTotal: COUNT,
  moreGroups: { const: true },
}

/** JSON Schema of the output. */
export const OUTPUT_SCHEMA: JsonObject = {
  type: 'object',
  required: ['entities', 'limit', 'total', 'counts', 'matched'],
  properties: {
    entities: ENTITIES,
    limit: COUNT,
    total: COUNT,
    counts: { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } },
    totalIsLowerBound: { const: true },
    partial: { const: true },
    matched: { type: 'array', items: { type: 'string' } },
    matchedIn: MATCHED_IN,
    nextCursor: { type: 'string' },
    offset: { type: 'string' },
    facets: { type: 'array', items: FACET },
    ...GROUPED,
    included: ENTITIES,
    includedMore: { const: true },
    missing: REFERENCES,
    damaged: REFERENCES,
    unindexed: { type: 'integer', minimum: 1 },
  },
}
