/**
 * Requests and responses as plain data. Everything the handler knows about HTTP passes through these two interfaces;
 * adapters deal with sockets, ports and runtimes.
 */
import type { ErrorBody } from '@worldwright/client/protocol'
import type { Client, MaybePromise } from '../store/contract.ts'
import type { ReadTypes } from '../world/action.ts'
import type { Operation } from './operation.ts'

/** A request, as an adapter passes it to the handler. */
export interface WorldRequest {
  /** Method as received, normally in upper case. */
  readonly method: string
  /** Raw request target, neither decoded nor normalised: `/path?query`, an absolute URL, or `*`. */
  readonly target: string
  /** Header fields by lower-case name. The values of repeated fields are joined with `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Origin on which the adapter listens. Taken from its configuration, never from the request. */
  readonly origin?: string | undefined
  /** Request id assigned before the handler is called. If absent, a `Request-Id` header that is safe to echo is used. */
  readonly id?: string | undefined
  /** The connection's peer, or the client named by a trusted proxy. Absent if the adapter does not know it. */
  readonly client?: Client | undefined
  /** Body bytes, which can be read only once. Absent if the request has no body. */
  readonly body?: AsyncIterable<Uint8Array> | undefined
  /**
   * Aborted when the client disconnects before it has received the whole response, so that work on the response can stop.
   * Absent if the adapter cannot tell.
   */
  readonly signal?: AbortSignal | undefined
  /** Aborted when the server starts to close, so that streaming responses end. Absent if the adapter cannot tell. */
  readonly closing?: AbortSignal | undefined
}

/** A response, ready to be written. */
export interface WorldResponse {
  readonly status: number
  /** Header fields by lower-case name. A frozen object is reused unchanged, so adapters can cache data derived from it. */
  readonly headers: Readonly<Record<string, string>>
  /** Request id, which adapters send as `Request-Id`. Not one of `headers`, so that cached responses can share these. */
  readonly requestId?: string | undefined
  /** Absent for 204, 304 and responses to HEAD. An iterable is streamed chunk by chunk. */
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array | string> | undefined
  /**
   * Present if the response depends only on the target and the store. The response stays valid until the store changes
   * or, if `type` is given, until an entity of that type changes.
   */
  readonly cacheable?: { readonly type?: string }
  /** Set if a streamed body may be compressed, that is, if no client waits for individual chunks. */
  readonly compressible?: true
  /** Set if the route returns the same object until the response changes. Each compressed form is then created once. */
  readonly memoizable?: true
}

/**
 * Handles the requests for one route. Anything thrown, such as a `WorldFault`, is sent as an error body. `failed` handles
 * errors that occur later, while the body is streamed.
 */
export type RouteHandler = (
  request: WorldRequest,
  params: RouteParams,
  failed: LateFailure,
) => MaybePromise<WorldResponse>

/** Returns the error body for an error thrown after the status was sent, and logs the error like any other. */
export type LateFailure = (thrown: unknown) => ErrorBody

/** Decoded path components, keyed by their names in the path pattern. */
export type RouteParams = Readonly<Record<string, string>>

/** Request class with its own queue. Requests of class `free` cost next to nothing and never wait. */
export type Lane = 'free' | 'cached' | 'read' | 'search' | 'write'

/** A resource: a path pattern with a handler per method. HEAD is handled as GET, and every route answers OPTIONS. */
export interface Route {
  /** Path pattern of literal and `{name}` components, such as `/entities/{type}/{id}`. */
  readonly path: string
  readonly methods: Readonly<Record<string, RouteHandler>>
  /** OpenAPI descriptions by method. If absent, the route is not described. */
  readonly operations?: Readonly<Record<string, Operation>>
  /** Media types of responses, besides JSON. */
  readonly answers?: readonly string[]
  /** Request class. Default: `read` for methods that read, `write` for all others. */
  readonly lane?: Exclude<Lane, 'cached'>
  /** Set to skip `admit`, because the route is open to anyone or checks tokens itself. */
  readonly open?: true
  /** Returns the entity types that a request reads, or undefined (the default) if it may read any type. */
  readonly reads?: (request: WorldRequest, params: RouteParams) => ReadTypes
  /** Reports whether the route currently exists; if not, its path counts as unknown. By default, it always exists. */
  readonly present?: (request: WorldRequest) => MaybePromise<boolean>
}
