/** Generates requests from a world's OpenAPI document, with unexpected values. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import { anyText, spoiltJson, valueFor } from './hostile-values.ts'
import type { Random } from './random.ts'

/** One operation of the OpenAPI document. */
interface Described {
  readonly method: string
  readonly path: string
  readonly parameters: readonly JsonObject[]
  /** Body schemas by media type, or an empty array if the operation takes no body. */
  readonly bodies: readonly (readonly [type: string, schema: unknown])[]
}

/** Encoded request and its method, which determines whether the response has a body. */
export interface FuzzedRequest {
  readonly method: string
  readonly bytes: Buffer
}

const METHODS = ['get', 'head', 'put', 'post', 'patch', 'delete']
/** Values of `Accept`. Event streams are omitted because their responses do not end. */
const ACCEPTS = [
  'application/json',
  'application/x-ndjson',
  '*/*',
  'text/html',
  'application/*;q=0',
  '',
  ...Array(20).fill('*/*'),
]
const FIELDS = [
  'If-Match',
  'If-None-Match',
  'Range',
  'Accept-Encoding',
  'Worldwright-After',
  'Expect',
  'Prefer',
]

/** Generates requests from an OpenAPI document. `ids` are used in paths. `token` has write permission. */
export class DescribedRequests {
  readonly #operations: readonly Described[]
  readonly #components: JsonObject
  readonly #ids: readonly string[]
  readonly #token: string

  constructor(document: JsonObject, ids: readonly string[], token: string) {
    const { paths, components } = document as { paths: Record<string, JsonObject>; components: JsonObject }
    this.#components = components['schemas'] as JsonObject
    this.#operations = Object.entries(paths).flatMap(([path, item]) => operationsOf(path, item))
    this.#ids = ids
    this.#token = token
  }

  /** Number of operations in the document. */
  get count(): number {
    return this.#operations.length
  }

  /** Returns a random request. If `isLast`, the request asks to close the connection after the response. */
  next(random: Random, isLast: boolean): FuzzedRequest {
    const operation = random.one(this.#operations)
    const method = random.isIn(0.03) ? 'OPTIONS' : operation.method
    const fields = [...this.#fields(operation, random), ...(isLast ? ['Connection: close'] : [])]
    const body = this.#body(operation, random)
    if (body) fields.push(`Content-Type: ${body.type}`, `Content-Length: ${body.bytes.byteLength}`)
    const head = [`${method} ${this.#target(operation, random)} HTTP/1.1`, 'Host: h', ...fields, '', ''].join(
      '\r\n',
    )
    return { method, bytes: Buffer.concat([Buffer.from(head, 'latin1'), body?.bytes ?? Buffer.of()]) }
  }

  #target({ path, parameters }: Described, random: Random): string {
    const filled = path.replaceAll(/\{[^}]+\}/g, () =>
      encoded(random.isIn(0.7) ? random.one(this.#ids) : anyText(random), random),
    )
    const query = parameters
      .filter(({ in: where }) => where === 'query' && random.isIn(0.4))
      .map(({ name, schema }) => `${name}=${encoded(textOf(this.#value(schema, random)), random)}`)
    if (random.isIn(0.05)) query.push(encoded(anyText(random), random))
    return query.length === 0 ? filled : `${filled}?${query.join('&')}`
  }

  #fields({ parameters }: Described, random: Random): string[] {
    const described = parameters
      .filter(({ in: where }) => where === 'header' && random.isIn(0.3))
      .map(({ name, schema }) => `${name}: ${fieldText(textOf(this.#value(schema, random)))}`)
    return [
      `Accept: ${random.one(ACCEPTS)}`,
      ...(random.isIn(0.85) ? [`Authorization: Bearer ${this.#token}`] : []),
      ...(random.isIn(0.1) ? [`${random.one(FIELDS)}: ${fieldText(anyText(random))}`] : []),
      ...described,
    ]
  }

  #body({ bodies }: Described, random: Random) {
    if (bodies.length === 0)
      return random.isIn(0.02) ? { type: 'text/plain', bytes: Buffer.from('x') } : undefined
    const [type, schema] = random.one(bodies)
    const sent = random.isIn(0.05)
      ? random.one(['text/plain', 'application/xml', 'application/json; charset=x'])
      : type
    return { type: sent, bytes: spoiltJson(this.#value(schema, random), random) }
  }

  #value(schema: unknown, random: Random): JsonValue | undefined {
    return valueFor(schema, random, this.#components)
  }
}

function operationsOf(path: string, item: JsonObject): Described[] {
  const shared = (item['parameters'] ?? []) as JsonObject[]
  return METHODS.filter((method) => method in item).map((method) => {
    const { parameters = [], requestBody } = item[method] as {
      parameters?: JsonObject[]
      requestBody?: JsonObject
    }
    const content = (requestBody?.['content'] ?? {}) as Record<string, { readonly schema?: unknown }>
    const bodies = Object.entries(content).map(([type, { schema }]) => [type, schema] as const)
    return { method: method.toUpperCase(), path, parameters: [...shared, ...parameters], bodies }
  })
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Percent-encodes a text or, sometimes, only replaces the characters that would break the request line. */
function encoded(text: string, random: Random): string {
  if (random.isIn(0.9)) return encodeURIComponent(text.toWellFormed())
  return text.replaceAll(/[^\x21-\x7e]/g, '%')
}

/** Removes the characters that a header field must not contain. */
function fieldText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '')
}
