/** Operations of the operator API, for the OpenAPI description. */
import type { JsonObject } from '@worldwright/client/protocol'
import { component, LIST, type Operation, queryParameter } from '@worldwright/core'

const NDJSON = 'application/x-ndjson'
const JSON_TYPE = 'application/json'
const ENTITY = { [JSON_TYPE]: component('Entity') }
const WRITE_ERRORS = ['invalid_id', 'invalid_entity', 'precondition_failed'] as const

function conditional(name: string, description: string): JsonObject {
  return {
    name,
    in: 'header',
    description,
    schema: { type: 'string', pattern: '^(?:\\*|"[^"]*"(?:, *"[^"]*")*)$' },
  }
}

const CONDITIONS = [
  conditional('If-Match', 'Only where the entity has one of these revisions; `*`: only where there is one.'),
  conditional('If-None-Match', '`*`: only where there is none.'),
]

/** Operations of each route, by HTTP method. All of them require a token. */
export const OPERATIONS = {
  list: {
    GET: { ...LIST, id: 'operatorList', needsToken: true },
    POST: {
      id: 'operatorBulk',
      summary: 'Write many entities, one per line: all at once or not at all',
      parameters: [
        queryParameter('onInvalid', 'What one invalid row does: it is left out, or nothing is written.', {
          type: 'string',
          enum: ['reject', 'stop'],
          default: 'reject',
        }),
        queryParameter('replace', 'Whether entities of the type that are not among the rows are deleted.', {
          type: 'string',
          enum: ['true', 'false'],
          default: 'false',
        }),
      ],
      body: { [NDJSON]: {} },
      answers: {
        200: {
          description: 'A line for each row, and a last one: only `"committed":true` acknowledges anything.',
          content: { [NDJSON]: {} },
        },
      },
      errors: ['invalid_parameter'],
      needsToken: true,
    },
  },
  entity: {
    GET: {
      id: 'operatorGet',
      summary: 'One entity, with a strong tag',
      answers: { 200: { description: 'The entity.', content: ENTITY } },
      errors: ['invalid_id', 'entity_not_found'],
      needsToken: true,
    },
    PUT: {
      id: 'operatorPut',
      summary: 'Create or replace an entity',
      parameters: CONDITIONS,
      body: { [JSON_TYPE]: component('EntityWrite') },
      answers: {
        200: { description: 'Replaced.', content: ENTITY },
        201: { description: 'Created.', content: ENTITY },
      },
      errors: WRITE_ERRORS,
      needsToken: true,
    },
    PATCH: {
      id: 'operatorPatch',
      summary: 'Merge into an entity (RFC 7396)',
      parameters: CONDITIONS,
      body: { 'application/merge-patch+json': { type: 'object' }, [JSON_TYPE]: { type: 'object' } },
      answers: { 200: { description: 'Merged.', content: ENTITY } },
      errors: [...WRITE_ERRORS, 'entity_not_found'],
      needsToken: true,
    },
    DELETE: {
      id: 'operatorDelete',
      summary: 'Delete an entity',
      parameters: CONDITIONS,
      answers: { 204: { description: 'Deleted.' } },
      errors: ['invalid_id', 'entity_not_found', 'precondition_failed'],
      needsToken: true,
    },
  },
  pictures: {
    POST: {
      id: 'operatorPicture',
      summary: 'Store a picture, which entities name by its path',
      body: { 'image/avif': {}, 'image/gif': {}, 'image/jpeg': {}, 'image/png': {}, 'image/webp': {} },
      answers: {
        201: {
          description: 'The path of the picture on the origin of the world.',
          content: {
            [JSON_TYPE]: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
          },
        },
      },
      errors: ['invalid_type', 'unknown_type'],
      needsToken: true,
    },
  },
  types: {
    GET: {
      id: 'operatorTypes',
      summary: 'Every type, with its schema, how many entities it has, and whether the token may write it',
      answers: {
        200: {
          description: 'The types.',
          content: {
            [JSON_TYPE]: { type: 'object', required: ['types'], properties: { types: { type: 'array' } } },
          },
        },
      },
      errors: [],
      needsToken: true,
    },
  },
  outcome: {
    GET: {
      id: 'operatorOutcome',
      summary: 'What became of a write that was undecided',
      answers: {
        200: {
          description: 'Whether it took effect.',
          content: {
            [JSON_TYPE]: {
              type: 'object',
              required: ['committed'],
              properties: { committed: { type: 'boolean' } },
            },
          },
        },
      },
      errors: ['not_found'],
      needsToken: true,
    },
  },
  export: {
    GET: {
      id: 'operatorExport',
      summary: 'Everything, or one type, one entity per line, from one moment',
      parameters: [queryParameter('type', 'Only this type.', { type: 'string' })],
      answers: { 200: { description: 'The entities.', content: { [NDJSON]: {} } } },
      errors: ['invalid_type', 'unknown_type'],
      needsToken: true,
    },
  },
} as const satisfies Record<string, Record<string, Operation>>
