/** Response schemas that all worlds share (decisions 1 to 5), as components of an OpenAPI description. */
import type { ActionDescription, EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import { component } from '@worldwright/core'

const TEXT = { type: 'string' }
const COUNT = { type: 'integer', minimum: 0 }
const INSTANT = { type: 'string', format: 'date-time' }

/** Schemas that are the same in every world. */
export const COMMON_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  Entity: {
    type: 'object',
    description: 'A typed entity.',
    required: ['type', 'id', 'attributes', 'createdAt', 'updatedAt', 'revision'],
    properties: {
      type: { ...TEXT, description: 'prefix:name' },
      id: { ...TEXT, description: 'Unique among the entities of its type.' },
      title: TEXT,
      summary: TEXT,
      attributes: { type: 'object', description: 'All of the data; the type has a schema for it.' },
      createdAt: INSTANT,
      updatedAt: { ...INSTANT, description: 'Changes exactly when the revision does.' },
      revision: { ...TEXT, description: 'Identifies the content.' },
    },
  },
  Discovery: {
    type: 'object',
    description: 'What the world is, where its API stands, its types and its actions.',
    required: [
      'protocol',
      'world',
      'endpoints',
      'entityTypes',
      'actions',
      'limits',
      'authentication',
      'extensions',
    ],
    properties: {
      protocol: { const: 'world/0.1' },
      world: {
        type: 'object',
        required: ['id'],
        properties: { id: { ...TEXT, format: 'uri' }, name: TEXT, description: TEXT },
      },
      endpoints: { type: 'object', required: ['api'], properties: { api: { ...TEXT, format: 'uri' } } },
      entityTypes: {
        type: 'array',
        items: { type: 'object', required: ['type'], properties: { type: TEXT, title: TEXT } },
      },
      actions: {
        type: 'array',
        items: {
          type: 'object',
          required: ['name', 'safe'],
          properties: { name: TEXT, safe: { type: 'boolean' } },
        },
      },
      limits: { type: 'object' },
      authentication: { type: 'object' },
      extensions: { type: 'object', description: 'What the world serves beyond Level 1, by name.' },
      revision: { ...TEXT, description: 'Changes with the document.' },
    },
  },
  Warning: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: TEXT,
      message: TEXT,
      field: { ...TEXT, description: 'JSON Pointer into the request body.' },
    },
  },
  Error: {
    type: 'object',
    description: 'Branch on the code, never on the message.',
    required: ['code', 'message', 'details', 'requestId'],
    properties: {
      code: { ...TEXT, description: 'Stable and machine-readable.' },
      message: { ...TEXT, description: 'For people.' },
      details: { type: 'object', description: 'Depends on the code.' },
      requestId: { ...TEXT, description: "Finds the request in the server's log." },
    },
  },
}

/** Returns a type's schemas by component name: the entity as read, the page of entities, and the entity as written. */
export function typeSchemas({
  type,
  title,
  description,
  schema,
}: EntityTypeDescription): Record<string, JsonObject> {
  const own = componentName(type)
  const described = schema === undefined ? { type: 'object' } : schema
  return {
    [own]: {
      title: title ?? type,
      ...(description !== undefined && { description }),
      allOf: [
        component('Entity'),
        {
          type: 'object',
          properties: { type: { const: type }, attributes: component(`${own}_attributes`) },
        },
      ],
    },
    [`${own}_attributes`]: within(described, `#/components/schemas/${own}_attributes`),
    [`${own}_page`]: pageOf(component(own)),
    [`${own}_write`]: {
      type: 'object',
      required: ['attributes'],
      properties: {
        type: { const: type },
        id: TEXT,
        title: TEXT,
        summary: TEXT,
        attributes: component(`${own}_attributes`),
        createdAt: { ...TEXT, description: 'Ignored: the store sets it.' },
        updatedAt: { ...TEXT, description: 'Ignored: the store sets it.' },
        revision: { ...TEXT, description: 'Ignored: the store sets it.' },
      },
      additionalProperties: false,
    },
  }
}

/** Returns the schemas of an action's input, output, call and result by component name. */
export function actionSchemas({
  name,
  inputSchema,
  outputSchema,
  preview,
}: ActionDescription): Record<string, JsonObject> {
  const own = componentName(name)
  return {
    [`${own}_input`]: within(inputSchema ?? { type: 'object' }, `#/components/schemas/${own}_input`),
    [`${own}_output`]: within(outputSchema ?? {}, `#/components/schemas/${own}_output`),
    [`${own}_call`]: {
      type: 'object',
      required: ['input'],
      properties: { input: component(`${own}_input`), ...(preview && { preview: { type: 'boolean' } }) },
    },
    [`${own}_result`]: {
      type: 'object',
      required: ['action', 'output'],
      properties: {
        action: { const: name },
        output: component(`${own}_output`),
        ...(preview && { preview: { const: true } }),
        warnings: { type: 'array', items: component('Warning'), minItems: 1 },
      },
    },
  }
}

/** Returns the component name of a type or an action. Names stay unique, because prefixes contain no underscore. */
export function componentName(name: string): string {
  return name.replace(':', '_')
}

function pageOf(entity: JsonObject): JsonObject {
  return {
    type: 'object',
    required: ['entities', 'limit', 'total'],
    properties: {
      entities: { type: 'array', items: entity },
      nextCursor: { ...TEXT, description: 'Opaque. Present exactly when there are more.' },
      limit: { ...COUNT, description: 'The limit that was used.' },
      total: COUNT,
    },
  }
}

/** Prepares a schema for embedding by rebasing its internal references on `root`. */
function within(schema: JsonObject, root: string): JsonObject {
  // References in a schema with its own `$id` are relative to that id.
  if (Object.hasOwn(schema, '$id')) return schema
  return rebased(schema, root) as JsonObject
}

function rebased(value: unknown, root: string): unknown {
  if (Array.isArray(value)) return value.map((item) => rebased(item, root))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => {
    const isReference = name === '$ref' && typeof member === 'string' && /^#(?:\/|$)/.test(member)
    return [name, isReference ? root + member.slice(1) : rebased(member, root)]
  })
  return Object.fromEntries(members)
}
