/** Representations: complete HTTP responses, encoded once so that they can be cached. */
import { utf8Bytes } from '../store/bytes.ts'
import { type ContentCoding, MIN_CODED_BYTES } from './content-coding.ts'
import { contentCoding, remembering } from './content-negotiation.ts'
import { COMMON_HEADERS, JSON_POLICY } from './error-response.ts'
import type { WorldRequest, WorldResponse } from './http.ts'

/** Encoding of a response: a content coding, or identity. */
export type Form = ContentCoding | 'identity'

/** A response in one form, with the 304 response for clients that already have the content. */
export interface Representation {
  readonly full: WorldResponse
  /** The 304 response. Absent unless the full response is a 200 with a validator. */
  readonly notModified?: WorldResponse
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/** Selects the form preferred by a request's headers. */
export type FormOf = (request: Pick<WorldRequest, 'headers'>) => Form

/** Creates a function that selects among `codings`, which are in order of preference. */
export function createForms(codings: readonly ContentCoding[]): FormOf {
  const names = codings.map(({ name }) => name)
  const formAsked = remembering((asked): Form => {
    const chosen = contentCoding(asked, names)
    return codings.find(({ name }) => name === chosen) ?? 'identity'
  })
  return ({ headers }) => {
    const asked = headers['accept-encoding']
    return asked === undefined ? 'identity' : formAsked(asked)
  }
}

/** Creates a variant of `representationOf` that memoises the representations of memoizable responses. */
export function createRepresentations(): typeof representationOf {
  const made = new WeakMap<WorldResponse, Map<Form, Promise<Representation>>>()
  return (response, form) => {
    if (!response.memoizable) return representationOf(response, form)
    const forms = made.get(response) ?? new Map<Form, Promise<Representation>>()
    made.set(response, forms)
    const representation = forms.get(form) ?? representationOf(response, form)
    forms.set(form, representation)
    return representation
  }
}

/** Header fields that describe the content. A 304 omits them. */
const OF_CONTENT = new Set(['content-type', 'content-security-policy', 'x-content-type-options'])

/** Builds the representation of a response: common headers, the content coding if worthwhile, the length and the 304. */
async function representationOf(response: WorldResponse, form: Form): Promise<Representation> {
  const headers: Record<string, string> = {
    ...COMMON_HEADERS,
    'content-security-policy': JSON_POLICY,
    vary: 'Accept-Encoding',
    ...response.headers,
  }
  const { status, body, compressible } = response
  const full = await encoded({ status, headers, body }, form, compressible)
  const { etag, 'last-modified': lastModified } = headers
  if ((etag ?? lastModified) === undefined || response.status !== 200) return { full }
  const unchanged = Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONTENT.has(name)))
  return { full, etag, lastModified, notModified: { status: 304, headers: unchanged } }
}

async function encoded(
  response: WorldResponse,
  form: Form,
  compressible: true | undefined,
): Promise<WorldResponse> {
  const { body, headers } = response
  if (body === undefined) return response
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    if (!compressible || form === 'identity') return response
    const coded = form.encodePieces(body)
    return { ...response, body: coded, headers: { ...headers, 'content-encoding': form.name } }
  }
  const bytes = typeof body === 'string' ? utf8Bytes(body) : body
  if (form === 'identity' || bytes.byteLength < MIN_CODED_BYTES) {
    return { ...response, body: bytes, headers: { ...headers, 'content-length': String(bytes.byteLength) } }
  }
  const coded = await form.encode(bytes)
  const coding = { 'content-encoding': form.name, 'content-length': String(coded.byteLength) }
  return { ...response, body: coded, headers: { ...headers, ...coding } }
}
