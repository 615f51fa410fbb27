/** Generates the OpenAPI 3.1 description of a world from its routes, types and actions. */
import type { DiscoveryDocument, JsonObject } from '@worldwright/client/protocol'
import type { Route } from '@worldwright/core'
import {
  type Answer,
  component,
  type ErrorCode,
  type Operation,
  OWN_CODES,
  statusOf,
} from '@worldwright/core'
import { actionSchemas, COMMON_SCHEMAS, componentName, typeSchemas } from './schemas.ts'

/** Inputs for the description: the discovery document, and the routes as mounted. */
export interface Described {
  readonly discovery: DiscoveryDocument
  readonly routes: readonly Route[]
  /** Origin of the routes outside the API. */
  readonly origin: string
}

/** Codes of errors that any request may cause. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'not_acceptable',
  'request_timeout',
  'uri_too_long',
  'expectation_failed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
]
const TOKEN_ERRORS: readonly ErrorCode[] = ['unauthenticated', 'forbidden']
const BODY_ERRORS: readonly ErrorCode[] = ['invalid_json', 'payload_too_large', 'unsupported_media_type']

/** Maps each placeholder schema to the name suffix of the type or action schema that replaces it. */
const STAND_INS: Readonly<Record<string, string>> = {
  Entity: '',
  EntityPage: '_page',
  EntityWrite: '_write',
  ActionCall: '_call',
  ActionResult: '_result',
}

/** Generates the document as plain JSON. Routes without operations are omitted. */
export function openApiDocument({ discovery, routes, origin }: Described): JsonObject {
  const { world, endpoints, authentication, entityTypes = [], actions = [] } = discovery
  const isPrivate = authentication?.required === true
  const unsafe = new Set<string | undefined>(actions.filter(({ safe }) => !safe).map(({ name }) => name))
  const operations = new OperationWriter()
  const paths: Record<string, JsonObject> = {}
  for (const route of routes) {
    if (route.operations === undefined) continue
    for (const { path, name } of instancesOf(route, discovery)) {
      const apiOrigin = new URL(endpoints.api).origin
      const servers = path.startsWith(new URL(endpoints.api).pathname) && apiOrigin !== origin
      paths[path] = {
        ...(servers && { servers: [{ url: apiOrigin }] }),
        ...operations.methods(route.operations, path, name, unsafe.has(name) || (isPrivate && !route.open)),
      }
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: world?.name ?? world?.id ?? 'World',
      version: discovery.revision ?? '',
      description: world?.description ?? `A world of the protocol ${discovery.protocol}.`,
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: {
        ...COMMON_SCHEMAS,
        ...Object.assign({}, ...entityTypes.map(typeSchemas), ...actions.map(actionSchemas)),
      },
      responses: operations.failures.responses,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}

/** Returns the paths of a route: one for each type or action if its path contains `{type}` or `{action}`. */
function instancesOf({ path }: Route, { entityTypes = [], actions = [] }: DiscoveryDocument) {
  const names = path.includes('{type}')
    ? entityTypes.map(({ type }) => type)
    : path.includes('{action}')
      ? actions.map(({ name }) => name)
      : [undefined]
  return names.map((name) => ({
    name,
    path: name === undefined ? path : path.replace(/\{(?:type|action)\}/, encodeURIComponent(name)),
  }))
}

/** Entity id as a path segment (decisions 2): at most 512 bytes of UTF-8. */
const ID = {
  type: 'string',
  minLength: 1,
  maxLength: 512,
  pattern:
    '^(?!\\s)(?!(?:.*[/\\\\])?\\.{1,2}(?:[/\\\\]|$))[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+(?<!\\s)$',
}

/** Generates the operations of one document, sharing the failure responses. */
class OperationWriter {
  readonly failures = new Failures()

  /** Returns the methods of a path. `name` is the type or action in the path. */
  methods(
    operations: NonNullable<Route['operations']>,
    path: string,
    name: string | undefined,
    needsToken: boolean,
  ): JsonObject {
    const own = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => ({
      name: parameter,
      in: 'path',
      required: true,
      schema: ID,
    }))
    const methods = Object.entries(operations).map(([method, operation]) => {
      const { parameters: further = [] } = operation
      const parameters = [...own, ...(typeof further === 'function' ? further(name ?? '') : further)]
      const described = this.#operation(operation, name, needsToken || operation.needsToken === true)
      return [method.toLowerCase(), { ...described, ...(parameters.length > 0 && { parameters }) }]
    })
    return Object.fromEntries(methods)
  }

  #operation(operation: Operation, name: string | undefined, needsToken: boolean): JsonObject {
    const { id, summary, body, answers, errors } = operation
    const codes = [
      ...(typeof errors === 'function' ? errors(name ?? '') : errors),
      ...(needsToken ? TOKEN_ERRORS : []),
      ...(body ? BODY_ERRORS : []),
      ...COMMON_ERRORS,
    ]
    return {
      operationId: name === undefined ? id : `${id}_${componentName(name).replaceAll(/[.-]/g, '_')}`,
      summary: name === undefined ? summary : `${summary} (${name})`,
      security: needsToken ? [{ bearer: [] }] : [],
      ...(body && { requestBody: { required: true, content: contentOf(body, name) } }),
      responses: { ...successes(answers, name), ...this.failures.of(codes) },
    }
  }
}

function successes(answers: Operation['answers'], name: string | undefined): JsonObject {
  const byStatus = typeof answers === 'function' ? answers(name ?? '') : answers
  const entries = Object.entries(byStatus).map(([status, { description, content }]: [string, Answer]) => [
    status,
    { description, ...(content && { content: contentOf(content, name) }) },
  ])
  return Object.fromEntries(entries)
}

function contentOf(content: Readonly<Record<string, JsonObject>>, name: string | undefined): JsonObject {
  const entries = Object.entries(content).map(([type, schema]) => [type, { schema: specific(schema, name) }])
  return Object.fromEntries(entries)
}

/** Replaces the placeholders in a schema with the schemas of the type or action in the path. */
function specific(schema: JsonObject, name: string | undefined): JsonObject {
  if (name === undefined) return schema
  const text = JSON.stringify(schema, (key, value) => {
    const standIn = key === '$ref' ? String(value).split('/').at(-1) : undefined
    const ending = standIn === undefined ? undefined : STAND_INS[standIn]
    return ending === undefined ? value : component(componentName(name) + ending)['$ref']
  })
  return JSON.parse(text)
}

/** Failure responses, each defined once and named after its codes. */
class Failures {
  readonly responses: Record<string, JsonObject> = {}

  /** Returns one response per status, for all of `codes` with that status. */
  of(codes: readonly ErrorCode[]): JsonObject {
    const byStatus = Map.groupBy(new Set(codes), statusOf)
    const entries = [...byStatus].map(([status, same]) => [status, this.#response(same.toSorted())])
    return Object.fromEntries(entries)
  }

  #response(codes: readonly ErrorCode[]): JsonObject {
    const name = componentName(codes.join('.'))
    this.responses[name] ??= {
      description: codes.map((code) => `\`${code}\``).join(', '),
      content: {
        'application/json': {
          schema: { allOf: [component('Error')], properties: { code: codeSchema(codes) } },
        },
      },
    }
    return { $ref: `#/components/responses/${name}` }
  }
}

function codeSchema(codes: readonly ErrorCode[]): JsonObject {
  const known = codes.filter((code) => code !== OWN_CODES)
  if (known.length === codes.length) return { enum: known }
  const own = { pattern: '^[^:]+:.' }
  return known.length === 0 ? own : { anyOf: [{ enum: known }, own] }
}
