/**
 * Requests and responses as plain data. Everything the handler knows of HTTP passes through these two shapes;
 * sockets, ports and runtimes stay in the adapters.
 */
import type { ErrorBody } from '@worldwright/client/protocol'
import type { Client, MaybePromise } from '../store/contract.ts'
import type { ReadTypes } from '../world/action.ts'
import type { Operation } from './operation.ts'

/** A request, as an adapter passes it to the handler. */
export interface WorldRequest {
  /** Upper case, as received. */
  readonly method: string
  /** The raw request target, nothing decoded or normalised: `/path?query`, an absolute URL, or `*`. */
  readonly target: string
  /** Header fields by lower-case name; repeated fields joined with `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Origin on which the adapter listens. Taken from its configuration, never from the request. */
  readonly origin?: string | undefined
  /** Request id assigned by the layer that passes it on. Absent: that of its header `Request-Id`, if it is plain. */
  readonly id?: string | undefined
  /** The client: the peer of the connection, or the one named by trusted proxies. Absent if the adapter does not know. */
  readonly client?: Client | undefined
  /** The body's bytes, to be read at most once. Absent if the request has none. */
  readonly body?: AsyncIterable<Uint8Array> | undefined
  /**
   * Aborted when the client disconnects before it has its whole answer, so that work for it can stop. Absent if the adapter
   * does not know.
   */
  readonly signal?: AbortSignal | undefined
  /** Aborted when the server begins to close, so that endless responses end. Absent as `signal`. */
  readonly closing?: AbortSignal | undefined
}

/** A response, ready to be written. */
export interface WorldResponse {
  readonly status: number
  /** Header fields by lower-case name. A frozen object is reused, so adapters may cache what they derive from it. */
  readonly headers: Readonly<Record<string, string>>
  /** Written by adapters as the field `Request-Id`. Kept apart so that cached responses can share their headers. */
  readonly requestId?: string | undefined
  /** Absent for 204, 304 and answers to HEAD. An iterable is streamed piece by piece. */
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array | string> | undefined
  /**
   * Present if the response depends on nothing but the target and the store: it stays valid until the store changes or, with
   * `type`, until an entity of that type does.
   */
  readonly cacheable?: { readonly type?: string }
  /** The iterable may be compressed: no client waits for its individual pieces. */
  readonly compressible?: true
  /** The route returns this same object until its answer changes, so that each compressed form is created once. */
  readonly memoizable?: true
}

/**
 * Answers one route. Throws a `WorldFault`, or anything else, to answer with an error body. `failed` handles errors that
 * occur later, while the body is streamed.
 */
export type RouteHandler = (
  request: WorldRequest,
  params: RouteParams,
  failed: LateFailure,
) => MaybePromise<WorldResponse>

/** Returns the error body for an error thrown after the status was sent, and logs it like earlier errors. */
export type LateFailure = (thrown: unknown) => ErrorBody

/** The decoded path components of a route, by the names in its pattern. */
export type RouteParams = Readonly<Record<string, string>>

/** Request classes: a class does not queue behind another one. `free` is for requests of negligible cost, which never wait. */
export type Lane = 'free' | 'cached' | 'read' | 'search' | 'write'

/** A resource: a path pattern with a handler for each method. HEAD follows GET; OPTIONS is answered for all. */
export interface Route {
  /** Literal components and `{name}` components, such as `/entities/{type}/{id}`. */
  readonly path: string
  readonly methods: Readonly<Record<string, RouteHandler>>
  /** Descriptions of the methods for OpenAPI. Absent: the route is not described. */
  readonly operations?: Readonly<Record<string, Operation>>
  /** Media types of its responses besides JSON. */
  readonly answers?: readonly string[]
  /** Class of its requests. Absent: `read` for methods that read, `write` for all others. */
  readonly lane?: Exclude<Lane, 'cached'>
  /** Open to anyone, or checks tokens itself: `admit` is not called. */
  readonly open?: true
  /** Returns the types that a request reads. Absent or undefined: any type. */
  readonly reads?: (request: WorldRequest, params: RouteParams) => ReadTypes
  /** Reports whether the route exists now; if not, its path is treated as one without a route. Absent: always exists. */
  readonly present?: (request: WorldRequest) => MaybePromise<boolean>
}
